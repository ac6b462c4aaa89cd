import { flashTab, warnInTab } from '../shared/mark-tab.ts'
import type { PageToSave } from '../shared/save-message.ts'
import { askHost } from './shared-host.ts'
import { markOf } from './tabs.ts'

/** How long the button says that something was saved. */
const FLASH_MS = 2500

/** Saves what a menu was opened on: a link, an image or what is selected, and nothing more than its entry says. */
export function saveFromMenus(): void {
  chrome.contextMenus.onClicked.addListener(async (click, tab) => {
    const page = pageOf(click)
    const tabId = tab?.id
    if (!page || tabId === undefined) return
    try {
      await askHost('save', page)
      await flashTab(tabId)
      setTimeout(() => void markOf(tabId), FLASH_MS)
    } catch (error) {
      await warnInTab(tabId, error instanceof Error ? error.message : String(error))
    }
  })
}

function pageOf({ menuItemId, linkUrl, srcUrl, selectionText, pageUrl }: MenuClick): PageToSave | undefined {
  if (menuItemId === 'link') return { type: 'link', url: linkUrl }
  if (menuItemId === 'image') return { type: 'image', url: srcUrl }
  if (menuItemId !== 'selection') return undefined
  return { type: 'text', content: selectionText, url: /^https?:/.test(pageUrl ?? '') ? pageUrl : undefined }
}
