/**
 * Maximum length of a page’s stored text, and of its indexed form, in UTF-16 code units: 10,000 words, or 20,000
 * Chinese characters. The writing thread indexes this much text in about ten milliseconds.
 */
export const MAX_PAGE_TEXT = 60_000

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

/** The layout of a text, each list in the order of the text. All offsets are in UTF-16 code units. */
export interface TextLayout {
  /** Blocks other than plain paragraphs. */
  blocks: TextBlock[]
  links: TextLink[]
  pictures?: TextPicture[] | undefined
  /** Offsets at which a document’s pages begin, from the second page on; absent if it has no pages. */
  pages?: number[] | undefined
}

/** A picture in a text, fetched when the text is first shown. */
export interface TextPicture extends Pick<TextBlock, 'level' | 'quoted'> {
  /** Offset of the end of the block before it. */
  at: number
  url: string
  alt: string
}

export interface TextBlock {
  from: number
  to: number
  /** `item` begins an item of a list; `row` and `head` are rows of a table, with tabs between their cells. */
  kind: 'paragraph' | 'heading' | 'item' | 'code' | 'row' | 'head'
  /** Of a heading, from 1 to 6; else the number of lists around the block. */
  level?: number | undefined
  /** The number of an item in a numbered list. */
  number?: number | undefined
  quoted?: true | undefined
}

export interface TextLink {
  from: number
  to: number
  url: string
}

/** Data that a page states about itself. Texts are clean and cut; times are milliseconds since 1970. */
export interface PageDetails {
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
  /** The readable text; headings begin with `## `, blocks are separated by an empty line. */
  text: string
  /** `null` if the text has none. */
  layout: TextLayout | null
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
export interface StoredPage extends Omit<StoredDetails, 'kind' | 'title' | 'description' | 'text' | 'layout'> {
  /** When the page is read next; `null` if it is not read again. */
  due: number | null
  /** `null` before the first attempt. */
  state: 'waiting' | 'done' | 'failed' | null
  attempts: number
  fault: PageFault | null
  readAt: number | null
  hasText: boolean
  textFrom: TextSource | null
}

/** The source of a page’s text: the page itself, the owner’s browser, or an imported file. */
export type TextSource = 'page' | 'tab' | 'import'
