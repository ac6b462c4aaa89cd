import { storeOf } from '../../shared/store.ts'

/** What a key asked to do with everything selected, whose fields are open. */
export const askedBulk = storeOf<'tag' | 'move' | undefined>(undefined)
