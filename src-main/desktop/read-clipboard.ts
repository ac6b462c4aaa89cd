import { type ClipboardItem, clipboard } from 'electron'
import { LIMITS } from '../contract/bookmark.ts'
import type { Clip } from '../contract/desktop.ts'

/** What password managers put beside a secret, so that nothing shows or keeps it. */
const CONCEALED: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'org.nspasteboard.ConcealedType', // nspasteboard.org
  linux: 'x-kde-passwordManagerHint', // KeePassXC, Klipper
  win32: 'ExcludeClipboardContentFromMonitorProcessing' // learn.microsoft.com, Clipboard Formats
}

/** One more than can be saved, so that a longer text is refused in words, and not cut. */
const MOST_TEXT = LIMITS.content + 1

/** What the clipboard holds that could be saved; `undefined` for nothing, and for a secret. */
export async function readClipboard(): Promise<Clip | undefined> {
  try {
    const concealed = CONCEALED[process.platform]
    if (concealed && (await clipboard.has(`electron application/osclipboard;format="${concealed}"`))) return undefined
    const [item] = await clipboard.read()
    if (!item) return undefined
    const picture = item.types.some((type) => type.startsWith('image/'))
    const text = await textOf(item, 'text/plain')
    if (!picture && text.trim() === '') return undefined
    return { text: text.slice(0, MOST_TEXT), html: picture ? await textOf(item, 'text/html') : '', picture }
  } catch {
    return undefined // whoever owns the clipboard does not answer: capture opens empty
  }
}

async function textOf(item: ClipboardItem, type: string): Promise<string> {
  if (!item.types.includes(type)) return ''
  const value = await item.getType(type)
  return value instanceof Blob ? value.text() : ''
}
