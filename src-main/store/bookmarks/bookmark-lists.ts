import type { BookmarkPage } from '../../contract/bookmark.ts'
import type { BookmarkList } from '../../contract/bookmark-list.ts'
import { stepsOfWalk } from '../../core/list-plan.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readTuples } from '../../database/sql.ts'
import { countByKind } from '../../search/sql/filter-counts.ts'
import { type Filter, readFilters } from '../../search/sql/filters.ts'
import { bookmarksAt } from './bookmark-rows.ts'
import {
  costOf,
  countFilters,
  gather,
  isSettledOrder,
  type KeptList,
  openedLately,
  pageOfTrash,
  totalOf,
  walkOrder,
  walkSome,
  walkUnsettled
} from './list-queries.ts'
import { isRandom, listRandom } from './random-list.ts'
import { searchTrash } from './trash-search.ts'

/**
 * Lists everything of the profile's, at any depth. Either along the index of the order, past what the filters don't let
 * pass, or by putting the rows of the narrowest filter in order, whichever is expected to cost less.
 */
export function listBookmarks(db: ReadConnection, list: BookmarkList): BookmarkPage {
  if (list.trash && list.words) return pageOf(db, searchTrash(db, list.words), list)
  if (list.trash) {
    return { total: countByKind(db).trash, atLeast: false, bookmarks: bookmarksAt(db, pageOfTrash(db, list)) }
  }
  const filters = readFilters(db, list)
  if (!filters) return { total: 0, atLeast: false, bookmarks: [] }
  if (list.opened) return pageOf(db, openedLately(db, filters), list)
  const { atLeast, unindexed, stale } = readState(db)
  const counted = countFilters(db, filters, stale)
  const [narrowest, ...others] = counted.toSorted((a, b) => a.bookmarks - b.bookmarks)
  const { order } = list
  if (isRandom(order)) {
    const total = narrowest ? totalOf(db, [narrowest, ...others], stale) : countByKind(db).all
    return { ...listRandom(db, counted, { ...list, order }, total), atLeast }
  }
  const kept = { ...list, order }
  if (narrowest) return listFiltered(db, [narrowest, ...others], kept)
  const ids = isSettledOrder(order) && unindexed ? walkUnsettled(db, order, kept) : walkOrder(db, [], kept)
  return { total: countByKind(db).all, atLeast, bookmarks: bookmarksAt(db, ids) }
}

/** Returns a page of all that a list holds. */
function pageOf(db: ReadConnection, ids: number[], { page, limit }: BookmarkList): BookmarkPage {
  const skip = (page - 1) * limit
  return { total: ids.length, atLeast: false, bookmarks: bookmarksAt(db, ids.slice(skip, skip + limit)) }
}

function listFiltered(db: ReadConnection, filters: [Filter, ...Filter[]], list: KeptList): BookmarkPage {
  const { order, page, limit } = list
  const { atLeast, unindexed, stale } = readState(db)
  const total = totalOf(db, filters, stale)
  const skip = (page - 1) * limit
  if (total !== undefined) {
    if (total <= skip) return { total, atLeast, bookmarks: [] }
    const lookUps = filters.reduce((sum, one) => sum + costOf(one, order), 0)
    const sizes = { all: countByKind(db).all, total, upTo: skip + limit, narrowest: filters[0].bookmarks, lookUps }
    const steps = isSettledOrder(order) && unindexed ? undefined : stepsOfWalk(sizes)
    if (steps !== undefined) {
      const ids = steps === Number.POSITIVE_INFINITY ? walkOrder(db, filters, list) : walkSome(db, filters, list, steps)
      if (ids.length >= Math.min(limit, total - skip)) return { total, atLeast, bookmarks: bookmarksAt(db, ids) }
    }
  }
  return { ...pageOf(db, gather(db, filters, order), list), atLeast }
}

/** Returns what of the counts and the index is not up to date yet. */
function readState(db: ReadConnection) {
  const [[uncounted, unindexed, stale] = [0, 0, 0]] = readTuples<[number, number, number]>(db)`
    SELECT EXISTS (SELECT 1 FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL) AS uncounted,
    EXISTS (SELECT 1 FROM unindexed_ranges) AS unindexed, EXISTS (SELECT 1 FROM stale_tags) AS stale`
  return { atLeast: uncounted === 1, unindexed: unindexed === 1, stale: stale === 1 }
}
