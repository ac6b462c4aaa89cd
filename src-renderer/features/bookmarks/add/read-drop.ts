import type { Clip } from '../../../../src-main/contract/desktop.ts'
import { addressesIn, addressIn } from './detect.ts'
import { picturesIn } from './picture-file.tsx'

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
