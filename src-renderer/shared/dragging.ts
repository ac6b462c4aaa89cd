import { storeOf } from './store.ts'

/** Where bookmarks of the list can be dropped: on a tag, by its name, on an organization, by its id, on the trash. */
export type DropPlace = { tag: string } | { organization: string; name: string } | { trash: true }

/** Bookmarks that are being dragged, and what lets go of them. */
export interface Dragging {
  drop(place: DropPlace): void
}

export const dragging = storeOf<Dragging | undefined>(undefined)
