import { storeOf, useStore } from './store.ts'

const opened = storeOf<string | undefined>(undefined)
const takesFocus = storeOf(true)

/** The id of the bookmark whose panel is open. */
export const useOpened = (): string | undefined => useStore(opened)

/** Whether keys are the panel's now. After a click on a row they are the list's, as before. */
export const usePanelTakesFocus = (): boolean => useStore(takesFocus)

/** Opens a bookmark's panel, or with `undefined` closes it. */
export function openBookmark(id: string | undefined, how: { clicked?: boolean } = {}): void {
  takesFocus.set(!how.clicked)
  opened.set(id)
}
