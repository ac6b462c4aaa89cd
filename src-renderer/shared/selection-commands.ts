import { storeOf } from './store.ts'

/** Something that can be done with what is selected in the list behind. */
export interface SelectionCommand {
  name: string
  keys: string[]
  run(): void
}

/** What the list that is shown offers to do with what is selected in it; nothing where nothing is. */
export const selectionCommands = storeOf<SelectionCommand[]>([])
