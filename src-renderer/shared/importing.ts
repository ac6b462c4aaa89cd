import { useSyncExternalStore } from 'react'

/** What the dialog begins with; `undefined` while it is closed. */
let importing: { file: File | undefined } | undefined
const listeners = new Set<() => void>()

export function useImporting(): { file: File | undefined } | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => importing
  )
}

/** Opens the dialog that imports bookmarks, from any page; with a file, at its preview. */
export function startImporting(file?: File): void {
  set({ file })
}

export function stopImporting(): void {
  set(undefined)
}

function set(next: { file: File | undefined } | undefined): void {
  importing = next
  for (const listener of listeners) listener()
}
