/**
 * Maximum length of a page’s stored text, and of its indexed form, in UTF-16 code units: 10,000 words, or 20,000
 * Chinese characters. The writing thread indexes this much text in about ten milliseconds.
 */
export const MAX_PAGE_TEXT = 60_000

/**
 * Maximum length of the Markdown of a page's text, in UTF-16 code units. This leaves room for Markdown's marks and for
 * addresses.
 */
export const MAX_PAGE_MARKDOWN = 2 * MAX_PAGE_TEXT

/** Begins each further page of a document's text: a form feed, as in the output of pdftotext. */
export const PAGE_START = '\f'

/**
 * Why a page could not be read. `address`: it may not be fetched; `wall`: bot protection; `busy`: the site is overloaded or
 * has an error; `certificate-incomplete`: its issuer cannot be verified; `handshake`: no common TLS version or cipher.
 */
export type PageFault =
  | 'address'
  | 'redirects'
  | 'unreachable'
  | 'slow'
  | 'login'
  | 'wall'
  | 'refused'
  | 'gone'
  | 'busy'
  | 'unreadable'
  | 'certificate'
  | 'certificate-incomplete'
  | 'handshake'

/** A page's readable text. */
export interface PageText {
  /** The form that is searched, without marks; empty if there is no text. `PAGE_START` is between a document's pages. */
  text: string
  /** The form that is shown: CommonMark with tables; `null` if the text is plain. */
  markdown: string | null
}

/** Data that a page states about itself. Texts are clean and cut; times are milliseconds since 1970. */
export interface PageDetails extends PageText {
  /** `file` is anything except pages and pictures. */
  kind: 'page' | 'image' | 'file'
  title: string
  description: string
  siteName: string
  /** The address that the page names as canonical. */
  canonicalUrl: string | null
  /** A language tag (BCP 47), such as `de-CH`. */
  language: string | null
  publishedAt: number | null
  /** Small copies, as WebP. */
  icon: Uint8Array | null
  preview: Uint8Array | null
}

export type PageReading =
  | { details: PageDetails }
  | {
      fault: PageFault
      /** Whether another attempt may succeed. */
      again: boolean
      /** How long the site asks to wait, in milliseconds. */
      wait?: number
    }

/** A bookmark whose page is to be read. */
export interface DuePage {
  /** The bookmark’s id. */
  id: string
  url: string
  domain: string
  attempts: number
}

/** Details as they are stored, with the names of the pictures. */
export interface StoredDetails extends Omit<PageDetails, 'icon' | 'preview'> {
  icon: string | null
  preview: string | null
}

export interface PageFailure {
  fault: PageFault
  /** The new title of the bookmark, if the bookmark has none. */
  title: string
  /** When the page is read again; `null` for never. */
  due: number | null
  attempts: number
}

/** What is stored about a bookmark’s page. */
export interface StoredPage extends Omit<StoredDetails, 'kind' | 'title' | 'description' | keyof PageText> {
  /** When the page is read next; `null` if it is not read again. */
  due: number | null
  /** `null` before the first attempt. */
  state: 'waiting' | 'done' | 'failed' | null
  attempts: number
  fault: PageFault | null
  readAt: number | null
  textFrom: TextSource | null
}

/** The source of a page’s text: the page itself, the owner’s browser, or an imported file. */
export type TextSource = 'page' | 'tab' | 'import'
