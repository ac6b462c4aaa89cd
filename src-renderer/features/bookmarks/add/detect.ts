import type { BookmarkType } from '../../../../src-main/contract/bookmark.ts'

/** What a text that was typed or pasted is. `url` is its address where it has one. */
export interface Detected {
  type: BookmarkType
  url?: string
}

/** @param isColor whether CSS takes a text for a color */
export function detect(text: string, isColor: (text: string) => boolean): Detected {
  const trimmed = text.trim()
  if (trimmed === '') return { type: 'link' }
  const url = addressIn(trimmed)
  if (url) return { type: PICTURE.test(new URL(url).pathname) ? 'image' : 'link', url }
  return { type: !KEYWORDS.test(trimmed) && isColor(trimmed) ? 'color' : 'text' }
}

/** The address a text is, also where its scheme was left out: `example.com/page`. */
function addressIn(text: string): string | undefined {
  if (/\s/.test(text)) return undefined
  const address = /^https?:\/\//i.test(text) ? text : BARE.test(text) ? `https://${text}` : undefined
  return address !== undefined && URL.canParse(address) ? address : undefined
}

const PICTURE = /\.(avif|gif|jpe?g|png|svg|webp)$/i

// A host with a top-level domain of letters. The name of a file is none a person means as an address.
const BARE = /^(?!.*\.(?:js|ts|md|txt|json)$)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u

// Colors to CSS, but words to a person.
const KEYWORDS =
  /^(currentcolor|inherit|initial|unset|revert|revert-layer|transparent|canvas|canvastext|linktext|field|mark|tan|snow)$/i
