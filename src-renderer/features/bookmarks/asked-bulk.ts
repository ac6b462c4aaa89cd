import { storeOf } from '../../shared/store.ts'

/** The action that a key asked for on the selection; its fields are open. */
export const askedBulk = storeOf<'tag' | 'move' | 'more' | undefined>(undefined)
