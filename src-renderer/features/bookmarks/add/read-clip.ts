import type { Clip } from '../../../../src-main/contract/desktop.ts'
import { addressIn } from './detect.ts'

/** The bookmark a person most likely wants to make of copied or dragged data. */
export interface Wanted {
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
export function onlyPicture(html: string): string | undefined {
  const [picture, ...others] = new DOMParser().parseFromString(html, 'text/html').images
  const source = picture?.getAttribute('src') ?? ''
  return others.length === 0 && /^https?:/i.test(source) && URL.canParse(source) ? source : undefined
}
