import type { BookmarkPage } from '../../contract/bookmark.ts'
import type { BookmarkList } from '../../contract/bookmark-list.ts'
import { stepsOfWalk } from '../../core/list-plan.ts'
import { countByKind } from '../../search/sql/filter-counts.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'
import { bookmarkRows } from './bookmark-rows.ts'
import { createListParts, type ListPart } from './list-parts.ts'
import { listQueries } from './list-queries.ts'

/** The dashboard's lists. */
export const lists = readingFamily({ slow: bookmarkLists })

/**
 * Lists everything of the profile's, at any depth. Either along the index of the order, past what the filters don't let
 * through, or by putting the rows of the narrowest filter in order, whichever is expected to cost less.
 */
function bookmarkLists(db: ReadConnection) {
  const query = listQueries(db)
  const { bookmarks: fetch } = bookmarkRows(db)
  const partsOf = createListParts(db)
  const uncertain = db
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL) AS uncounted,
         EXISTS (SELECT 1 FROM unindexed_ranges) AS unindexed, EXISTS (SELECT 1 FROM stale_tags) AS stale`
    )
    .raw()

  function readState() {
    const [uncounted, unindexed, stale] = uncertain.get() as [number, number, number]
    return { atLeast: uncounted === 1, unindexed: unindexed === 1, stale: stale === 1 }
  }

  function filtered(parts: [ListPart, ...ListPart[]], list: BookmarkList): BookmarkPage {
    const { order, page, limit } = list
    const { atLeast, unindexed, stale } = readState()
    const total = query.totalOf(parts, stale)
    const skip = (page - 1) * limit
    if (total !== undefined) {
      if (total <= skip) return { total, atLeast, bookmarks: [] }
      const lookUps = parts.reduce((sum, one) => sum + one.cost, 0)
      const sizes = { all: countByKind(db).all, total, upTo: skip + limit, narrowest: parts[0].bookmarks, lookUps }
      const steps = order === 'title' && unindexed ? undefined : stepsOfWalk(sizes)
      if (steps !== undefined) {
        const ids = steps === Number.POSITIVE_INFINITY ? query.walk(parts, list) : query.walkSome(parts, list, steps)
        if (ids.length >= Math.min(limit, total - skip)) return { total, atLeast, bookmarks: fetch(ids) }
      }
    }
    const ids = query.gather(parts, order)
    return { total: ids.length, atLeast, bookmarks: fetch(ids.slice(skip, skip + limit)) }
  }

  return {
    listBookmarks(list: BookmarkList): BookmarkPage {
      if (list.trash) return { total: countByKind(db).trash, atLeast: false, bookmarks: fetch(query.trash(list)) }
      const parts = partsOf(list)?.toSorted((a, b) => a.bookmarks - b.bookmarks)
      if (!parts) return { total: 0, atLeast: false, bookmarks: [] }
      const [narrowest, ...others] = parts
      if (narrowest) return filtered([narrowest, ...others], list)
      const { atLeast, unindexed } = readState()
      const ids = list.order === 'title' && unindexed ? query.walkTitles(list) : query.walk([], list)
      return { total: countByKind(db).all, atLeast, bookmarks: fetch(ids) }
    }
  }
}
