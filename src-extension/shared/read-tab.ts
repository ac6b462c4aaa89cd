import type { ReadPage } from '../page/read-page.ts'

/** Reads the text and the selection of a tab; both are empty where the browser lets nobody read it, as in its store. */
export async function readTab(tabId: number): Promise<ReadPage> {
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
