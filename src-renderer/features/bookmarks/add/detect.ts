import type { BookmarkType } from '../../../../src-main/contract/bookmark.ts'
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
