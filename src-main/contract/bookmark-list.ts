import { z } from 'zod'
import type { BookmarkFilter } from './bookmark.ts'

/** By a bookmark's own date, by its title without regard to case, or by its site, the newest of each first. */
export const KeptOrder = z.enum(['newest', 'oldest', 'title', 'site'])
export type KeptOrder = z.infer<typeof KeptOrder>

/** Or by chance: `random:7` is the same order each time, so that no page repeats what another one holds. */
export const ListOrder = z.union([KeptOrder, z.templateLiteral(['random:', z.int().min(0).max(0x7fff_ffff)])])
export type ListOrder = z.infer<typeof ListOrder>

/** One page of everything the filters let through, at any depth. */
export interface BookmarkList extends BookmarkFilter {
  /** Ignored for a list of what was opened lately, which has an order of its own. */
  order: ListOrder
  /** The trash instead, what was deleted last first; `order` then has no say. */
  trash?: boolean
  /** Words that bookmarks in the trash must hold; ignored without `trash`. */
  words?: string | undefined
  /** Counted from 1. */
  page: number
  /** Bookmarks a page. */
  limit: number
}

/** How many bookmarks there are. All but `trash` count what is not in it. */
export interface BookmarkCounts {
  all: number
  link: number
  image: number
  color: number
  text: number
  trash: number
  /** Of all, those whose link is broken or leads elsewhere. */
  broken: number
  moved: number
}
