import { useSyncExternalStore } from 'react'

let opened: string | undefined
let mayLeave: (() => Promise<boolean>) | undefined
const listeners = new Set<() => void>()

/** The id of the bookmark whose panel is open. */
export function useOpened(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => opened
  )
}

/** Opens a bookmark's panel, or with `undefined` closes it, unless there are changes in it that are to be kept. */
export async function openBookmark(id: string | undefined): Promise<void> {
  if (id === opened || (mayLeave && !(await mayLeave()))) return
  mayLeave = undefined
  opened = id
  for (const listener of listeners) listener()
}

/** Asks this before the panel shows something else; `undefined` asks no more. */
export function guardPanel(ask: (() => Promise<boolean>) | undefined): void {
  mayLeave = ask
}
