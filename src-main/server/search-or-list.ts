import { z } from 'zod'
import { relatedBookmarks } from '../actions/bookmarks/read-bookmark.ts'
import {
  filterOf,
  listBookmarks,
  namedFilters,
  namesAsWords,
  searchBookmarks
} from '../actions/bookmarks/search-bookmarks.ts'
import { organizationIn } from '../actions/organizations.ts'
import type { Ports } from '../actions/ports.ts'
import type { Bookmark } from '../contract/bookmark.ts'
import { isTrashAlone, ListOrder, listedQuery } from '../contract/bookmark-list.ts'
import { PROFILE } from '../contract/caller.ts'
import { foldName } from '../core/clean-text.ts'
import { editDistance } from '../core/edit-distance.ts'
import { likeIn } from '../core/id-searches.ts'
import { isoTime } from '../core/iso-time.ts'

/** Maximum size of a page of a search. A search ranks this number of bookmarks, so larger pages would overlap. */
const MAX_RANKED = 100

/**
 * The query of a search if it has words (docs/search.md), otherwise of a list. The trash can be searched by words only.
 */
export const BookmarksQuery = z
  .strictObject({
    ...listedQuery,
    order: ListOrder.optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(200).default(20)
  })
  .refine(
    ({ words, limit }) => words.trim() === '' || limit <= MAX_RANKED,
    `limit: a search gives up to ${MAX_RANKED} bookmarks a page`
  )
  .refine(({ words, order }) => words.trim() === '' || order === undefined, 'order: words have an order of their own')
  .refine((request) => isTrashAlone({ ...request, words: '' }), 'trash: cannot be combined with filters')

/** Returns a page of a search or a list, as the API shows it. */
export async function searchOrList(ports: Ports, request: z.output<typeof BookmarksQuery>) {
  const { words, typing, trash, order = 'newest', page, limit, ...chosen } = request
  const unknown = await unknownOrganization(ports, chosen.organization)
  if (unknown !== undefined) {
    return { total: 0, atLeast: false, hasMore: false, hint: unknown, named: undefined, page, limit, bookmarks: [] }
  }
  const filters = { page, limit, ...(await filterOf(ports, chosen)) }
  const like = likeIn(words)
  // With filters and in the trash, `like:` is a word, because similar bookmarks cannot be filtered.
  const isPlain = !trash && Object.values(chosen).every((value) => value === undefined || value === false)
  if (like && 'id' in like && isPlain) {
    const { bookmarks, ...related } = await relatedBookmarks(ports, PROFILE, { ...like, page, limit })
    return { ...related, named: undefined, page, limit, bookmarks: bookmarks.map(shownBookmark) }
  }
  const list =
    words.trim() !== '' && !trash
      ? undefined
      : await listBookmarks(ports, { ...filters, order, trash, words: trash ? words.trim() : undefined })
  const named = list?.total === 0 && !trash ? namesAsWords(filters) : ''
  const corrected =
    named === ''
      ? undefined
      : await searchBookmarks(ports, PROFILE, { ...filters, tags: undefined, domain: undefined, words: named })
  const { bookmarks, ...result } =
    (corrected?.total ? corrected : list) ?? (await searchBookmarks(ports, PROFILE, { ...filters, words, typing }))
  const hinted = result.hint === undefined ? undefined : namedFilters(filters, words)
  return { ...result, named: hinted, page, limit, bookmarks: bookmarks.map(shownBookmark) }
}

/** Returns a hint if there is no such organization. */
async function unknownOrganization(ports: Ports, nameOrId: string | undefined): Promise<string | undefined> {
  if (nameOrId === undefined) return undefined
  const organizations = await ports.library.listOrganizations()
  if (organizationIn(organizations, nameOrId)) return undefined
  const near = organizations.find(({ name }) => editDistance(foldName(name), foldName(nameOrId), 2) <= 2)
  return `There is no organization named “${nameOrId}”${near ? `; the nearest is “${near.name}”` : ''}.`
}

/** A bookmark as the API shows it: times as ISO 8601. */
export function shownBookmark({ createdAt, updatedAt, deletedAt, ...bookmark }: Bookmark & { snippet?: string }) {
  return {
    ...bookmark,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    deletedAt: isoTime(deletedAt)
  }
}
