import { storeOf } from './store.ts'

/** Something that can be done with what is selected in the list behind. */
export interface SelectionCommand {
  name: string
  keys: string[]
  run(): void
}

/** Commands that the current list offers for its selected bookmarks; empty if none are selected. */
export const selectionCommands = storeOf<SelectionCommand[]>([])
