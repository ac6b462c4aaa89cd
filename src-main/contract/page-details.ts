/**
 * Longest stored text of a page, and the longest form of it that is indexed, in UTF-16 code units: 10,000 words, or
 * 20,000 Chinese characters, which take the writing thread some ten milliseconds.
 */
export const MOST_PAGE_TEXT = 60_000

/**
 * Why a page could not be read: its address may not be fetched; it redirects too often; nobody was reached; it took too
 * long; it wants a login or a proof of being human; the site refuses; it is no longer there; the site has troubles of
 * its own; what came could not be read; the site's certificate is not valid, or Earmark cannot verify who issued it; the
 * two agree on no secure connection.
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

/** How a text was set out: which blocks are more than a paragraph, and where its links lead, each in its order. */
export interface TextLayout {
  blocks: TextBlock[]
  links: TextLink[]
  /** Absent where the text has none. */
  pictures?: TextPicture[] | undefined
  /** Where the pages of a document begin, from the second on, in UTF-16 code units; absent where it has no pages. */
  pages?: number[] | undefined
}

/** A picture of a text, which is fetched when the text is read for the first time. */
export interface TextPicture extends Pick<TextBlock, 'level' | 'quoted'> {
  /** The end of the block it stands behind, in UTF-16 code units. */
  at: number
  url: string
  alt: string
}

/** A block of a text, by its place in UTF-16 code units. */
export interface TextBlock {
  from: number
  to: number
  /** `item` begins one of a list; `row` and `head` are rows of a table, their cells apart by tabs. */
  kind: 'paragraph' | 'heading' | 'item' | 'code' | 'row' | 'head'
  /** A heading's, from 1 to 6; else how many lists the block is in. */
  level?: number | undefined
  /** An item's in a numbered list. */
  number?: number | undefined
  quoted?: true | undefined
}

export interface TextLink {
  from: number
  to: number
  url: string
}

/** The details that a page gives of itself. Texts are clean and cut; times are milliseconds since 1970. */
export interface PageDetails {
  /** `file` is anything that is neither a page nor a picture. */
  kind: 'page' | 'image' | 'file'
  title: string
  description: string
  siteName: string
  /** The address the page gives as its own. */
  canonicalUrl: string | null
  /** As in BCP 47, where the page says so. */
  language: string | null
  publishedAt: number | null
  /** The readable text; headings begin with `## `, blocks are separated by an empty line. */
  text: string
  /** How it was set out; `null` where nothing says so. */
  layout: TextLayout | null
  /** Small copies, as WebP. */
  icon: Uint8Array | null
  preview: Uint8Array | null
}

/** Result of reading a page. */
export type PageReading =
  | { details: PageDetails }
  | {
      fault: PageFault
      /** Whether another time may do better. */
      again: boolean
      /** How long the site asks to be left alone, in milliseconds. */
      wait?: number
    }

/** A bookmark whose page is to be read. */
export interface DuePage {
  /** The bookmark's. */
  id: string
  url: string
  domain: string
  /** Made since it was last asked for. */
  attempts: number
}

/** The details of a page that are stored, with the names of its pictures. */
export interface KeptDetails extends Omit<PageDetails, 'icon' | 'preview'> {
  icon: string | null
  preview: string | null
}

/** How the reading of a page ended, or goes on. */
export interface PageFailure {
  fault: PageFault
  /** Goes for the bookmark's title as long as it has none. */
  title: string
  /** When it is tried again; `null` for never. */
  due: number | null
  attempts: number
}

/** The stored facts about a bookmark's page. */
export interface StoredPage extends Omit<KeptDetails, 'kind' | 'title' | 'description' | 'text' | 'layout'> {
  /** When it is to be read, `null` when nothing is left to try. */
  due: number | null
  /** `null` until it was tried for the first time. */
  state: 'waiting' | 'done' | 'failed' | null
  attempts: number
  fault: PageFault | null
  readAt: number | null
  hasText: boolean
  /** Where its text is from; `null` if there is none. */
  textFrom: TextSource | null
}

/** A text of a page was fetched, sent by the owner's browser, or in a file that the owner imported. */
export type TextSource = 'page' | 'tab' | 'import'
