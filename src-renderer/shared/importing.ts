import { storeOf, useStore } from './store.ts'

interface Importing {
  file: File | undefined
}

/** The dialog's first content; `undefined` while it is closed. */
const importing = storeOf<Importing | undefined>(undefined)

export const useImporting = (): Importing | undefined => useStore(importing)

/** Opens the dialog that imports bookmarks, from any page; with a file, at its preview. */
export const startImporting = (file?: File): void => importing.set({ file })

export const stopImporting = (): void => importing.set(undefined)
