import type { BookmarkType, Visibility } from './bookmark.ts'
import type { ReadingPlace } from './bookmark-change.ts'
import type { Highlight } from './highlight.ts'
import type { Dropped, Skipped } from './import-report.ts'
import type { PageText } from './page-details.ts'

/** A bookmark of an imported file, with its texts as they are in the file. */
export interface ImportedRecord {
  /** Absent in JSON, whose parser reports no lines. */
  line?: number
  /** Why the record cannot become a bookmark, if the reader of its format already found a reason. */
  fault?: string
  /** `link` if absent. */
  type?: BookmarkType
  url: string
  title: string
  description: string
  /** The text of a bookmark of type `text`, or the value of a `color`. */
  content?: string
  /** The text of the page, if the file contains it. */
  pageText?: PageText | undefined
  /** The passages that its reader marked. */
  highlights?: GivenHighlight[] | undefined
  /** The position at which its reader stopped reading. Only Earmark's own files have it. */
  place?: ReadingPlace | undefined
  /** Names of the archive's files with the text of the page, as HTML, and with the passages that its reader marked. */
  files?: { text: string; highlights: string } | undefined
  tags: string[]
  /** Milliseconds since 1970, absent if the file has no date. */
  createdAt?: number
  /** True if the file marks the bookmark as private. The default visibility is then not used. */
  isPrivate?: boolean | undefined
  /** The kinds of data in the file that a bookmark cannot store. */
  dropped?: Dropped[] | undefined
  own?: OwnFields
}

/** A highlight of an imported file. `color` is a name of any color; times are milliseconds since 1970. */
export type GivenHighlight = Pick<Highlight, 'quote'> &
  Partial<Pick<Highlight, 'id' | 'prefix' | 'suffix' | 'start' | 'note'>> & {
    color?: string
    createdAt?: number | undefined
  }

/** Fields of a bookmark that only Earmark's own files have. Times are milliseconds since 1970. */
interface OwnFields {
  id: string
  visibility: Visibility
  /** The organization's name. */
  organization: string | null
  updatedAt: number
  deletedAt: number | null
  /** The hash of the bookmark's picture, if the picture has no address. */
  picture: string | null
}

/** An entry of the file that is not imported, and is no error. */
interface SkippedEntry {
  line?: number
  skipped: Skipped
}

/** An organization, which is in the file before its bookmarks. Only Earmark's own files have organizations. */
export interface ImportedOrganization {
  line: number
  organization: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/** A picture without an address, which is in the file before its bookmarks. `hash` is the SHA-256 of its bytes. */
export interface ImportedPicture {
  line: number
  hash: string
  bytes: Uint8Array<ArrayBuffer>
}

export type ImportedEntry = ImportedRecord | SkippedEntry
export type ImportedItem = ImportedEntry | ImportedOrganization | ImportedPicture

/** A text format that Earmark can read. */
export interface ImportFormat<Item extends ImportedItem = ImportedItem> {
  /** The name on the command line. */
  id: string
  /** The name in texts for people. */
  name: string
  /** Whether a file has this format, by the first characters of its text. */
  recognises(head: string): boolean
  /** Reads the whole text. Returns an array if the number of items is known at once. */
  read(text: string): Iterable<Item>
}

export interface ReadOptions {
  /** The id of the file's format; detected if absent. */
  format?: string | undefined
  /** The name of the file's encoding; detected if absent. */
  encoding?: string | undefined
}

/** An item, and the file of the archive that contains it. */
export type FileItem = ImportedItem & { file?: string }

/** Consecutive items of a bookmark file. The numbers do not include earlier batches. */
export interface ReadBatch {
  items: FileItem[]
  bytes: number
  /** Number of records. The records of a JSON file are all counted in its first batch. */
  found: number
  /** The encodings of its texts other than UTF-8. */
  encodings: string[]
  /** Number of files of an archive that contain no bookmarks. */
  passedOver: number
}
