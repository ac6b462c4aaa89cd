import type { BookmarkType } from '../../../../src-main/contract/bookmark.ts'
import type { Clip } from '../../../../src-main/contract/desktop.ts'
import { withScheme } from '../../../../src-main/contract/web-address.ts'

/** The type of a text that was typed or pasted, and its address if it is one. */
interface Detected {
  type: BookmarkType
  url?: string
}

export const isColor = (text: string) => CSS.supports('color', text)

/** @param isCssColor whether a text is a color in CSS */
export function detect(text: string, isCssColor = isColor): Detected {
  const trimmed = text.trim()
  if (trimmed === '') return { type: 'link' }
  const url = addressIn(trimmed)
  if (url) return { type: PICTURE.test(new URL(url).pathname) ? 'image' : 'link', url }
  return { type: COLOR.test(trimmed) && !WORDS.test(trimmed) && isCssColor(trimmed) ? 'color' : 'text' }
}

/** Returns the address if a text is one. The scheme may be missing: `example.com/page`. */
export function addressIn(text: string): string | undefined {
  if (/\s/.test(text)) return undefined
  const address = /^https?:\/\//i.test(text) ? text : withScheme(text)
  return address !== undefined && URL.canParse(address) ? address : undefined
}

/** Returns the addresses if a text consists of several, separated by spaces or line ends; otherwise `undefined`. */
export function addressesIn(text: string): string[] | undefined {
  const parts = text.trim().split(/\s+/)
  const addresses = parts.map(addressIn).filter((address) => address !== undefined)
  return parts.length > 1 && addresses.length === parts.length ? [...new Set(addresses)] : undefined
}

const PICTURE = /\.(avif|gif|jpe?g|png|svg|webp)$/i

// Without colors that CSS computes from others, as `color-mix()` and `var()` do: they have no value outside their page.
const COLOR = /^(?:#[\da-f]+|[a-z]+|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\((?!\s*from\s)[^()]*\))$/i

// Valid as colors in CSS, but they depend on the page or the system (CSS Color 4, 6.2), or are more often words.
const WORDS =
  /^(?:currentcolor|inherit|initial|unset|revert|transparent|tan|snow|accentcolor(?:text)?|activetext|button(?:border|face|text)|canvas(?:text)?|field(?:text)?|graytext|highlight(?:text)?|linktext|mark(?:text)?|selecteditem(?:text)?|visitedtext)$/i

/** Returns the fields to save for a type: the address, or the text. */
export function fieldsOf(type: BookmarkType, text: string, { url }: Detected) {
  if (type === 'link' || type === 'image') return { type, url: url ?? text.trim() }
  return { type, content: type === 'color' ? text.trim() : text }
}

/** A dropped text or address. A link has the title that it had on its page. */
interface DroppedText extends Clipping {
  title?: string
}

/** A dropped text or address, or the file of a picture. */
export type Dropped = DroppedText | { file: File }

/**
 * Returns what can be saved of a drop: a picture, by its address or else by its file; each of the addresses; or the text.
 * Empty if nothing can be saved. A picture that cannot be read has an empty text.
 */
export function readDrop(data: DataTransfer): Dropped[] {
  const texts = readTexts(data)
  const files = picturesIn(data).map((file) => ({ file }))
  return files.length > 0 && (texts[0]?.text ?? '') === '' ? files : texts
}

function readTexts(data: DataTransfer): DroppedText[] {
  const html = data.getData('text/html')
  const page = new DOMParser().parseFromString(html, 'text/html').body
  const words = page.textContent.trim()
  const addresses = data.getData('text/uri-list').split(/\r?\n/).filter(addressIn)
  const isPicture = page.querySelector('img') !== null && words === ''
  // The address in the HTML is the picture's. The one in the list may be that of the link around it.
  if (isPicture) return [{ text: onlyPicture(html) ?? '', picture: true }]
  if (addresses.length === 1)
    return addresses.map((text) => ({ text, picture: false, ...linkTitle(page, words, text) }))
  if (addresses.length > 1) return addresses.map((text) => ({ text, picture: false }))
  const clipping = readClip({ text: data.getData('text/plain'), html: '', picture: false })
  const several = clipping && addressesIn(clipping.text)
  if (several) return several.map((text) => ({ text, picture: false }))
  return clipping ? [clipping] : []
}

/** Returns the words of a link as its title, if only that link was dragged, and its words are not an address. */
function linkTitle(page: HTMLElement, words: string, address: string): { title?: string } {
  const isLink = page.querySelectorAll('a').length === 1 && page.querySelector('a')?.textContent.trim() === words
  return isLink && words !== '' && addressIn(words) === undefined && words !== address ? { title: words } : {}
}

/** Copied or dragged data that can become a bookmark. */
interface Clipping {
  /** An address or another text; empty for a picture without an address. */
  text: string
  /** Whether it is a picture, even if its address does not look like one. */
  picture: boolean
}

/**
 * Reads copied data. A picture of a page is saved by its address, which browsers put into the HTML beside the pixels. Word
 * processors copy a text together with a picture of it, which counts as a text. Returns `undefined` if the data is empty.
 */
export function readClip({ text, html, picture }: Clip): Clipping | undefined {
  const trimmed = text.trim()
  if (picture && (trimmed === '' || addressIn(trimmed))) {
    return { text: onlyPicture(html) ?? addressIn(trimmed) ?? '', picture: true }
  }
  return trimmed === '' ? undefined : { text: trimmed, picture: false }
}

/** Returns the address of the only picture in a piece of HTML. `DOMParser` loads and runs nothing of it. */
function onlyPicture(html: string): string | undefined {
  const [picture, ...others] = new DOMParser().parseFromString(html, 'text/html').images
  const source = picture?.getAttribute('src') ?? ''
  return others.length === 0 && /^https?:/i.test(source) && URL.canParse(source) ? source : undefined
}

/** Returns the pictures among the dropped or pasted files. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
}

/** Whether all dragged files are pictures. Names of files are available only after the drop. */
export function areDraggedPictures({ items }: DataTransfer): boolean {
  const files = [...items].filter(({ kind }) => kind === 'file')
  return files.length > 0 && files.every(({ type }) => type.startsWith('image/'))
}
