import type { BookmarkType, Visibility } from './bookmark.ts'
import type { Dropped, Skipped } from './import-report.ts'

/** One bookmark of an imported file, its texts as they stand there. */
export interface ImportedRecord {
  line: number
  /** Why it is no bookmark, where the format can tell by itself. */
  fault?: string
  /** `link` where the file does not say. */
  type?: BookmarkType
  url: string
  title: string
  description: string
  /** The text of a `text`, the value of a `color`. */
  content?: string
  /** The text of the page, as the file holds it. */
  pageText?: string | undefined
  /** The files of the archive that hold the text of the page, as HTML, and what its reader marked in it. */
  files?: { text: string; highlights: string } | undefined
  tags: string[]
  /** Milliseconds since 1970, absent where the file does not say. */
  createdAt?: number
  /** The file says that nobody else may see it, whatever the default visibility. */
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
  /** The hash of its picture, where that has no address. */
  picture: string | null
}

/** An entry of the file that is not to be imported. */
interface SkippedEntry {
  line: number
  skipped: Skipped
}

/** A workspace, which only Earmark's own files hold. It stands before its bookmarks. */
export interface ImportedOrganization {
  line: number
  organization: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/** A picture without an address, whose bytes have this hash. It stands before the bookmarks that have it. */
export interface ImportedPicture {
  line: number
  hash: string
  bytes: Uint8Array<ArrayBuffer>
}

export type ImportedEntry = ImportedRecord | SkippedEntry
export type ImportedItem = ImportedEntry | ImportedOrganization | ImportedPicture

/** A text format Earmark can read: text in, records out, with nothing held longer than a record needs. */
export interface ImportFormat<Item extends ImportedItem = ImportedItem> {
  /** Its name on the command line. */
  id: string
  /** Its name for people. */
  name: string
  /** Decides from the file's first characters, never from its name. */
  recognises(head: string): boolean
  reader(): RecordReader<Item>
}

export interface RecordReader<Item extends ImportedItem = ImportedItem> {
  /** Takes the next piece of the file and gives the records that are complete. */
  write(text: string): Item[]
  /** Gives what the file's end completes. */
  end(): Item[]
}

/** Text out of a file's bytes, piece by piece. */
export interface FileDecoder {
  write(bytes: Uint8Array): string
  end(): string
  /** The encoding's name in the WHATWG's standard, such as `windows-1251`; `utf-8` while the file is ASCII. */
  readonly encoding: string
}

/** A binary file that holds others, such as an archive or a compressed text. */
export interface Container {
  name: string
  /** Decides from the file's first bytes. */
  recognises(head: Uint8Array): boolean
  unpacker(): Unpacker
}

export interface Unpacker {
  /**
   * Takes the next bytes and gives what they hold, bit by bit.
   *
   * @throws Problem `invalid` when the container is damaged
   */
  write(bytes: Uint8Array): Iterable<Unpacked>
  end(): Iterable<Unpacked>
}

/** A piece of a file that was packed. Files follow one another; a piece names a new one when the one before has ended. */
export interface Unpacked {
  /** Empty where the container holds a single file. */
  file: string
  bytes: Uint8Array
  /** The file ends with this piece. */
  last: boolean
}
