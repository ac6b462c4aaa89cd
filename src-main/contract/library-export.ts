import { z } from 'zod'
import type { Bookmark, BookmarkFilter } from './bookmark.ts'
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
