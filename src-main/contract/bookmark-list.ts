import { z } from 'zod'
import { BOOKMARK_TYPES, type BookmarkFilter, VISIBILITIES } from './bookmark.ts'
import { LINK_MARKS } from './link-check.ts'

/** `title` ignores case; `site` lists the newest bookmark of each site first. */
export const FixedOrder = z.enum(['newest', 'oldest', 'title', 'site'])
export type FixedOrder = z.infer<typeof FixedOrder>

/** `random:7` is the random order of the seed 7. The order of a seed never changes, so no page repeats a bookmark. */
export const ListOrder = z.union([FixedOrder, z.templateLiteral(['random:', z.int().min(0).max(0x7fff_ffff)])])
export type ListOrder = z.infer<typeof ListOrder>

export interface BookmarkList extends BookmarkFilter {
  /** Ignored with `opened` and `trash`, which have their own order. */
  order: ListOrder
  /** Lists the trash, the last deleted bookmark first. */
  trash?: boolean
  /** Words that bookmarks in the trash must contain; ignored without `trash`. */
  words?: string | undefined
  /** Counted from 1. */
  page: number
  /** Bookmarks per page. */
  limit: number
}

/** A boolean in an address’s query. */
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true')

const name = z.string().min(1)
const mark = z.enum(LINK_MARKS)

/** Filters in the query of an address. An organization is named by its id or name. */
export const filterQuery = {
  tag: z.union([z.array(name).max(32), name.transform((tag) => [tag])]).optional(),
  domain: z.string().min(1).max(300).optional(),
  type: z.enum(BOOKMARK_TYPES).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  organization: z.string().min(1).max(100).optional(),
  is: z.union([z.array(mark).max(2), mark.transform((mark) => [mark])]).optional(),
  /** Saved within this number of days, including today. Days begin at midnight in this computer’s time zone. */
  days: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a whole number of days')
    .transform(Number)
    .optional(),
  /** The first and the last day, both included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  untagged: Flag.optional(),
  /** The number of an import. */
  import: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be the number of an import')
    .transform(Number)
    .optional(),
  opened: Flag.optional()
}
export type FilterQuery = z.output<z.ZodObject<typeof filterQuery>>

/** The query fields that select the bookmarks of a list. */
export const listedQuery = {
  words: z.string().max(1000).default(''),
  typing: Flag.default(false),
  ...filterQuery,
  trash: Flag.default(false)
}

const FILTERS = Object.keys(filterQuery) as (keyof FilterQuery)[]

export function isTrashAlone(query: z.output<z.ZodObject<typeof listedQuery>>): boolean {
  return !query.trash || (query.words.trim() === '' && FILTERS.every((name) => !query[name]))
}

/** All bookmarks of a list. The trash can only be selected as a whole. */
export const ListedQuery = z
  .strictObject(listedQuery)
  .refine(isTrashAlone, 'trash: cannot be combined with words or filters')
export type ListedQuery = z.output<typeof ListedQuery>
