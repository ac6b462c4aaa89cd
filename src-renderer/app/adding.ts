import { useSyncExternalStore } from 'react'

/** What the dialog begins with; `undefined` while it is closed. */
let adding: { text: string } | undefined
const listeners = new Set<() => void>()

export function useAdding(): { text: string } | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => adding
  )
}

/** Opens the dialog that adds a bookmark, from any page. */
export function startAdding(text = ''): void {
  set({ text })
}

export function stopAdding(): void {
  set(undefined)
}

function set(next: { text: string } | undefined): void {
  adding = next
  for (const listener of listeners) listener()
}
