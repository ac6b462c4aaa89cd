import { z } from 'zod'
import { BOOKMARK_TYPES, type BookmarkFilter, VISIBILITIES } from './bookmark.ts'
import { LINK_MARKS } from './link-check.ts'

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

const mark = z.enum(LINK_MARKS)

/** A flag in an address's query. */
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** Filters as an address's query names them. `tag` may be given several times; an organization goes by its id or name. */
export const filterQuery = {
  tag: z
    .union([
      z.array(z.string().min(1)).max(32),
      z
        .string()
        .min(1)
        .transform((one) => [one])
    ])
    .optional(),
  domain: z.string().min(1).max(300).optional(),
  type: z.enum(BOOKMARK_TYPES).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  organization: z.string().min(1).max(100).optional(),
  /** Link marks; a bookmark with any of them matches. */
  is: z.union([z.array(mark).max(2), mark.transform((one) => [one])]).optional(),
  /** Saved today or on one of the days before, so many together; days begin by this computer's clock. */
  days: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a whole number of days')
    .transform(Number)
    .optional(),
  /** Saved on this day or later, and on this day or earlier. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  untagged: Flag.optional(),
  /** Opened lately, the last one first. */
  opened: Flag.optional()
}
export type FilterQuery = z.output<z.ZodObject<typeof filterQuery>>

/** The fields that decide which bookmarks a list shows, whatever its order. */
export const listedQuery = {
  words: z.string().max(1000).default(''),
  typing: Flag.default(false),
  ...filterQuery,
  trash: Flag.default(false)
}

const FILTERS = Object.keys(filterQuery) as (keyof FilterQuery)[]

/** The trash is listed whole. */
export function isTrashAlone(asked: z.output<z.ZodObject<typeof listedQuery>>): boolean {
  return !asked.trash || (asked.words.trim() === '' && FILTERS.every((name) => !asked[name]))
}
const TRASH_ALONE = 'trash: cannot be combined with words or filters'

/** All that a list shows. */
export const ListedQuery = z.strictObject(listedQuery).refine(isTrashAlone, TRASH_ALONE)
export type ListedQuery = z.output<typeof ListedQuery>
