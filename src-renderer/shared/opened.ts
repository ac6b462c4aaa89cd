import { storeOf, useStore } from './store.ts'

const opened = storeOf<string | undefined>(undefined)
const takesFocus = storeOf(true)
let mayLeave: (() => Promise<boolean>) | undefined

/** The id of the bookmark whose panel is open. */
export const useOpened = (): string | undefined => useStore(opened)

/** Whether keys are the panel's now. After a click on a row they are the list's, as before. */
export const usePanelTakesFocus = (): boolean => useStore(takesFocus)

/** Opens a bookmark's panel, or with `undefined` closes it, unless there are changes in it that are to be kept. */
export async function openBookmark(id: string | undefined, how: { clicked?: boolean } = {}): Promise<void> {
  if (id !== opened.get() && mayLeave) {
    if (!(await mayLeave())) return
    mayLeave = undefined
  }
  takesFocus.set(!how.clicked)
  opened.set(id)
}

/** Asks this before the panel shows something else; `undefined` asks no more. */
export function guardPanel(ask: (() => Promise<boolean>) | undefined): void {
  mayLeave = ask
}
