import { useSyncExternalStore } from 'react'

interface Adding {
  text: string
  picture?: File
}

/** What the dialog begins with; `undefined` while it is closed. */
let adding: Adding | undefined
const listeners = new Set<() => void>()

export function useAdding(): Adding | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => adding
  )
}

/** Opens the dialog that adds a bookmark, from any page. */
export function startAdding(text = '', picture?: File): void {
  set({ text, ...(picture && { picture }) })
}

export function stopAdding(): void {
  set(undefined)
}

function set(next: Adding | undefined): void {
  adding = next
  for (const listener of listeners) listener()
}
