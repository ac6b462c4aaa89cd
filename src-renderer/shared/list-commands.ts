import { storeOf } from './store.ts'

/** Something that can be done with the list behind the palette, or with what is selected in it. */
export interface ListCommand {
  name: string
  keys: string[]
  run(): void
}

/** Commands that the current list offers for its selected bookmarks; empty if none are selected. */
export const selectionCommands = storeOf<ListCommand[]>([])

/** Commands that the current list offers for itself: other orders, other layouts. */
export const listCommands = storeOf<ListCommand[]>([])
