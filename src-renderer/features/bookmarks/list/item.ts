import type { ShownBookmark } from '../../../shared/bookmark-data.ts'

/** What a row and a card get. The list hears their clicks: a listener for each would cost as much as they do. */
export interface ItemProps {
  bookmark: ShownBookmark
  index: number
  selected: boolean
  /** The one that keys act on. */
  active: boolean
  /** Its panel is open. */
  opened: boolean
  /** The one under the pointer. */
  pointed: boolean
  /** How many letters of tags fit beside the title. */
  tagRoom: number
  /** What the days from here on are put under, where the item before is of another. */
  group: string | undefined
  /** What was searched for. */
  words: string[]
}

/** The day that a list shows of a bookmark. */
export function dayOf({ createdAt, deletedAt }: Pick<ShownBookmark, 'createdAt' | 'deletedAt'>): string {
  return deletedAt ?? createdAt
}

/** What a click on part of an item does, as its `data-act` says, with `data-value`. */
export type Act = 'select' | 'open' | 'tag' | 'domain' | 'copy' | 'edit' | 'delete' | 'restore'

/** The element of an item. It stays the same where the list moves. */
export function itemId({ id }: { id: string }): string {
  return `bookmark-${id}`
}
