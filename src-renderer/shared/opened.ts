import { useSyncExternalStore } from 'react'

let opened: string | undefined
let takesFocus = true
let mayLeave: (() => Promise<boolean>) | undefined
const listeners = new Set<() => void>()

/** The id of the bookmark whose panel is open. */
export function useOpened(): string | undefined {
  return useSyncExternalStore(subscribe, () => opened)
}

/** Whether keys are the panel's now. After a click on a row they are the list's, as before. */
export function usePanelTakesFocus(): boolean {
  return useSyncExternalStore(subscribe, () => takesFocus)
}

/** Opens a bookmark's panel, or with `undefined` closes it, unless there are changes in it that are to be kept. */
export async function openBookmark(id: string | undefined, how: { clicked?: boolean } = {}): Promise<void> {
  if (id !== opened) {
    if (mayLeave && !(await mayLeave())) return
    mayLeave = undefined
    opened = id
  }
  takesFocus = !how.clicked
  for (const listener of listeners) listener()
}

/** Asks this before the panel shows something else; `undefined` asks no more. */
export function guardPanel(ask: (() => Promise<boolean>) | undefined): void {
  mayLeave = ask
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
