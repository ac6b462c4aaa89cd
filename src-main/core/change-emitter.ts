import type { Change, Changes, LibraryEvent } from '../contract/change.ts'

/** Passes on what the library tells to whoever listens by then. */
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
