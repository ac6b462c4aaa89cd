import type { BookmarkList, ListOrder } from '../../contract/bookmark-list.ts'
import { UNINDEXED } from '../../search/sql/index-queue.ts'
import type { ReadConnection } from '../connection.ts'
import { statements } from '../statements.ts'
import type { ListPart } from './list-parts.ts'

type Prepare = ReturnType<typeof statements>

/** The ways to a page of a list; each gives row ids in order. */
export function listQueries(db: ReadConnection) {
  const prepared = statements(db)

  return {
    walk: (parts: ListPart[], list: BookmarkList) => walk(prepared, parts, list),
    walkTitles: (list: BookmarkList) => walkTitles(prepared, list),
    walkSome: (parts: ListPart[], list: BookmarkList, steps: number) => walkSome(prepared, parts, list, steps),
    gather: (parts: [ListPart, ...ListPart[]], order: ListOrder) => gather(prepared, parts, order),
    totalOf: (parts: ListPart[], stale: boolean) => totalOf(prepared, parts, stale),
    trash: (list: BookmarkList) => trash(prepared, list)
  }
}

/** A page along the order's index, past what these let through. */
function walk(prepared: Prepare, parts: ListPart[], { order, page, limit }: BookmarkList): number[] {
  const where = [HELD[order], ...parts.map((one) => one.condition)].join(' AND ')
  return prepared(
    `SELECT b.id FROM bookmarks b INDEXED BY ${INDEXES[order]} WHERE ${where}
     ORDER BY ${ORDERS[order]} LIMIT @limit OFFSET @skip`
  )
    .pluck()
    .all({ ...valuesOf(parts), limit, skip: (page - 1) * limit }) as number[]
}

/** A page of all titles while some are not in their index yet: those are put in order between the others. */
function walkTitles(prepared: Prepare, { page, limit }: BookmarkList): number[] {
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
function walkSome(prepared: Prepare, parts: ListPart[], { order, page, limit }: BookmarkList, steps: number): number[] {
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
function gather(prepared: Prepare, [narrowest, ...others]: [ListPart, ...ListPart[]], order: ListOrder): number[] {
  const where = ['b.deleted_at IS NULL', ...others.map((one) => one.condition)].join(' AND ')
  return prepared(
    `SELECT b.id FROM (${narrowest.set}) one CROSS JOIN bookmarks b ON b.id = one.id WHERE ${where}
     ORDER BY ${ORDERS[order]}`
  )
    .pluck()
    .all(valuesOf([narrowest, ...others])) as number[]
}

/** Bookmarks that all filters let through; `undefined` where only their rows can tell. */
function totalOf(prepared: Prepare, parts: ListPart[], stale: boolean): number | undefined {
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

/** A page of the trash, what went there last first. */
function trash(prepared: Prepare, { page, limit }: BookmarkList): number[] {
  return prepared(
    `SELECT id FROM bookmarks INDEXED BY bookmarks_in_trash WHERE deleted_at IS NOT NULL
     ORDER BY deleted_at DESC, id DESC LIMIT ? OFFSET ?`
  )
    .pluck()
    .all(limit, (page - 1) * limit) as number[]
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
