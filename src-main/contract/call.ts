/** The key and the client of a call. Calls with a session are not recorded. */
export interface CallOrigin {
  keyId: number
  /** The client's name for itself, if it sent one. */
  client: string | null
}

/** A tool call to record in the ledger. */
export interface CallRecord extends CallOrigin {
  /** In ms since 1970. */
  at: number
  tool: string
  /** Number of bookmarks that the call found or saved. */
  results: number
  /** Size of the answer's text, in bytes. */
  bytes: number
  /** The words and filters of a search, written as in the search field. */
  words?: string | undefined
  /** The reason, if it was refused. */
  refused?: string | undefined
}

/** A tool call in a key's ledger. */
export interface Call {
  id: number
  at: number
  tool: string
  client: string | null
  /** The words and filters of a search; `null` for other calls, and for calls older than this column. */
  words: string | null
  results: number
  bytes: number
  /** When the call was undone; `null` if it was not undone, or saved nothing. */
  undoneAt: number | null
  /** Number of bookmarks that an undo would remove. */
  undoable: number
  /** The reason, if it was refused. */
  refused: string | null
  /** Number of bookmarks it saved that still exist, including the trash. */
  savedLeft: number
  /** The first of these bookmarks. */
  saved: { id: string; title: string; inTrash: boolean }[]
}

/**
 * Numbers of bookmarks. `undone`: the bookmarks are as they were before the change, or in the trash. `kept`: the undo
 * did not change the bookmarks, because they were changed again, or contain data of merged bookmarks that were deleted
 * permanently.
 */
export interface UndoReport {
  undone: number
  kept: number
}

/** A change that is undone as a whole: to a saved search or a rule, or the mark of a group as no duplicates (`apart`). */
export type UndoableKind = 'search' | 'rule' | 'apart'

/** The undo step that redoes an undone change; `null` if nothing was undone. */
export interface Redoable {
  redo: number | null
}

/** The target of an undo: a step, an import or a call, by its row id. */
export type UndoTarget = { step: number } | { import: number } | { call: number }

/** Result of an undo so far. `next` is the start of the next batch; `null` after the last. */
export interface UndoPart extends UndoReport, Redoable {
  next: number | null
  /** Bookmarks that the step saved or changed, including purged ones. */
  total: number
}
