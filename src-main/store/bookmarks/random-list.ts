import type { BookmarkPage } from '../../contract/bookmark.ts'
import type { BookmarkList, KeptOrder, ListOrder } from '../../contract/bookmark-list.ts'
import { shuffledNumbers, shuffledRank } from '../../core/shuffle.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValues } from '../../database/sql.ts'
import type { Filter } from '../../search/sql/filters.ts'
import { bookmarksAt } from './bookmark-rows.ts'
import { gather, valuesOf } from './list-queries.ts'
import { newestId } from './walk.ts'

/** Row ids that are looked up at once. */
const PART = 1000

/** Bookmarks up to which all are read and shuffled; more of them are found sooner by looking up ids by chance. */
const MOST_GATHERED = 20_000

interface RandomList extends BookmarkList {
  order: Exclude<ListOrder, KeptOrder>
}

export function isRandom(order: ListOrder): order is RandomList['order'] {
  return order.startsWith('random:')
}

/**
 * Returns a page in the order of a seed, which stays the same while bookmarks are saved and deleted.
 *
 * @param total how many the filters let pass, where it is known
 */
export function listRandom(
  db: ReadConnection,
  filters: Filter[],
  { order, page, limit }: RandomList,
  total: number | undefined
): Pick<BookmarkPage, 'total' | 'bookmarks'> {
  const seed = Number(order.slice('random:'.length))
  const skip = (page - 1) * limit
  const [first, ...others] = filters
  if (first && (total === undefined || total <= MOST_GATHERED)) {
    const ranked = gather(db, [first, ...others], 'newest').map((id) => ({ id, rank: shuffledRank(seed, id) }))
    const ids = ranked.sort((a, b) => a.rank - b.rank).map(({ id }) => id)
    return { total: ids.length, bookmarks: bookmarksAt(db, ids.slice(skip, skip + limit)) }
  }
  const found = walk(db, filters, seed, skip + limit)
  return { total: total ?? found.length, bookmarks: bookmarksAt(db, found.slice(skip)) }
}

/** Returns the first row ids of the seed's order that the filters let pass. */
function walk(db: ReadConnection, filters: Filter[], seed: number, most: number): number[] {
  // Doubles seldom, so that what is saved meanwhile moves nothing.
  const bits = Math.ceil(Math.log2(Math.max(1, newestId(db))))
  const where = ['b.deleted_at IS NULL', ...filters.map(({ condition }) => condition)].join(' AND ')
  const found: number[] = []
  for (let from = 0; from < 2 ** bits && found.length < most; from += PART) {
    const ids = JSON.stringify(shuffledNumbers(seed, bits, from, PART))
    const part = readValues<number>(
      db,
      `SELECT b.id FROM json_each(@ids) one CROSS JOIN bookmarks b ON b.id = one.value WHERE ${where} ORDER BY one.key`,
      { ...valuesOf(filters), ids }
    )
    found.push(...part)
  }
  return found.slice(0, most)
}
