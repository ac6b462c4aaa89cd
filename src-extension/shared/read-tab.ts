import type { ReadPage } from '../page/read-page.ts'

/** Reads the text and the selection of a tab. Both are empty if the browser does not allow it, as in its web store. */
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

/** Runs in the tab, and calls the function that `read-page.js` defined there. */
function readPage(): ReadPage {
  return (globalThis as unknown as { earmarkReadPage(): ReadPage }).earmarkReadPage()
}
