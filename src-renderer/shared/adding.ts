import { storeOf, useStore } from './store.ts'

interface Adding {
  text: string
  picture?: File | undefined
}

/** The dialog's first content; `undefined` while it is closed. */
const adding = storeOf<Adding | undefined>(undefined)

export const useAdding = (): Adding | undefined => useStore(adding)

/** Opens the dialog that adds a bookmark, from any page. */
export const startAdding = (text = '', picture?: File): void => adding.set({ text, picture })

export const stopAdding = (): void => adding.set(undefined)
