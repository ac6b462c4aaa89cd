import { mayCopy, readChoices } from '../shared/choices.ts'
import { changesOf, flashTab, markTab, warnInTab } from '../shared/mark-tab.ts'
import { readTab } from '../shared/read-tab.ts'
import { joined, type PageToSave, type SaveMessage, type SaveOutcome, withKept } from '../shared/save-message.ts'
import { text } from '../texts.ts'
import { searchFromAddressBar } from './address-bar.ts'
import { saveCopy } from './save-copy.ts'
import { askHost } from './shared-host.ts'
import { markOf, markTabs } from './tabs.ts'

chrome.runtime.onInstalled.addListener(async () => {
  await chrome.contextMenus.removeAll()
  for (const [id, title] of Object.entries(MENUS)) {
    chrome.contextMenus.create({ id, title: text(title), contexts: [id] })
  }
})
saveForPopup()
saveFromMenus()
searchFromAddressBar()
markTabs()

const MENUS = { link: 'menuLink', image: 'menuImage', selection: 'menuSelection' } as const

/** Time for which the button shows that something was saved, in ms. */
const FLASH_MS = 2500

/** Saves the link, the image or the selected text for which the context menu was opened. */
function saveFromMenus(): void {
  chrome.contextMenus.onClicked.addListener(async (click, tab) => {
    const page = pageOf(click)
    const tabId = tab?.id
    if (!page || tabId === undefined) return
    try {
      await askHost('save', page)
      await flashTab(tabId)
      const flash = changesOf(tabId)
      setTimeout(() => changesOf(tabId) === flash && void markOf(tabId), FLASH_MS)
    } catch (error) {
      await warnInTab(tabId, wordsOf(error))
    }
  })
}

function pageOf({ menuItemId, linkUrl, srcUrl, selectionText, pageUrl }: MenuClick): PageToSave | undefined {
  if (menuItemId === 'link') return { type: 'link', url: linkUrl }
  if (menuItemId === 'image') return { type: 'image', url: srcUrl }
  if (menuItemId !== 'selection') return undefined
  return { type: 'text', content: selectionText, url: /^https?:/.test(pageUrl ?? '') ? pageUrl : undefined }
}

/** Saves what the popup sends, also after the popup closed. Only the extension’s own pages can send it. */
function saveForPopup(): void {
  chrome.runtime.onMessage.addListener((message, { id }, answer) => {
    if (id !== chrome.runtime.id) return false
    void save(message as SaveMessage).then(answer)
    return true
  })
}

async function save({ tabId, page: sent, read, shown, titled, copy }: SaveMessage): Promise<SaveOutcome> {
  try {
    const page = read ? sent : await withRead(tabId, sent)
    const kept = shown ? null : (await askHost('saved', { url: page.url })).bookmark
    const { status, copy: isRequested } = await askHost('save', withKept({ page, titled }, kept))
    await markTab(tabId, true)
    const wantsCopy = copy || (isRequested && (await mayCopyTab(tabId)))
    const copyFault = wantsCopy ? await saveCopy(tabId, page.url).then(() => undefined, wordsOf) : undefined
    if (copyFault === undefined) return { status }
    await warnInTab(tabId, copyFault, 'copyFailed')
    return { status, copyFault }
  } catch (error) {
    const words = wordsOf(error)
    await warnInTab(tabId, words)
    return { error: words }
  }
}

/** Whether a copy may be saved without asking: it was allowed before, and the tab is not private. */
async function mayCopyTab(tabId: number): Promise<boolean> {
  return (await mayCopy()) && !(await chrome.tabs.get(tabId)).incognito
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Adds the selected text and, if the owner chose to send texts and the window is not private, the page’s text. */
async function withRead(tabId: number, page: SaveMessage['page']): Promise<SaveMessage['page']> {
  const [{ selection, text }, { incognito }, { sendText }] = await Promise.all([
    readTab(tabId),
    chrome.tabs.get(tabId),
    readChoices()
  ])
  const pageText = sendText && !incognito && text !== '' ? text : undefined
  return { ...page, description: joined(page.description ?? '', selection), pageText }
}
