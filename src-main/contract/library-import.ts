import type { BookmarkDraft, SavedBookmark } from './bookmark.ts'
import type { Place } from './bookmark-change.ts'
import type { UndoReport } from './call.ts'

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
