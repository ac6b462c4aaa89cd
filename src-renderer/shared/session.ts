import { useSyncExternalStore } from 'react'

let ended = false
const listeners = new Set<() => void>()

/** Turns every page into the one that says how to log in. Called where an answer has status 401, and after logging out. */
export function endSession(): void {
  ended = true
  for (const listener of listeners) listener()
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ended
  )
}
