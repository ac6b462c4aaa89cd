import { z } from 'zod'
import { filterOf, listBookmarks, searchBookmarks } from '../actions/bookmarks/search-bookmarks.ts'
import type { Ports } from '../actions/ports.ts'
import { isTrashAlone, ListOrder, listedQuery } from '../contract/bookmark-list.ts'
import { PROFILE } from '../contract/caller.ts'
import { shownBookmark } from './shown-bookmark.ts'

/** Most of a search's page: as many as it ranks, so that one page ends where the next begins. */
const MOST_FOUND = 100

/** With words a search of the owner's, in the language of docs/search.md; without them a list. The trash is searched for words alone. */
export const BookmarksQuery = z
  .strictObject({
    ...listedQuery,
    order: ListOrder.optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(200).default(20)
  })
  .refine(
    ({ words, limit }) => words.trim() === '' || limit <= MOST_FOUND,
    `limit: a search gives up to ${MOST_FOUND} bookmarks a page`
  )
  .refine(({ words, order }) => words.trim() === '' || order === undefined, 'order: words have an order of their own')
  .refine((asked) => isTrashAlone({ ...asked, words: '' }), 'trash: cannot be combined with filters')

/** One page of a search or a list, as the API shows it. */
export async function foundBookmarks(ports: Ports, asked: z.output<typeof BookmarksQuery>) {
  const { page, limit } = asked
  const { bookmarks, ...found } = await find(ports, asked)
  return { ...found, page, limit, bookmarks: bookmarks.map(shownBookmark) }
}

async function find(ports: Ports, asked: z.output<typeof BookmarksQuery>) {
  const { words, typing, trash, order, page, limit } = asked
  const filters = { page, limit, ...(await filterOf(ports, asked)) }
  if (words.trim() !== '' && !trash) return searchBookmarks(ports, PROFILE, { ...filters, words, typing })
  return listBookmarks(ports, { ...filters, order: order ?? 'newest', trash, words: trash ? words.trim() : undefined })
}
