import { LIMITS } from '../../src-main/contract/bookmark.ts'
import type { ReadPage } from '../page/read-page.ts'
import { askToCopy, keepChoices, mayCopy, readChoices } from '../shared/choices.ts'
import { element } from '../shared/element.ts'
import { connectHost, type Host } from '../shared/host.ts'
import { markTab } from '../shared/mark-tab.ts'
import { readTab } from '../shared/read-tab.ts'
import type { SaveMessage, SaveOutcome } from '../shared/save-message.ts'
import { joined } from '../shared/with-kept.ts'
import { countText, dateText, fillPage, text } from '../texts.ts'
import { tagsField } from './tags-field.ts'

/** How long the popup says that it saved before it goes. */
const GOODBYE_MS = 1200

fillPage()

const title = element('title', HTMLInputElement)
const description = element('description', HTMLTextAreaElement)
const sendText = element('send-text', HTMLInputElement)
const saveCopy = element('save-copy', HTMLInputElement)
const state = element('state', HTMLParagraphElement)
const problem = element('problem', HTMLParagraphElement)
const save = element('save', HTMLButtonElement)
const remove = element('remove', HTMLButtonElement)
const form = element('form', HTMLFormElement)

let host: Host | undefined
/** The tab's page, once it was read. */
let page: ReadPage | undefined
/** Whether what is kept of the page stands in the fields. */
let isShown = false
/** Whether a copy of the page was saved since the popup opened. */
let isCopied = false
const tags = tagsField(async (typed) => (await connected().ask('tags', { typed })).tags)

const [tab] = await chrome.tabs.query({ active: true, currentWindow: true })
await begin(tab?.id, tab)

/** Shows what there is to save of the tab, and saves it, unless it is saved already or the owner wants to be asked. */
async function begin(tabId: number | undefined, tab: Tab | undefined): Promise<void> {
  const url = tab?.url ?? ''
  element('address', HTMLParagraphElement).textContent = url
  title.defaultValue = (tab?.title ?? '').slice(0, LIMITS.title)
  element('tag', HTMLInputElement).focus()
  if (tabId === undefined || !/^https?:/.test(url)) {
    save.disabled = true
    return complain(text('cannotSave'))
  }
  const isPrivate = tab?.incognito ?? true
  void lookUp(tabId, url, showPage(tabId, isPrivate)).then(async (isNew) => {
    if (isNew && !isPrivate && (await readChoices()).saveFirst) await saveFirst(tabId, url)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!save.disabled) void send(tabId, url)
  })
  remove.addEventListener('click', () => void takeOut(tabId, url))
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
  })
}

/** Reads the tab, and shows the text that would be sent. */
async function showPage(tabId: number, isPrivate: boolean): Promise<ReadPage> {
  await offerCopy(isPrivate)
  const read = await readTab(tabId)
  await showText(read.text, isPrivate)
  page = read
  return read
}

/**
 * Shows what is saved of the page already, and what is selected on it; what was typed meanwhile stays.
 *
 * @returns whether the page is not saved yet
 */
async function lookUp(tabId: number, url: string, reading: Promise<ReadPage>): Promise<boolean> {
  try {
    const { bookmark } = await connected().ask('saved', { url })
    if (save.disabled) return false
    if (bookmark) {
      if (title.value === title.defaultValue && bookmark.title !== '') title.value = bookmark.title
      tags.add(bookmark.tags)
      state.textContent = savedOn(bookmark.savedAt, bookmark.organization)
      save.textContent = text('saveChanges')
    }
    const description = bookmark?.description ?? ''
    describe(description, (await reading).selection)
    isShown = !save.disabled
    void suggestTags(url)
    await markTab(tabId, bookmark !== null)
    return bookmark === null
  } catch (error) {
    describe('', (await reading).selection)
    complain(wordsOf(error))
    return false
  }
}

function savedOn(time: string, organization: string | null): string {
  const date = dateText(time)
  return organization === null ? text('savedOn', date) : text('savedOnIn', date, organization)
}

/** Shows tags of similar bookmarks. An Earmark too old for the question answers none. */
async function suggestTags(url: string): Promise<void> {
  const about = { url, title: title.value, description: description.value, tags: tags.tags() }
  const answer = await connected()
    .ask('suggestions', about)
    .catch(() => undefined)
  tags.suggest(answer?.tags ?? [])
}

/** Adds the selected text below the description written before. */
function describe(before: string, selection: string): void {
  if (description.value === '') description.value = joined(before, selection)
}

async function showText(pageText: string, isPrivate: boolean): Promise<void> {
  const maySend = pageText !== '' && !isPrivate
  const none = element('no-text', HTMLParagraphElement)
  none.textContent = text(isPrivate ? 'privateText' : 'noText')
  none.hidden = maySend
  sendText.disabled = !maySend
  sendText.checked = maySend && (await readChoices()).sendText
  const part = element('text-part', HTMLDetailsElement)
  const show = () => {
    part.hidden = !sendText.checked
  }
  sendText.addEventListener('change', show)
  show()
  element('words', HTMLElement).textContent = countText('words', pageText.split(/\s+/).filter(Boolean).length)
  element('text', HTMLTextAreaElement).value = pageText
}

/** Offers to save a copy of the page, as its owner chose the last time. */
async function offerCopy(isPrivate: boolean): Promise<void> {
  saveCopy.checked = !isPrivate && (await readChoices()).saveCopy && (await mayCopy())
  saveCopy.disabled = isPrivate
  saveCopy.addEventListener('change', async () => {
    // First, because the browser may close the popup when it asks. Without the permission the choice does not count.
    void keepChoices({ saveCopy: saveCopy.checked })
    if (saveCopy.checked) saveCopy.checked = await askToCopy()
  })
}

/** Saves what stands in the fields, says so and closes the popup. */
async function send(tabId: number, url: string): Promise<void> {
  save.disabled = true
  const outcome = await handOver(tabId, url)
  if ('status' in outcome) {
    state.textContent = text(outcome.status)
    if (!outcome.copyFault) {
      setTimeout(() => close(), GOODBYE_MS)
      return
    }
  }
  save.disabled = false
  save.focus()
}

/** Saves the page before anything is typed, and stays open for what its owner adds. */
async function saveFirst(tabId: number, url: string): Promise<void> {
  if (save.disabled) return
  const outcome = await handOver(tabId, url)
  if (!('status' in outcome)) return
  state.textContent = text(outcome.status)
  save.textContent = text('saveChanges')
  remove.hidden = false
}

/** Moves the page that was just saved to the trash. */
async function takeOut(tabId: number, url: string): Promise<void> {
  remove.hidden = true
  try {
    await connected().ask('remove', { url })
    state.textContent = text('removed')
    save.textContent = text('save')
    await markTab(tabId, false)
  } catch (error) {
    complain(wordsOf(error))
    remove.hidden = false
  }
}

/** Hands all of it at once to the background, which goes on where somebody closes the popup. */
async function handOver(tabId: number, url: string): Promise<SaveOutcome> {
  problem.hidden = true
  state.textContent = text('saving')
  const pageText = sendText.checked ? page?.text : undefined
  const filled = { title: title.value, description: description.value, tags: tags.tags() }
  const titled = title.value !== title.defaultValue
  const saved = { type: 'link', url, ...filled, pageText } as const
  const copy = saveCopy.checked && !isCopied
  const message: SaveMessage = { tabId, page: saved, read: page !== undefined, shown: isShown, titled, copy }
  const outcome = (await chrome.runtime.sendMessage(message)) as SaveOutcome
  if ('error' in outcome) {
    state.textContent = ''
    complain(outcome.error)
  } else if (outcome.copyFault) complain(text('copyFailed', outcome.copyFault))
  else isCopied ||= copy
  return outcome
}

function connected(): Host {
  host ??= connectHost(() => {
    host = undefined
  })
  return host
}

function complain(words: string): void {
  problem.textContent = words
  problem.hidden = false
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
