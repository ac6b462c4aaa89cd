import { LIMITS } from '../../src-main/contract/bookmark.ts'
import type { ReadPage } from '../page/read-page.ts'
import { askToCopy, keepChoices, mayCopy, readChoices } from '../shared/choices.ts'
import { element } from '../shared/element.ts'
import { connectHost, type Host } from '../shared/host.ts'
import { markTab } from '../shared/mark-tab.ts'
import { readTab } from '../shared/read-tab.ts'
import { joined, type SaveMessage, type SaveOutcome } from '../shared/save-message.ts'
import { countText, dateText, fillPage, text } from '../texts.ts'
import { tagsField } from './tags-field.ts'

/** Time for which the popup shows its result before it closes, in ms. */
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
/** Set once the page was read. */
let page: ReadPage | undefined
/** Whether the fields show the bookmark of the page, if there is one. */
let isShown = false
/** Whether a copy of the page was saved since the popup opened. */
let isCopied = false
const tags = tagsField(async (typed) => (await connected().ask('tags', { typed })).tags)

const [tab] = await chrome.tabs.query({ active: true, currentWindow: true })
await begin(tab?.id, tab)

/** Shows the tab’s page. Saves it if it is not saved yet and the owner chose to save first. */
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

/** Reads the page, and shows the text that will be sent. */
async function showPage(tabId: number, isPrivate: boolean): Promise<ReadPage> {
  await offerCopy(isPrivate)
  const read = await readTab(tabId)
  await showText(read.text, isPrivate)
  page = read
  return read
}

/**
 * Shows the bookmark of the page, if there is one, and the selected text. Keeps what the owner typed before it is known.
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

/** Shows tags of similar bookmarks. An older Earmark does not know the request; then none are shown. */
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

/** Saves the page with the values of the fields, shows the result and closes the popup. */
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

/** Saves the page before the owner types anything. The popup stays open for changes. */
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

/** Sends everything in one message to the background script, which continues if the popup closes. */
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
