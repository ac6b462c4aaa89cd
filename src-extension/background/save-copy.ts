import { COPY_PART_BYTES, MAX_COPY_BYTES } from '../../src-main/contract/page-copy.ts'
import { text } from '../texts.ts'
import { askHost } from './shared-host.ts'

/**
 * Saves a copy of a tab's page with the bookmark of the page, in parts, because a message to the program has at most 1 MiB.
 *
 * @throws Error with words for the owner
 */
export async function saveCopy(tabId: number, url: string): Promise<void> {
  const copy = await capture(tabId)
  if (copy.size > MAX_COPY_BYTES) throw new Error(text('copyTooLarge'))
  const parts = Math.ceil(copy.size / COPY_PART_BYTES)
  const upload = crypto.randomUUID()
  let stored = false
  for (let part = 0; part < parts; part++) {
    const data = await base64(copy.slice(part * COPY_PART_BYTES, (part + 1) * COPY_PART_BYTES))
    stored = (await askHost('copy', { url, upload, part, parts, data })).stored
  }
  // Earmark may have restarted since the first part.
  if (!stored) throw new Error(text('ended'))
}

/** Captures the page: as a web archive in Chromium, as HTML with a script in the page in Firefox. */
async function capture(tabId: number): Promise<Blob> {
  const { pageCapture, scripting } = chrome
  if (pageCapture) return readArchive(() => pageCapture.saveAsMHTML({ tabId }))
  await scripting.executeScript({ target: { tabId }, files: ['capture-page.js'] })
  const [captured] = await scripting.executeScript({ target: { tabId }, func: capturePage })
  return new Blob([captured?.result ?? ''])
}

/** Reads an archive at once, because the browser soon removes its file. If it is already gone, the page is captured again. */
async function readArchive(write: () => Promise<Blob>, attempts = 3): Promise<Blob> {
  const archive = await write()
  try {
    return new Blob([await archive.arrayBuffer()])
  } catch (error) {
    if (attempts === 1) throw error
    return readArchive(write, attempts - 1)
  }
}

/** Runs in the tab, and calls the function that `capture-page.js` defined there. */
function capturePage(): Promise<string> {
  return (globalThis as unknown as { earmarkCapturePage(): Promise<string> }).earmarkCapturePage()
}

function base64(blob: Blob): Promise<string> {
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
