import { createStore } from '../lib/store.ts'

/** What the current list offers to the rest of the window. */

/** A command of the list, for the palette. */
interface ListCommand {
  name: string
  keys: string[]
  run(): void
}

interface ListCommands {
  /** For the selected bookmarks; empty if none are selected. */
  selection: ListCommand[]
  /** For the list itself: other orders, other layouts. */
  list: ListCommand[]
}

export const listCommands = createStore<ListCommands>({ selection: [], list: [] })

/** Offers commands. @returns withdraws them */
export function offerCommands(kind: keyof ListCommands, commands: ListCommand[]): () => void {
  listCommands.set({ ...listCommands.get(), [kind]: commands })
  return () => listCommands.set({ ...listCommands.get(), [kind]: [] })
}

/** Where bookmarks of the list can be dropped: on a tag, by its name, on an organization, by its id, or on the trash. */
export type DropPlace = { tag: string } | { organization: string; name: string } | { trash: true }

/** Drops the bookmarks that are being dragged; `undefined` if none are. */
export const dragging = createStore<{ drop(place: DropPlace): void } | undefined>(undefined)
