import type { BookmarkType, Visibility } from './bookmark.ts'
import type { Dropped, Skipped } from './import-report.ts'

/** A bookmark of an imported file, with its texts as they are in the file. */
export interface ImportedRecord {
  /** Absent in JSON, whose parser reports no lines. */
  line?: number
  /** Why it cannot be a bookmark, if the format alone can decide that. */
  fault?: string
  /** `link` if absent. */
  type?: BookmarkType
  url: string
  title: string
  description: string
  /** The text of a `text`, the value of a `color`. */
  content?: string
  /** The text of the page, if the file holds it. */
  pageText?: string | undefined
  /** The files of the archive that hold the text of the page, as HTML, and the passages that its reader marked. */
  files?: { text: string; highlights: string } | undefined
  tags: string[]
  /** Milliseconds since 1970, absent if the file has no date. */
  createdAt?: number
  /** The file marks it as private, whatever the default visibility is. */
  isPrivate?: boolean | undefined
  /** The kinds of data in the file that a bookmark has no room for. */
  dropped?: Dropped[] | undefined
  own?: OwnFields
}

/** Fields of a bookmark that only Earmark's own files have. Times are milliseconds since 1970. */
interface OwnFields {
  id: string
  visibility: Visibility
  /** The organization's name. */
  organization: string | null
  updatedAt: number
  deletedAt: number | null
  /** The hash of its picture, if that has no address. */
  picture: string | null
}

/** An entry of the file that is left out on purpose. */
interface SkippedEntry {
  line?: number
  skipped: Skipped
}

/** A workspace, which only Earmark's own files hold, before its bookmarks. */
export interface ImportedOrganization {
  line: number
  organization: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/** A picture without an address, whose bytes have this hash, before the bookmarks that have it. */
export interface ImportedPicture {
  line: number
  hash: string
  bytes: Uint8Array<ArrayBuffer>
}

export type ImportedEntry = ImportedRecord | SkippedEntry
export type ImportedItem = ImportedEntry | ImportedOrganization | ImportedPicture

/** A text format that Earmark can read. */
export interface ImportFormat<Item extends ImportedItem = ImportedItem> {
  /** Its name on the command line. */
  id: string
  /** Its name for people. */
  name: string
  /** Decides by the first characters of the file, never by its name. */
  recognises(head: string): boolean
  /** Reads the whole text. An array, if the number of items is known before the first is used. */
  read(text: string): Iterable<Item>
}

export interface ReadOptions {
  /** The id of the file's format; otherwise its content decides. */
  format?: string | undefined
  /** The name of the file's encoding; otherwise it is detected. */
  encoding?: string | undefined
}

/** An item, and the file of the archive that holds it. */
export type FileItem = ImportedItem & { file?: string }

/** Some items of a bookmark file, in order. The numbers count what was not in an earlier batch. */
export interface ReadBatch {
  items: FileItem[]
  /** Bytes of the file. */
  bytes: number
  /** Records. They may be ahead of the items: those of a JSON file are counted at once. */
  found: number
  /** The encodings of its texts other than UTF-8. */
  encodings: string[]
  /** Files of an archive that hold no bookmarks. */
  passedOver: number
}
