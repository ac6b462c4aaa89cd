import { z } from 'zod'
import type { Bookmark, BookmarkDraft, BookmarkFilter, Place, SavedBookmark } from './bookmark.ts'
import type { UndoReport } from './call.ts'
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

/** The bookmarks to export: all that pass the filters and, if words are given, contain them. */
export interface ExportChoice extends BookmarkFilter {
  words?: string | undefined
  /** The last word is the beginning of one. */
  typing?: boolean | undefined
}

/** Bookmarks chosen one by one, or those of a choice that are not. */
export type ExportSelection = { ids: string[] } | { except: string[] }

/** Which bookmarks a walk along the library visits. Words must match exactly as given. */
export interface WalkChoice extends ExportChoice {
  /** Whether bookmarks in the trash are included, exported alone, or left out. */
  trash: 'with' | 'only' | 'without'
  /** The profile's own alone, without those of organizations. */
  own?: boolean | undefined
}

/** Some of a walk, in the order of saving. */
export interface WalkRange extends WalkChoice {
  /** The last part's `next`; 0 at first. */
  after: number
  /** No further than this, as `countMatching` gives it. */
  until?: number
}

/** How many bookmarks a walk visits, and where it would end now. */
export interface WalkLength {
  total: number
  until: number
}

/** The ids of a few bookmarks, or of none; `next` is `null` at the end. */
export interface WalkPart {
  ids: string[]
  next: number | null
}

/** A few bookmarks, or none; `next` is `null` at the end. */
export interface ExportPart {
  bookmarks: Bookmark[]
  next: number | null
}

/** A format Earmark can write: each part gives its piece of the file. */
export interface ExportFormat {
  id: ExportFormatId
  contentType: string
  writer(at: number): ExportWriter
}

export interface ExportWriter {
  begin(): string
  /** Comes before its bookmarks. */
  organization(organization: { id: string; name: string; createdAt: number }): string
  /** Comes before the first of its bookmarks, in pieces; absent where the format has no room for pictures. */
  picture?(picture: KeptPicture): Iterable<string>
  bookmark(bookmark: Bookmark): string
  /** Which of its tags a bookmark has as its folder; `undefined` outside of all. Absent where the format has no folders. */
  folderOf?(bookmark: Bookmark, parents: ReadonlySet<string>): string | undefined
  /** Leaves the folder before, and opens that of this tag for the bookmarks that come next. */
  enter?(folder: string): string
  end(): string
}

/** A bookmark about to be imported, with its own place and past. Times are milliseconds since 1970. */
export interface ImportDraft extends BookmarkDraft, Place {
  /** The id it had where it comes from; then it is the same bookmark as one here with this id. */
  id?: string
  updatedAt: number
  /** When it went to the trash, where it was in it. */
  deletedAt: number | null
  /** The text of its page, if the file holds it. */
  pageText?: string | undefined
}

/**
 * The result for each draft. `repeated`: the import brought its page before; `merged`: and its words were added to that
 * bookmark; `merged in part`: as many as there was room for.
 */
export type ImportedStatus = SavedBookmark['status'] | 'repeated' | 'merged' | 'merged in part'

/** Bookmarks about to be imported, as `packDrafts` makes bytes of them. */
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

/** One step of taking an import back. `done` once nothing of it is left. */
export interface ImportUndo extends UndoReport {
  done: boolean
}

/** Body and query of a request about a file that is watched, or is to be. */
export const WatchedFileRequest = z.strictObject({ file: z.string().trim().min(1).max(4096) })

/** A file that is imported again whenever it changes. Times are milliseconds since 1970. */
export interface WatchedFile {
  file: string
  /** When it was last imported since Earmark started. */
  lastAt: number | null
  /** Bookmarks that it brought since Earmark started. */
  imported: number
  /** Why it could not be imported the last time. */
  problem: string | null
}
