import type { BookmarkList, ListOrder } from '../../contract/bookmark-list.ts'
import { type Filter, isOfSite } from '../../search/sql/filters.ts'
import { UNINDEXED } from '../../search/sql/index-queue.ts'
import type { ReadConnection } from '../connection.ts'
import { readValue, readValues } from '../statements.ts'

/** Returns a page along the order's index, past what these filters don't let pass, as row ids. */
export function walkOrder(db: ReadConnection, filters: Filter[], { order, page, limit }: BookmarkList): number[] {
  const where = [HELD[order], ...filters.map(conditionOf)].join(' AND ')
  return readValues(
    db,
    `SELECT b.id FROM bookmarks b INDEXED BY ${INDEXES[order]} WHERE ${where}
     ORDER BY ${ORDERS[order]} LIMIT @limit OFFSET @skip`,
    { ...valuesOf(filters), limit, skip: (page - 1) * limit }
  )
}

/** Returns a page of all titles while some are not in their index yet: those are put in order between the others. */
export function walkTitles(db: ReadConnection, { page, limit }: BookmarkList): number[] {
  return readValues(
    db,
    `SELECT id FROM (
       SELECT * FROM (SELECT b.id, ${TITLE} AS place FROM bookmarks b INDEXED BY ${INDEXES.title} WHERE ${HELD.title}
         ORDER BY ${ORDERS.title} LIMIT @skip + @limit)
       UNION ALL SELECT b.id, ${TITLE} FROM ${UNINDEXED} WHERE b.unindexed = 1)
     ORDER BY place COLLATE NOCASE, id LIMIT @limit OFFSET @skip`,
    { limit, skip: (page - 1) * limit }
  )
}

/** Walks as `walkOrder` does, but no further than `steps` rows of the order. */
export function walkSome(
  db: ReadConnection,
  filters: Filter[],
  { order, page, limit }: BookmarkList,
  steps: number
): number[] {
  const where = filters.map(conditionOf).join(' AND ')
  return readValues(
    db,
    `SELECT b.id FROM (SELECT b.id, b.type, b.visibility, b.organization_id FROM bookmarks b
       INDEXED BY ${INDEXES[order]} WHERE ${HELD[order]} ORDER BY ${ORDERS[order]} LIMIT @steps) b
     WHERE ${where} LIMIT @limit OFFSET @skip`,
    { ...valuesOf(filters), steps, limit, skip: (page - 1) * limit }
  )
}

/** Returns all rows of the narrowest filter that the others let pass, in order. */
export function gather(db: ReadConnection, [narrowest, ...others]: [Filter, ...Filter[]], order: ListOrder): number[] {
  const where = ['b.deleted_at IS NULL', ...others.map(conditionOf)].join(' AND ')
  return readValues(
    db,
    `SELECT b.id FROM (${setOf(narrowest)}) one CROSS JOIN bookmarks b ON b.id = one.id WHERE ${where}
     ORDER BY ${ORDERS[order]}`,
    valuesOf([narrowest, ...others])
  )
}

/** Returns how many bookmarks all filters let pass; `undefined` where only their rows can tell. */
export function totalOf(db: ReadConnection, filters: Filter[], stale: boolean): number | undefined {
  const [first, second] = filters
  if (first && !second && !isByName(first)) return first.bookmarks
  if (stale) return undefined
  const match = filters.map(matchOf).join(' AND ')
  const where = filters.map(conditionOf).join(' AND ')
  return readValue(
    db,
    `SELECT (SELECT count(*) FROM bookmark_titles WHERE bookmark_titles MATCH @match)
       + (SELECT count(*) FROM ${UNINDEXED} WHERE ${where})`,
    { ...valuesOf(filters), match }
  )
}

/** Returns a page of the trash, what went there last first. */
export function pageOfTrash(db: ReadConnection, { page, limit }: BookmarkList): number[] {
  return readValues<number>(db)`
    SELECT id FROM bookmarks INDEXED BY bookmarks_in_trash WHERE deleted_at IS NOT NULL
    ORDER BY deleted_at DESC, id DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`
}

/** Returns a filter as SQL on `bookmarks b`, of which only the columns that the lists' indexes hold are known. */
function conditionOf({ kind, name, condition }: Filter): string {
  return kind === 'domain'
    ? `EXISTS (SELECT 1 FROM bookmarks s WHERE s.id = b.id AND ${isOfSite('s', name)})`
    : condition
}

/** Returns the cost of a filter's condition for a row, in microseconds: the lists' indexes hold some columns. */
export function costOf({ kind }: Filter): number {
  if (kind === 'domain') return 1.5
  return kind === 'tag' || kind === 'link' || kind === 'untagged' ? 1 : 0
}

/** Returns SQL for the row ids that pass a filter. */
function setOf({ kind, name, value, condition }: Filter): string {
  // Tags by their rows, for the index follows a change of a large tag later.
  if (kind === 'tag' && !isByName({ kind, value })) {
    return `SELECT bookmark_id AS id FROM bookmark_tags WHERE tag_id = @${name}`
  }
  return kind === 'tag'
    ? `SELECT DISTINCT bt.bookmark_id AS id FROM json_each(@${name}) n
       CROSS JOIN tags t ON t.folded BETWEEN n.value ->> 0 AND n.value ->> 1
       CROSS JOIN bookmark_tags bt ON bt.tag_id = t.id`
    : `SELECT rowid AS id FROM bookmark_titles WHERE bookmark_titles MATCH @${name}Token
       UNION ALL SELECT b.id FROM ${UNINDEXED} WHERE ${condition}`
}

/** Whether it lets pass what has any of several tags: a bookmark that has two of them is counted twice. */
function isByName({ kind, value }: Pick<Filter, 'kind' | 'value'>): boolean {
  return kind === 'tag' && typeof value === 'string'
}

/** Returns the full-text expression for the bookmarks that pass a filter. */
function matchOf({ tokens }: Filter): string {
  return `(${tokens.map((token) => `"${token}"`).join(' OR ')})`
}

function valuesOf(filters: Filter[]): Record<string, string | number> {
  const values = filters.flatMap((one) => [
    [one.name, one.value],
    [`${one.name}Token`, matchOf(one)]
  ])
  return Object.fromEntries(values)
}

/** As the index of titles has it: what has no title goes by its site. */
const TITLE = "substr(coalesce(nullif(b.title, ''), b.domain, ''), 1, 32) COLLATE NOCASE"

const ORDERS: Record<ListOrder, string> = {
  newest: 'b.created_at DESC, b.id DESC',
  oldest: 'b.created_at, b.id',
  title: `${TITLE}, b.id`
}

/** The condition of the rows that the index of an order holds. */
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
