import type { Clip } from '../contract/desktop.ts'
import { hexOf } from './color.ts'

/** What the clipboard holds. `picture` says that it holds pixels. */
export interface ClipboardContents {
  text: string
  html: string
  picture: boolean
}

/**
 * What a person most likely wants to save of what they copied; `undefined` for nothing. A picture copied from a page is
 * named by its address, which browsers put into the HTML beside the pixels.
 */
export function classify({ text, html, picture }: ClipboardContents): Clip | undefined {
  const trimmed = text.trim()
  if (picture && (trimmed === '' || addressIn(trimmed))) return { type: 'image', text: sourceOf(html) ?? trimmed }
  if (trimmed === '') return undefined
  const address = addressIn(trimmed)
  if (address) return { type: PICTURE.test(new URL(address).pathname) ? 'image' : 'link', text: address }
  if (!WORDS.test(trimmed) && hexOf(trimmed) !== undefined) return { type: 'color', text: trimmed }
  return { type: 'text', text: trimmed }
}

/** The address a text is, also where its scheme was left out: `example.com/page`. */
function addressIn(text: string): string | undefined {
  if (/\s/.test(text)) return undefined
  const address = /^https?:\/\//i.test(text) ? text : BARE.test(text) ? `https://${text}` : undefined
  return address !== undefined && URL.canParse(address) ? address : undefined
}

/** The address of the one picture that a piece of HTML is. */
function sourceOf(html: string): string | undefined {
  const sources = [...html.matchAll(/<img\s[^>]*?\bsrc\s*=\s*["']([^"']+)["']/gi)].map((match) => match[1] ?? '')
  const source = sources[0]?.replaceAll('&amp;', '&')
  return sources.length === 1 && source && /^https?:/i.test(source) && URL.canParse(source) ? source : undefined
}

const PICTURE = /\.(avif|gif|jpe?g|png|svg|webp)$/i

// A host with a top-level domain of letters. The name of a file is none a person means as an address.
const BARE =
  /^(?!.*\.(?:css|csv|html?|js|json|md|pdf|py|rs|ts|tsx|txt|zip)$)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u

// Colors to CSS, but words to a person.
const WORDS = /^(transparent|tan|snow)$/i
