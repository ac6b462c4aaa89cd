/** The key and client of a call, for the ledger: only keys have one. */
export interface CallOrigin {
  keyId: number
  /** The client's own name for itself, as far as it gave one. */
  client: string | null
}

/** A tool call that is not yet written down. */
export interface CallRecord extends CallOrigin {
  /** Milliseconds since 1970. */
  at: number
  tool: string
  /** Bookmarks found or saved. */
  results: number
  /** Size of the answer's text, in bytes. */
  bytes: number
  /** Why it was refused, where it was. */
  refused?: string | undefined
}

/** A tool call in a key's ledger. */
export interface Call {
  id: number
  at: number
  tool: string
  client: string | null
  results: number
  bytes: number
  /** When what the call saved was undone; `null` when it was not, or there is nothing to undo. */
  undoneAt: number | null
  /** Bookmarks this call saved and an undo would remove. */
  undoable: number
  /** Why it was refused; `null` where it was not. */
  refused: string | null
  /** Of the bookmarks it saved, how many are still there, in the trash or out of it. */
  savedLeft: number
  /** The first of the bookmarks it saved that are still there, in the trash or out of it. */
  saved: { id: string; title: string; inTrash: boolean }[]
}

/**
 * `undone` are as they were before, or in the trash where they are to be. `kept` stay as they are: they were changed
 * since, are in the trash already, or hold what was merged into them from bookmarks that are gone for good.
 */
export interface UndoReport {
  undone: number
  kept: number
}

/** The step that does again what an undo took back; `null` if it took nothing back. */
export interface Redoable {
  redo: number | null
}

/** Result of one part of an undo. `next` is where the next part begins; `null` for the last. */
export interface UndoPart extends UndoReport, Redoable {
  next: number | null
  /** With the first part: how many bookmarks the step changed. */
  total: number | undefined
}
