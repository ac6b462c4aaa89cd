import { changesOf, markTab } from '../shared/mark-tab.ts'
import { askHost } from './shared-host.ts'

/**
 * Marks tabs whose page is saved. The extension sees a tab’s address only if the owner allowed it, or just saved that tab’s
 * page. Tabs of private windows are not marked.
 */
export function markTabs(): void {
  chrome.tabs.onUpdated.addListener((id, { url }, tab) => {
    if (url !== undefined) void mark(id, tab)
  })
  chrome.tabs.onActivated.addListener(({ tabId }) => void markOf(tabId))
}

/** Shows or removes the mark of a tab, according to its current page. */
export async function markOf(tabId: number): Promise<void> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined)
  if (tab) await mark(tabId, tab)
}

async function mark(tabId: number, { url, incognito }: Tab): Promise<void> {
  const isPage = url !== undefined && !incognito && /^https?:/.test(url)
  const before = changesOf(tabId)
  const saved = isPage ? await askHost('saved', { url }).catch(() => undefined) : undefined
  if (changesOf(tabId) === before) await markTab(tabId, Boolean(saved?.bookmark))
}
