import { storeOf, useStore } from './store.ts'

const shown = storeOf(false)

/** Whether all keys are shown. */
export const useShortcutSheet = (): boolean => useStore(shown)

/** Shows all keys, from any page. */
export const showShortcuts = (): void => shown.set(true)

export const hideShortcuts = (): void => shown.set(false)
