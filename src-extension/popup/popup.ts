import { LIMITS } from '../../src-main/contract/bookmark.ts'
import type { ShownPage } from '../../src-main/contract/extension.ts'
import type { ReadPage } from '../page/read-page.ts'
import { readChoices } from '../shared/choices.ts'
import { element } from '../shared/element.ts'
import { connectHost, type Host } from '../shared/host.ts'
import { markTab } from '../shared/mark-tab.ts'
import { strings } from '../strings.ts'
import { tagsField } from './tags-field.ts'

/** How long the popup says that it saved before it goes. */
const GOODBYE_MS = 1200

const title = element('title', HTMLInputElement)
const description = element('description', HTMLTextAreaElement)
const sendText = element('send-text', HTMLInputElement)
const state = element('state', HTMLParagraphElement)
const problem = element('problem', HTMLParagraphElement)
const save = element('save', HTMLButtonElement)
const form = element('form', HTMLFormElement)

let host: Host | undefined
const tags = tagsField(async (typed) => (await connected().ask('tags', { typed })).tags)

const [tab] = await chrome.tabs.query({ active: true, currentWindow: true })
await begin(tab?.id, tab)

/** Shows what there is to save of the tab, which nothing is sent of before the owner says so. */
async function begin(tabId: number | undefined, tab: Tab | undefined): Promise<void> {
  const url = tab?.url ?? ''
  element('address', HTMLParagraphElement).textContent = url
  title.value = (tab?.title ?? '').slice(0, LIMITS.title)
  element('tag', HTMLInputElement).focus()
  if (tabId === undefined || !/^https?:/.test(url)) {
    save.disabled = true
    return complain(strings.cannotSave)
  }
  const page = readTab(tabId)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(tabId, url, page)
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
  })
  const saved = lookUp(tabId, url)
  const { selection, text } = await page
  await showText(text, tab?.incognito ?? true)
  describe((await saved)?.description ?? '', selection)
}

/** What the tab shows; nothing where the browser lets nobody look, as in its store. */
async function readTab(tabId: number): Promise<ReadPage> {
  try {
    await chrome.scripting.executeScript({ target: { tabId }, files: ['read-page.js'] })
    const [read] = await chrome.scripting.executeScript({ target: { tabId }, func: readPage })
    return read?.result ?? NOTHING
  } catch {
    return NOTHING
  }
}

const NOTHING: ReadPage = { selection: '', text: '' }

/** Runs in the tab, where the other script left its own. */
function readPage(): ReadPage {
  return (globalThis as unknown as { earmarkReadPage(): ReadPage }).earmarkReadPage()
}

/** Shows what is saved of the page already; what was typed meanwhile stays. */
async function lookUp(tabId: number, url: string): Promise<ShownPage | undefined> {
  const before = title.value
  try {
    const { bookmark } = await connected().ask('saved', { url })
    await markTab(tabId, bookmark !== null)
    if (!bookmark) return undefined
    if (title.value === before && bookmark.title !== '') title.value = bookmark.title
    tags.add(bookmark.tags)
    state.textContent = strings.savedOn(bookmark.savedAt, bookmark.organization)
    save.textContent = strings.saveChanges
    return bookmark
  } catch (error) {
    complain(wordsOf(error))
    return undefined
  }
}

/** What is selected comes below what was written before. */
function describe(before: string, selection: string): void {
  if (description.value !== '') return
  const parts = before.includes(selection) ? [before] : [before, selection]
  const text = parts.filter((part) => part !== '').join('\n\n')
  description.value = text.length <= LIMITS.description ? text : `${text.slice(0, LIMITS.description - 1)}…`
}

async function showText(text: string, isPrivate: boolean): Promise<void> {
  const maySend = text !== '' && !isPrivate
  const none = element('no-text', HTMLParagraphElement)
  none.textContent = isPrivate ? strings.privateText : strings.noText
  none.hidden = maySend
  sendText.disabled = !maySend
  sendText.checked = maySend && (await readChoices()).sendText
  const part = element('text-part', HTMLDetailsElement)
  const show = () => {
    part.hidden = !sendText.checked
  }
  sendText.addEventListener('change', show)
  show()
  element('words', HTMLElement).textContent = strings.words(text.split(/\s+/).filter(Boolean).length)
  element('text', HTMLTextAreaElement).value = text
}

async function send(tabId: number, url: string, page: Promise<ReadPage>): Promise<void> {
  save.disabled = true
  problem.hidden = true
  try {
    const { text } = await page
    const pageText = sendText.checked ? text : undefined
    const shown = { title: title.value, description: description.value, tags: tags.tags() }
    const { status } = await connected().ask('save', { type: 'link', url, ...shown, pageText })
    state.textContent = strings[status]
    await markTab(tabId, true)
    setTimeout(() => close(), GOODBYE_MS)
  } catch (error) {
    complain(wordsOf(error))
    save.disabled = false
    save.focus()
  }
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
