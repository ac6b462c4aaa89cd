import type { ShownBookmark } from '../../../shared/bookmark-data.ts'

/** Props of a row and a card. The list hears their clicks: a listener for each would cost as much as they do. */
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
  /** Whether it stands under a heading that says its day. */
  dated: boolean
  /** The words searched for. */
  words: string[]
}

/** The day that a list shows of a bookmark. */
export function dayOf({ createdAt, deletedAt }: Pick<ShownBookmark, 'createdAt' | 'deletedAt'>): string {
  return deletedAt ?? createdAt
}

/** The effect of a click on a part of an item, named by its `data-act`, with `data-value`. */
export type Act = 'select' | 'open' | 'tag' | 'domain' | 'copy' | 'edit' | 'delete' | 'restore'

/** Returns the attributes by which the list, its styles and screen readers know an item's cell. */
export function cellProps({ bookmark, index, selected, active, opened, pointed }: ItemProps, isNew: boolean) {
  return {
    role: 'gridcell',
    draggable: bookmark.deletedAt === null,
    id: itemId(bookmark),
    'data-new': isNew || undefined,
    'data-index': index,
    'data-active': active || undefined,
    'data-opened': opened || undefined,
    'data-pointed': pointed || undefined,
    'aria-current': opened || undefined,
    'aria-selected': selected
  }
}

/** The element of an item. It stays the same where the list moves. */
export function itemId({ id }: { id: string }): string {
  return `bookmark-${id}`
}
