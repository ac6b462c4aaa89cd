import { z } from 'zod'
import type { Bookmark, BookmarkDraft, BookmarkFilter, Place, SavedBookmark } from './bookmark.ts'
import type { KeptPicture } from './picture.ts'

export const ExportFormatId = z.enum(['jsonl', 'html', 'csv'])
export type ExportFormatId = z.infer<typeof ExportFormatId>

/** The data each format leaves out, in words for the person who exports. */
export const EXPORT_DROPS: Record<ExportFormatId, string> = {
  jsonl: 'nothing but keys and settings',
  html:
    'texts and colors, pictures without an address, the trash, organizations, times of change, commas in tags, and ' +
    'which bookmarks are public',
  csv: 'pictures without an address, the trash, and what tells apart tags that hold a comma'
}

/** The bookmarks to export: all that match the filters and contain the words, if there are any. */
export interface ExportChoice extends BookmarkFilter {
  words?: string | undefined
  /** The last word is the beginning of a word. */
  typing?: boolean | undefined
}

/** Only these bookmarks, or all of a choice but these. */
export type ExportSelection = { ids: string[] } | { except: string[] }

/** The bookmarks that a walk along the library visits. Words must match exactly. */
export interface WalkChoice extends ExportChoice {
  /** Whether bookmarks in the trash are included, exported alone, or left out. */
  trash: 'with' | 'only' | 'without'
  /** Only the profile's bookmarks, without those of organizations. */
  own?: boolean | undefined
}

/** A part of a walk, in the order of saving. */
export interface WalkRange extends WalkChoice {
  /** The `next` of the part before; 0 for the first part. */
  after: number
  /** The end of the walk, from `countMatching`. */
  until?: number
}

/** The number of bookmarks that a walk visits, and its current end. */
export interface WalkLength {
  total: number
  until: number
}

/** The ids of some bookmarks, or of none; `next` is `null` at the end. */
export interface WalkPart {
  ids: string[]
  next: number | null
}

/** Some bookmarks, or none; `next` is `null` at the end. */
export interface ExportPart {
  bookmarks: Bookmark[]
  next: number | null
}

/** A format that Earmark can write. Each method returns a piece of the file. */
export interface ExportFormat {
  id: ExportFormatId
  contentType: string
  writer(at: number): ExportWriter
}

export interface ExportWriter {
  begin(): string
  /** Called before its bookmarks. */
  organization(organization: { id: string; name: string; createdAt: number }): string
  /** Called before the first of its bookmarks. Absent if the format has no room for pictures. */
  picture?(picture: KeptPicture): Iterable<string>
  bookmark(bookmark: Bookmark): string
  /** Returns the tag of a bookmark that is its folder; `undefined` if it is in none. Absent if the format has no folders. */
  folderOf?(bookmark: Bookmark, parents: ReadonlySet<string>): string | undefined
  /** Closes the folder before, and opens the folder of this tag for the next bookmarks. */
  enter?(folder: string): string
  end(): string
}

/** A bookmark to import, with its place and its times, in milliseconds since 1970. */
export interface ImportDraft extends BookmarkDraft, Place {
  /** The id it had in the library it is from. It is the same bookmark as one with this id here. */
  id?: string
  updatedAt: number
  /** When it went to the trash; `null` if it is not there. */
  deletedAt: number | null
  /** The text of its page, if the file holds it. */
  pageText?: string | undefined
}

/**
 * The result for each draft. `repeated`: the same import contained its page before. `merged`: its words were added to that
 * bookmark; `merged in part`: as far as there was room.
 */
export type ImportedStatus = SavedBookmark['status'] | 'repeated' | 'merged' | 'merged in part'

/** Drafts as bytes, from `packDrafts`. */
export type PackedDrafts = ArrayBuffer & { readonly packed: unique symbol }

/** An import that added something. */
export interface ImportFacts {
  id: number
  at: number
  imported: number
  undoneAt: number | null
  /** 1 for what other machines had when this one joined them. */
  joined: number
}

/** Body and query of a request about a watched file. */
export const WatchedFileRequest = z.strictObject({ file: z.string().trim().min(1).max(4096) })

/** A file that is imported again whenever it changes. Times are milliseconds since 1970. */
export interface WatchedFile {
  file: string
  /** When it was last imported since Earmark started. */
  lastAt: number | null
  /** Bookmarks that it brought since Earmark started. */
  imported: number
  /** Why the last import failed; `null` if it did not. */
  problem: string | null
}
