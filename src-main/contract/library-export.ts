import { z } from 'zod'
import type { Bookmark, BookmarkDraft, BookmarkFilter, Place, SavedBookmark } from './bookmark.ts'
import type { ReadingPlace } from './bookmark-change.ts'
import type { Highlight } from './highlight.ts'
import type { PageText } from './page-details.ts'
import type { OriginalPicture } from './picture.ts'

export const ExportFormatId = z.enum(['jsonl', 'html', 'csv', 'markdown', 'epub'])
export type ExportFormatId = z.infer<typeof ExportFormatId>

/** The ending of a file's name in each format. */
export const EXPORT_ENDINGS: Record<ExportFormatId, string> = {
  jsonl: 'jsonl',
  html: 'html',
  csv: 'csv',
  markdown: 'zip',
  epub: 'epub'
}

/** Maximum number of chapters of a book. E-book readers open longer books slowly, or not at all. */
export const MAX_CHAPTERS = 1000

/** The data that each format leaves out, as shown to the person who exports. */
export const EXPORT_DROPS: Record<ExportFormatId, string> = {
  jsonl: 'keys, settings and copies of pages',
  html:
    'texts and colors, highlights, pictures without an address, the trash, organizations, times of change, commas in tags, and ' +
    'which bookmarks are public',
  csv: 'highlights, pictures without an address, the trash, and what tells apart tags that hold a comma',
  markdown: 'pictures, the trash, and names of organizations',
  epub: `bookmarks without a text, tags, notes, highlights, the trash, and what follows the first ${MAX_CHAPTERS} chapters`
}

/** The bookmarks to export: all that match the filters and contain the words, if there are any. */
export interface ExportChoice extends BookmarkFilter {
  words?: string | undefined
  /** The last word is still being typed, so it matches as a prefix. */
  typing?: boolean | undefined
  /** Reads words as a search does: if no bookmark has a tag or a site, the only similar name replaces it. */
  forgiving?: boolean | undefined
}

/** The bookmarks of a choice that are exported: only these, or all except these. */
export type ExportSelection = { ids: string[] } | { except: string[] }

/** The bookmarks that are changed, exported or counted together. Words must match as typed. */
export interface WalkChoice extends ExportChoice {
  /** Whether bookmarks in the trash are included, exported alone, or left out. */
  trash: 'with' | 'only' | 'without'
  /** Only the profile's bookmarks, without those of organizations. */
  own?: boolean | undefined
}

export type ExportFormat = TextFormat | ArchiveFormat

/** A text format that Earmark can write. Each method of its writer returns a piece of the file. */
export interface TextFormat {
  id: ExportFormatId
  contentType: string
  writer(at: number): ExportWriter
}

/** An archive format that Earmark can write, with the texts of pages. */
export interface ArchiveFormat {
  id: ExportFormatId
  contentType: string
  /** @param count of all bookmarks; some of them may be moved to the trash while the archive is written */
  write(bookmarks: AsyncIterable<ReadableBookmark>, count: number, at: number): AsyncIterable<Uint8Array>
}

/** A bookmark and the data that is stored of its page. */
export interface ReadableBookmark {
  bookmark: Bookmark
  /** The bookmark's own text, or the text of its page; empty if there is none. */
  page: PageText
  highlights: Highlight[]
  /** Returns the language tag (BCP 47) that the page declares. */
  language(): Promise<string | null>
  /** Returns a picture of the page's text, as WebP, if it is stored. */
  picture(url: string): Promise<Uint8Array | undefined>
}

/** A bookmark's highlights, and the position at which its owner stopped reading. */
export interface BookmarkReadingData {
  highlights: Highlight[]
  place: ReadingPlace | null
}

export interface ExportWriter {
  begin(): string
  /** Called before the organization's bookmarks. */
  organization(organization: { id: string; name: string; createdAt: number }): string
  /** Called before the first bookmark with this picture. Absent if the format cannot contain pictures. */
  picture?(picture: OriginalPicture): Iterable<string>
  bookmark(bookmark: Bookmark, reading: BookmarkReadingData): string
  /** Returns the tag that is a bookmark's folder; `undefined` if there is none. Absent if the format has no folders. */
  folderOf?(bookmark: Bookmark, parents: ReadonlySet<string>): string | undefined
  /** Closes the previous folder, and opens the folder of this tag. */
  enter?(folder: string): string
  end(): string
}

/** A bookmark to import, with its place and its times, in milliseconds since 1970. */
export interface ImportDraft extends BookmarkDraft, Place {
  /** The id in the library that exported the bookmark. A bookmark with this id here is the same bookmark. */
  id?: string
  updatedAt: number
  /** When the bookmark was moved to the trash; `null` if it is not in the trash. */
  deletedAt: number | null
  /** The text of its page, if the file contains it. */
  pageText?: PageText | undefined
  highlights?: ImportedHighlight[] | undefined
  place?: ReadingPlace | null | undefined
}

/** A highlight to import. Without an id it is new, unless the bookmark has a highlight of the same quote. */
export type ImportedHighlight = Omit<Highlight, 'id'> & { id?: string | undefined }

/**
 * The result for a draft. `repeated`: an earlier draft of the import is for the same page. `merged`: in addition, its
 * title and description were added to the bookmark of that page. `merged in part`: only a part of them was short enough
 * to be added. `highlighted`: the bookmark existed before the import, and got highlights.
 */
export type ImportedStatus = SavedBookmark['status'] | 'repeated' | 'merged' | 'merged in part' | 'highlighted'

/** Drafts as bytes, from `packDrafts`. */
export type PackedDrafts = ArrayBuffer & { readonly packed: unique symbol }

export interface ImportFacts {
  id: number
  at: number
  imported: number
  undoneAt: number | null
  /** 1 if the bookmarks were received from other machines when this machine joined them, otherwise 0. */
  joined: number
  /** The name of the imported file; `null` if the sender gave none. */
  file: string | null
}

/** Body and query of a request about a watched file. */
export const WatchedFileRequest = z.strictObject({ file: z.string().trim().min(1).max(4096) })

/** A file that is imported again whenever it changes. Times are milliseconds since 1970. */
export interface WatchedFile {
  file: string
  /** When it was last imported since Earmark started. */
  lastAt: number | null
  /** Number of bookmarks that were imported from the file since Earmark started. */
  imported: number
  /** Why the last import failed; `null` if it did not fail. */
  problem: string | null
}
