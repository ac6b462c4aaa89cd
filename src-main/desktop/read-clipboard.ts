import { type ClipboardItem, clipboard } from 'electron'
import { LIMITS } from '../contract/bookmark.ts'
import type { Clip, CopiedPicture } from '../contract/desktop.ts'
import { MOST_PICTURE_BYTES } from '../contract/picture-limit.ts'

/** The format that password managers add beside a secret, so that nothing shows or keeps it. */
const CONCEALED: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'org.nspasteboard.ConcealedType', // nspasteboard.org
  linux: 'x-kde-passwordManagerHint', // KeePassXC, Klipper
  win32: 'ExcludeClipboardContentFromMonitorProcessing' // learn.microsoft.com, Clipboard Formats
}

/** One more than can be saved, so that a longer text is refused in words, and not cut. */
const MOST_TEXT = LIMITS.content + 1

/** The copied data. Its picture may be large, and is read only on demand. */
export interface Copied {
  clip: Clip
  readPicture(): Promise<CopiedPicture | null>
}

/** Reads what can be saved from the clipboard; `undefined` if it is empty or holds a secret. */
export async function readClipboard(): Promise<Copied | undefined> {
  try {
    const [item] = await clipboard.read()
    // Of this very item: another may have taken its place before it is asked about.
    if (!item || isConcealed(item)) return undefined
    const picture = item.types.some((type) => type.startsWith('image/'))
    const text = await textOf(item, 'text/plain')
    if (!picture && text.trim() === '') return undefined
    const clip = { text: text.slice(0, MOST_TEXT), html: picture ? await textOf(item, 'text/html') : '', picture }
    return { clip, readPicture: () => pictureOf(item) }
  } catch {
    return undefined // whoever owns the clipboard does not answer: capture opens empty
  }
}

/** A format that is not the web's is named as Electron wraps it (electron_api_clipboard.cc). */
function isConcealed({ types }: ClipboardItem): boolean {
  return types.includes(`electron application/osclipboard;format="${CONCEALED[process.platform]}"`)
}

async function textOf(item: ClipboardItem, type: string): Promise<string> {
  if (!item.types.includes(type)) return ''
  const value = await item.getType(type)
  return value instanceof Blob ? value.text() : ''
}

/** As PNG where there is a choice: the clipboard's other forms of a picture are made of it, or lose some. */
async function pictureOf(item: ClipboardItem): Promise<CopiedPicture | null> {
  const type = item.types.find((one) => one === 'image/png') ?? item.types.find((one) => one.startsWith('image/'))
  const value = type === undefined ? undefined : await item.getType(type).catch(() => undefined)
  if (!(value instanceof Blob) || value.size === 0) return null
  return value.size > MOST_PICTURE_BYTES ? 'too-large' : new Uint8Array(await value.arrayBuffer())
}
