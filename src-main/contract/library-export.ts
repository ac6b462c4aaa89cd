import { z } from 'zod'
import type { Bookmark, BookmarkFilter } from './bookmark.ts'
import type { KeptPicture } from './picture.ts'

export const ExportFormatId = z.enum(['jsonl', 'html', 'csv'])
export type ExportFormatId = z.infer<typeof ExportFormatId>

/** What each format leaves out, in words for whoever exports. */
export const EXPORT_DROPS: Record<ExportFormatId, string> = {
  jsonl: 'nothing but keys and settings',
  html:
    'texts and colors, pictures without an address, the trash, organizations, times of change, commas in tags, and ' +
    'which bookmarks are public',
  csv: 'pictures without an address, the trash, and what tells apart tags that hold a comma'
}

/** What is to be exported: all that the filters let through, and with words only what holds them. */
export interface ExportChoice extends BookmarkFilter {
  words?: string
}

/** Some of an export, in the order of saving. */
export interface ExportRange extends ExportChoice {
  /** What `next` said, at first 0. */
  after: number
  /** The trash too. */
  trash: boolean
}

/** A few bookmarks, or none; `next` is `null` at the end. */
export interface ExportPart {
  bookmarks: Bookmark[]
  next: number | null
  /** Another number once a backup has taken the place of the library: then it does not continue the part before. */
  library?: number
}

/** A format Earmark can write: each part gives its piece of the file. */
export interface ExportFormat {
  id: ExportFormatId
  contentType: string
  writer(at: number): ExportWriter
}

interface ExportWriter {
  begin(): string
  /** Comes before its bookmarks. */
  organization(organization: { id: string; name: string; createdAt: number }): string
  /** Comes before the first of its bookmarks, in pieces; absent where the format has no room for pictures. */
  picture?(picture: KeptPicture): Iterable<string>
  bookmark(bookmark: Bookmark): string
  end(): string
}
