import { MOST_PAGE_TEXT } from '../contract/page-details.ts'
import { cleanLines, cut } from '../core/clean-text.ts'
import { decodePage } from './decode-page.ts'

/** Text that is cleaned, in UTF-16 code units: more than is kept, whatever its white space, and far less than may come. */
const MOST_RAW_TEXT = 4 * MOST_PAGE_TEXT

/** Whether a file of this content type is text for people. */
export function isText(contentType: string): boolean {
  return contentType === 'text/plain' || contentType === 'text/markdown'
}

/** The text of such a file. */
export function readText(bytes: Uint8Array, charset: string | undefined): string {
  return cleanLines(cut(decodePage(bytes, charset), MOST_RAW_TEXT), MOST_PAGE_TEXT)
}
