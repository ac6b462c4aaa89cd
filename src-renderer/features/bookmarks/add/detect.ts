import type { BookmarkType } from '../../../../src-main/contract/bookmark.ts'
import type { Clip } from '../../../../src-main/contract/desktop.ts'
import { withScheme } from '../../../../src-main/contract/web-address.ts'

/** The type of a text that was typed or pasted. `url` is its address if it has one. */
interface Detected {
  type: BookmarkType
  url?: string
}

/** Whether CSS takes a text for a color. */
export const isColor = (text: string) => CSS.supports('color', text)

/** @param takes whether CSS takes a text for a color */
export function detect(text: string, takes = isColor): Detected {
  const trimmed = text.trim()
  if (trimmed === '') return { type: 'link' }
  const url = addressIn(trimmed)
  if (url) return { type: PICTURE.test(new URL(url).pathname) ? 'image' : 'link', url }
  return { type: COLOR.test(trimmed) && !WORDS.test(trimmed) && takes(trimmed) ? 'color' : 'text' }
}

/** The address a text is, also where its scheme was left out: `example.com/page`. */
export function addressIn(text: string): string | undefined {
  if (/\s/.test(text)) return undefined
  const address = /^https?:\/\//i.test(text) ? text : withScheme(text)
  return address !== undefined && URL.canParse(address) ? address : undefined
}

/** The addresses of a text that is nothing but several of them, in lines or with spaces between; otherwise `undefined`. */
export function addressesIn(text: string): string[] | undefined {
  const parts = text.trim().split(/\s+/)
  const addresses = parts.map(addressIn).filter((address) => address !== undefined)
  return parts.length > 1 && addresses.length === parts.length ? [...new Set(addresses)] : undefined
}

const PICTURE = /\.(avif|gif|jpe?g|png|svg|webp)$/i

// Colors by themselves: what CSS computes from others, as `color-mix()` and `var()`, is none outside its page.
const COLOR = /^(?:#[\da-f]+|[a-z]+|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\((?!\s*from\s)[^()]*\))$/i

// To CSS these go where a color goes, too; but they are a page's or a system's (CSS Color 4, 6.2), or words to a person.
const WORDS =
  /^(?:currentcolor|inherit|initial|unset|revert|transparent|tan|snow|accentcolor(?:text)?|activetext|button(?:border|face|text)|canvas(?:text)?|field(?:text)?|graytext|highlight(?:text)?|linktext|mark(?:text)?|selecteditem(?:text)?|visitedtext)$/i

/** Returns the fields to save for this type: the address, or the text itself. */
export function fieldsOf(type: BookmarkType, text: string, { url }: Detected) {
  if (type === 'link' || type === 'image') return { type, url: url ?? text.trim() }
  return { type, content: type === 'color' ? text.trim() : text }
}

/** One of the things that were dropped; a link brings the name it had on its page. */
interface DroppedText extends Wanted {
  title?: string
}

/** The same, or the file of a picture. */
export type Dropped = DroppedText | { file: File }

/**
 * Returns what can be saved of a drop: the picture, by its address or else itself, or each of its addresses, or its
 * text. Empty if nothing can; without text if it is a picture that cannot be read.
 */
export function readDrop(data: DataTransfer): Dropped[] {
  const found = readTexts(data)
  const files = picturesIn(data).map((file) => ({ file }))
  return files.length > 0 && (found[0]?.text ?? '') === '' ? files : found
}

function readTexts(data: DataTransfer): DroppedText[] {
  const html = data.getData('text/html')
  const page = new DOMParser().parseFromString(html, 'text/html').body
  const words = page.textContent.trim()
  const addresses = data.getData('text/uri-list').split(/\r?\n/).filter(addressIn)
  const isPicture = page.querySelector('img') !== null && words === ''
  // Where its page holds the picture itself, the address beside it is the page's or none.
  if (isPicture) return [{ text: onlyPicture(html) ?? '', picture: true }]
  if (addresses.length === 1) return addresses.map((text) => ({ text, picture: false, ...named(page, words, text) }))
  if (addresses.length > 1) return addresses.map((text) => ({ text, picture: false }))
  const wanted = readClip({ text: data.getData('text/plain'), html: '', picture: false })
  const several = wanted && addressesIn(wanted.text)
  if (several) return several.map((text) => ({ text, picture: false }))
  return wanted ? [wanted] : []
}

/** The words of a link, where what was dragged is that link and they are more than its address. */
function named(page: HTMLElement, words: string, address: string): { title?: string } {
  const isLink = page.querySelectorAll('a').length === 1 && page.querySelector('a')?.textContent.trim() === words
  return isLink && words !== '' && addressIn(words) === undefined && words !== address ? { title: words } : {}
}

/** The bookmark a person most likely wants to make of copied or dragged data. */
interface Wanted {
  /** Empty for a picture whose address nobody gave. */
  text: string
  /** It is a picture, whatever its address looks like. */
  picture: boolean
}

/**
 * A picture from a page is wanted by its address, which browsers put into the HTML beside the pixels. Word processors
 * copy a text with its picture: that is a text. `undefined` for nothing.
 */
export function readClip({ text, html, picture }: Clip): Wanted | undefined {
  const trimmed = text.trim()
  if (picture && (trimmed === '' || addressIn(trimmed))) {
    return { text: onlyPicture(html) ?? addressIn(trimmed) ?? '', picture: true }
  }
  return trimmed === '' ? undefined : { text: trimmed, picture: false }
}

/** The address of the one picture in a piece of HTML. Parsed so, nothing in it is loaded or run. */
function onlyPicture(html: string): string | undefined {
  const [picture, ...others] = new DOMParser().parseFromString(html, 'text/html').images
  const source = picture?.getAttribute('src') ?? ''
  return others.length === 0 && /^https?:/i.test(source) && URL.canParse(source) ? source : undefined
}

/** The pictures among the files that are dropped or pasted. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
}

/** Whether all that is dragged are pictures; what they are called shows only once they are dropped. */
export function areDraggedPictures({ items }: DataTransfer): boolean {
  const files = [...items].filter(({ kind }) => kind === 'file')
  return files.length > 0 && files.every(({ type }) => type.startsWith('image/'))
}
