import type { ProblemCode } from './problem.ts'

/**
 * The kind of data that changed. `bookmarks` may also change the counts of tags and organizations; `details` come from
 * web pages; `links` is the progress of a link check.
 */
type ChangeKind =
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
  | 'openings'
  | 'backups'

/** A change to the library. It is already on disk. */
export interface Change {
  kind: ChangeKind
  /** Number of new bookmarks. */
  saved?: number
  /** The name of the client that made the change; empty if the client sent none. Absent if no client made it. */
  by?: string
}

/** The owner ended the session with this hash. */
interface SessionEnd {
  kind: 'session-end'
  hash: Uint8Array
}

/** An event that the library emits after a write. */
export type LibraryEvent = Change | SessionEnd

export interface Changes {
  /** @returns a function that removes the listener */
  onChange(listener: (change: Change) => void): () => void
  /** The listener receives the hash of each session that its owner ends. */
  onSessionEnd(listener: (hash: Uint8Array) => void): () => void
}

export interface ChangeEmitter extends Changes {
  emit(event: LibraryEvent): void
}

export function createChangeEmitter(): ChangeEmitter {
  const onChange = new Set<(change: Change) => void>()
  const onSessionEnd = new Set<(hash: Uint8Array) => void>()
  return {
    onChange: (listener) => subscribe(onChange, listener),
    onSessionEnd: (listener) => subscribe(onSessionEnd, listener),
    emit(event) {
      if (event.kind === 'session-end') for (const listener of onSessionEnd) listener(event.hash)
      else for (const listener of onChange) listener(event)
    }
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Progress of a long change. */
export interface WorkProgress {
  done: number
  total: number
}

/** Why a long change ended early. The steps that were completed are not undone. */
export interface EndedEarly {
  /** The owner stopped it. */
  cancelled?: true
  /** A step failed. */
  problem?: { code: ProblemCode; message: string }
}

/** Lets the owner follow and stop a long change. */
export interface WorkControl {
  /** Aborted if the change must stop before its next step. */
  signal: AbortSignal
  onProgress(progress: WorkProgress): void
}
