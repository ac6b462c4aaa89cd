/**
 * The kind of data that changed. `bookmarks` may also change the counts of tags and organizations; `details` come from
 * pages; `links` is the progress of a link check.
 */
export type ChangeKind =
  | 'bookmarks'
  | 'tags'
  | 'organizations'
  | 'keys'
  | 'calls'
  | 'settings'
  | 'searches'
  | 'rules'
  | 'details'
  | 'links'

/** A change to the library that is on disk. */
export interface Change {
  kind: ChangeKind
  /** Bookmarks that are new with it. */
  saved?: number
  /** The client that made it, by the name it gave itself; empty for one that gave none. Missing where no client did. */
  by?: string
}

/** A session that its owner ended, by its hash. */
interface SessionEnd {
  kind: 'session-end'
  hash: Uint8Array
}

/** An event that the library emits after a write. */
export type LibraryEvent = Change | SessionEnd

/** Tells of changes as they happen. */
export interface Changes {
  /** @returns a function that ends it */
  onChange(listener: (change: Change) => void): () => void
  /** Tells the hash of each session that its owner ended. */
  onSessionEnd(listener: (hash: Uint8Array) => void): () => void
}
