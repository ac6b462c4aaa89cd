import type { Change, Changes, Told } from '../contract/change.ts'

/** Passes on what the library tells to whoever listens by then. */
export interface ChangeFeed extends Changes {
  tell(told: Told): void
}

export function createChangeFeed(): ChangeFeed {
  const onChange = new Set<(change: Change) => void>()
  const onSessionEnd = new Set<(hash: Uint8Array) => void>()
  return {
    onChange: (listener) => subscribe(onChange, listener),
    onSessionEnd: (listener) => subscribe(onSessionEnd, listener),
    tell(told) {
      if (told.kind === 'session-end') for (const listener of onSessionEnd) listener(told.hash)
      else for (const listener of onChange) listener(told)
    }
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
