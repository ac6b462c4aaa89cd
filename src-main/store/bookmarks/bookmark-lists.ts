import type { BookmarkPage } from '../../contract/bookmark.ts'
import type { BookmarkList, ListOrder } from '../../contract/bookmark-list.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'
import { createFilterCounts } from '../search/filter-counts.ts'
import { UNINDEXED } from '../search/unindexed.ts'
import { statements } from '../statements.ts'
import { bookmarkRows } from './bookmark-rows.ts'
import { createListParts, type ListPart } from './list-parts.ts'

/**
 * Measured on 1,000,000 bookmarks, in microseconds: a step along an order's index, one where the steps are counted, and
 * a row put in order.
 */
const STEP_COST = 0.1
const PATIENT_STEP_COST = 0.3
const ROW_COST = 2.8

/** How much further than expected a walk goes before it is given up: a filter's bookmarks may all be old. */
const PATIENCE = 4

/** The dashboard's lists. */
export const lists = readingFamily({ slow: bookmarkLists })

/**
 * Lists everything of the profile's, at any depth. Either along the index of the order, past what the filters don't let
 * through, or by putting the rows of the narrowest filter in order, whichever is expected to cost less.
 */
function bookmarkLists(db: ReadConnection) {
  const prepared = statements(db)
  const { bookmarks: fetch } = bookmarkRows(db)
  const { countByKind } = createFilterCounts(db)
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

  /** A page along the order's index, past what these let through. */
  function walk(parts: ListPart[], { order, page, limit }: BookmarkList): number[] {
    const where = [HELD[order], ...parts.map((one) => one.condition)].join(' AND ')
    return prepared(
      `SELECT b.id FROM bookmarks b INDEXED BY ${INDEXES[order]} WHERE ${where}
       ORDER BY ${ORDERS[order]} LIMIT @limit OFFSET @skip`
    )
      .pluck()
      .all({ ...valuesOf(parts), limit, skip: (page - 1) * limit }) as number[]
  }

  /** A page of all titles while some are not in their index yet: those are put in order between the others. */
  function walkTitles({ page, limit }: BookmarkList): number[] {
    return prepared(
      `SELECT id FROM (
         SELECT * FROM (SELECT b.id, ${TITLE} AS place FROM bookmarks b INDEXED BY ${INDEXES.title} WHERE ${HELD.title}
           ORDER BY ${ORDERS.title} LIMIT @skip + @limit)
         UNION ALL SELECT b.id, ${TITLE} FROM ${UNINDEXED} WHERE b.unindexed = 1)
       ORDER BY place COLLATE NOCASE, id LIMIT @limit OFFSET @skip`
    )
      .pluck()
      .all({ limit, skip: (page - 1) * limit }) as number[]
  }

  /** Walks as `walk` does, but no further than `steps` rows of the order. */
  function walkSome(parts: ListPart[], { order, page, limit }: BookmarkList, steps: number): number[] {
    const where = parts.map((one) => one.condition).join(' AND ')
    return prepared(
      `SELECT b.id FROM (SELECT b.id, b.type, b.visibility, b.organization_id FROM bookmarks b
         INDEXED BY ${INDEXES[order]} WHERE ${HELD[order]} ORDER BY ${ORDERS[order]} LIMIT @steps) b
       WHERE ${where} LIMIT @limit OFFSET @skip`
    )
      .pluck()
      .all({ ...valuesOf(parts), steps, limit, skip: (page - 1) * limit }) as number[]
  }

  /** All rows of the narrowest filter that the others let through, in order. */
  function gather([narrowest, ...others]: [ListPart, ...ListPart[]], order: ListOrder): number[] {
    const where = ['b.deleted_at IS NULL', ...others.map((one) => one.condition)].join(' AND ')
    return prepared(
      `SELECT b.id FROM (${narrowest.set}) one CROSS JOIN bookmarks b ON b.id = one.id WHERE ${where}
       ORDER BY ${ORDERS[order]}`
    )
      .pluck()
      .all(valuesOf([narrowest, ...others])) as number[]
  }

  /** Bookmarks that all filters let through; `undefined` where only their rows can tell. */
  function totalOf(parts: ListPart[], stale: boolean): number | undefined {
    if (parts.length === 1) return parts[0]?.bookmarks
    if (stale) return undefined
    const match = parts.map((one) => one.match).join(' AND ')
    const where = parts.map((one) => one.condition).join(' AND ')
    return prepared(
      `SELECT (SELECT count(*) FROM bookmark_titles WHERE bookmark_titles MATCH @match)
         + (SELECT count(*) FROM ${UNINDEXED} WHERE ${where})`
    )
      .pluck()
      .get({ ...valuesOf(parts), match }) as number
  }

  function filtered(parts: [ListPart, ...ListPart[]], list: BookmarkList): BookmarkPage {
    const { order, page, limit } = list
    const { atLeast, unindexed, stale } = readState()
    const total = totalOf(parts, stale)
    const skip = (page - 1) * limit
    if (total !== undefined) {
      if (total <= skip) return { total, atLeast, bookmarks: [] }
      const { all } = countByKind()
      const steps = Math.min(all, Math.ceil(((skip + limit) * all) / total))
      const lookUps = parts.reduce((sum, one) => sum + one.cost, 0)
      const cost = steps * (lookUps === 0 ? STEP_COST : PATIENT_STEP_COST + lookUps)
      if (cost < parts[0].bookmarks * ROW_COST && !(order === 'title' && unindexed)) {
        const ids = lookUps === 0 ? walk(parts, list) : walkSome(parts, list, steps * PATIENCE)
        if (ids.length >= Math.min(limit, total - skip)) return { total, atLeast, bookmarks: fetch(ids) }
      }
    }
    const ids = gather(parts, order)
    return { total: ids.length, atLeast, bookmarks: fetch(ids.slice(skip, skip + limit)) }
  }

  function trash({ page, limit }: BookmarkList): BookmarkPage {
    const ids = prepared(
      `SELECT id FROM bookmarks INDEXED BY bookmarks_in_trash WHERE deleted_at IS NOT NULL
       ORDER BY deleted_at DESC, id DESC LIMIT ? OFFSET ?`
    )
      .pluck()
      .all(limit, (page - 1) * limit) as number[]
    return { total: countByKind().trash, atLeast: false, bookmarks: fetch(ids) }
  }

  return {
    listBookmarks(list: BookmarkList): BookmarkPage {
      if (list.trash) return trash(list)
      const parts = partsOf(list)?.toSorted((a, b) => a.bookmarks - b.bookmarks)
      if (!parts) return { total: 0, atLeast: false, bookmarks: [] }
      const [narrowest, ...others] = parts
      if (narrowest) return filtered([narrowest, ...others], list)
      const { atLeast, unindexed } = readState()
      const ids = list.order === 'title' && unindexed ? walkTitles(list) : walk([], list)
      return { total: countByKind().all, atLeast, bookmarks: fetch(ids) }
    }
  }
}

function valuesOf(parts: ListPart[]): ListPart['values'] {
  return Object.assign({}, ...parts.map((one) => one.values))
}

/** As the index of titles has it: what has no title goes by its site. */
const TITLE = "substr(coalesce(nullif(b.title, ''), b.domain, ''), 1, 32) COLLATE NOCASE"

const ORDERS: Record<ListOrder, string> = {
  newest: 'b.created_at DESC, b.id DESC',
  oldest: 'b.created_at, b.id',
  title: `${TITLE}, b.id`
}

/** What the index of an order holds. */
const HELD: Record<ListOrder, string> = {
  newest: 'b.deleted_at IS NULL',
  oldest: 'b.deleted_at IS NULL',
  title: 'b.deleted_at IS NULL AND b.unindexed IS NULL'
}

const INDEXES: Record<ListOrder, string> = {
  newest: 'bookmarks_by_date',
  oldest: 'bookmarks_by_date',
  title: 'bookmarks_by_title'
}
