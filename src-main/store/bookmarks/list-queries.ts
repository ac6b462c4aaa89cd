import type { BookmarkList, KeptOrder } from '../../contract/bookmark-list.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValue, readValues } from '../../database/sql.ts'
import { filterToken } from '../../search/filter-tokens.ts'
import { EVERYTHING } from '../../search/match.ts'
import { type Filter, isOfDate, isOfSite, ONLY_STATES } from '../../search/sql/filters.ts'
import { UNINDEXED } from '../../search/sql/index-queue.ts'

/** A list in an order that an index keeps. */
export interface KeptList extends BookmarkList {
  order: KeptOrder
}

/** Returns a page along the order's index, past what these filters don't let pass, as row ids. */
export function walkOrder(db: ReadConnection, filters: Filter[], { order, page, limit }: KeptList): number[] {
  const where = [HELD[order], ...filters.map((one) => conditionOf(one, order))].join(' AND ')
  return readValues(
    db,
    `SELECT b.id FROM bookmarks b INDEXED BY ${INDEXES[order]} WHERE ${where}
     ORDER BY ${ORDERS[order]} LIMIT @limit OFFSET @skip`,
    { ...valuesOf(filters), limit, skip: (page - 1) * limit }
  )
}

/** Whether the index of an order holds a bookmark only once its words are indexed. */
export function isSettledOrder(order: KeptOrder): order is 'title' | 'site' {
  return order === 'title' || order === 'site'
}

/** Returns a page of all while some are not in the order's index yet: those are put in order between the others. */
export function walkUnsettled(
  db: ReadConnection,
  order: 'title' | 'site',
  { page, limit }: Pick<BookmarkList, 'page' | 'limit'>
): number[] {
  const [place, date, last] = order === 'title' ? [TITLE, '0', 'id'] : [SITE, 'b.created_at', 'id DESC']
  const columns = `b.id, ${place} AS place, ${date} AS date`
  return readValues(
    db,
    `SELECT id FROM (
       SELECT * FROM (SELECT ${columns} FROM bookmarks b INDEXED BY ${INDEXES[order]} WHERE ${HELD[order]}
         ORDER BY ${ORDERS[order]} LIMIT @skip + @limit)
       UNION ALL SELECT ${columns} FROM ${UNINDEXED} WHERE b.unindexed = 1)
     ORDER BY place COLLATE NOCASE, date DESC, ${last} LIMIT @limit OFFSET @skip`,
    { limit, skip: (page - 1) * limit }
  )
}

/** Walks as `walkOrder` does, but no further than `steps` rows of the order. */
export function walkSome(
  db: ReadConnection,
  filters: Filter[],
  { order, page, limit }: KeptList,
  steps: number
): number[] {
  const where = filters.map((one) => conditionOf(one, order)).join(' AND ')
  const date = order === 'title' ? '' : 'b.created_at, '
  return readValues(
    db,
    `SELECT b.id FROM (SELECT b.id, ${date}b.type, b.visibility, b.organization_id FROM bookmarks b
       INDEXED BY ${INDEXES[order]} WHERE ${HELD[order]} ORDER BY ${ORDERS[order]} LIMIT @steps) b
     WHERE ${where} LIMIT @limit OFFSET @skip`,
    { ...valuesOf(filters), steps, limit, skip: (page - 1) * limit }
  )
}

/** Returns all rows of the narrowest filter that the others let pass, in order. */
export function gather(db: ReadConnection, filters: [Filter, ...Filter[]], order: KeptOrder): number[] {
  const where = ['b.deleted_at IS NULL', ...filters.map(({ condition }) => condition)].join(' AND ')
  return readValues(
    db,
    `SELECT b.id FROM (${setOf(filters)}) one CROSS JOIN bookmarks b ON b.id = one.id WHERE ${where}
     ORDER BY ${ORDERS[order]}`,
    valuesOf(filters)
  )
}

/** Returns all that was opened lately and that the filters let pass, the last first. */
export function openedLately(db: ReadConnection, filters: Filter[]): number[] {
  const where = ['b.deleted_at IS NULL', ...filters.map(({ condition }) => condition)].join(' AND ')
  return readValues(
    db,
    `SELECT b.id FROM openings o CROSS JOIN bookmarks b ON b.id = o.bookmark_id WHERE ${where}
     ORDER BY o.opened_at DESC, o.bookmark_id DESC`,
    valuesOf(filters)
  )
}

/**
 * Counts the bookmarks of a date, and those without tags, which the index keeps no count of.
 *
 * @param stale whether a change of tags is still to reach the index: then those without tags are not counted
 */
export function countFilters(db: ReadConnection, filters: Filter[], stale: boolean): Filter[] {
  const dates = filters.filter(({ kind }) => kind === 'date')
  const ofDates = dates.length > 0 ? countAlongDates(db, dates) : 0
  return filters.map((filter) => {
    if (filter.kind === 'date') return { ...filter, bookmarks: ofDates }
    return filter.kind === 'untagged' && !stale ? { ...filter, bookmarks: countMatching(db, [filter]) } : filter
  })
}

/** Returns how many bookmarks all filters let pass; `undefined` where only their rows can tell. */
export function totalOf(db: ReadConnection, filters: [Filter, ...Filter[]], stale: boolean): number | undefined {
  const [first] = filters
  const isOne = filters.every(({ kind }) => kind === 'date') || (filters.length === 1 && !isByName(first))
  if (isOne && Number.isFinite(first.bookmarks)) return first.bookmarks
  const hasDates = filters.some(({ kind }) => kind === 'date')
  if (hasDates && filters.every((one) => costOf(one, 'newest') === 0)) return countAlongDates(db, filters)
  return stale || hasDates ? undefined : countMatching(db, filters)
}

/** Counts along the index of dates, which holds all that the filters ask about. */
function countAlongDates(db: ReadConnection, filters: Filter[]): number {
  const where = [HELD.newest, ...filters.map((one) => conditionOf(one, 'newest'))].join(' AND ')
  const sql = `SELECT count(*) FROM bookmarks b INDEXED BY ${INDEXES.newest} WHERE ${where}`
  return readValue(db, sql, valuesOf(filters)) ?? 0
}

function countMatching(db: ReadConnection, filters: Filter[]): number {
  const match = filters.map(matchOf).join(' AND ')
  const where = filters.map(({ condition }) => condition).join(' AND ')
  const onlyStates = filters.some(({ kind }) => kind === 'untagged')
    ? ` + (SELECT count(*) FROM ${ONLY_STATES} WHERE ${where})`
    : ''
  const sql = `SELECT (SELECT count(*) FROM bookmark_titles WHERE bookmark_titles MATCH @match)
    + (SELECT count(*) FROM ${UNINDEXED} WHERE ${where})${onlyStates}`
  return readValue(db, sql, { ...valuesOf(filters), match }) ?? 0
}

/** Returns a page of the trash, what went there last first. */
export function pageOfTrash(db: ReadConnection, { page, limit }: BookmarkList): number[] {
  return readValues<number>(db)`
    SELECT id FROM bookmarks INDEXED BY bookmarks_in_trash WHERE deleted_at IS NOT NULL
    ORDER BY deleted_at DESC, id DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`
}

/** Returns a filter as SQL on `bookmarks b`, of which only the columns that the order's index holds are known. */
function conditionOf({ kind, name, condition }: Filter, order: KeptOrder): string {
  const onRow = (said: string) => `EXISTS (SELECT 1 FROM bookmarks s WHERE s.id = b.id AND ${said})`
  if (kind === 'domain') return onRow(isOfSite('s', name))
  if (kind === 'date' && order === 'title') return onRow(isOfDate('s', name === 'before' ? name : 'after', name))
  return condition
}

/** Returns the cost of a filter's condition for a row, in microseconds: the lists' indexes hold some columns. */
export function costOf({ kind }: Filter, order: KeptOrder): number {
  if (kind === 'domain') return 1.5
  if (kind === 'date') return order === 'title' ? 1 : 0
  return kind === 'tag' || kind === 'link' || kind === 'untagged' ? 1 : 0
}

/** Returns SQL for the row ids that pass the first of these filters. */
function setOf(filters: [Filter, ...Filter[]]): string {
  const [{ kind, name, value, condition, bookmarks }] = filters
  // Tags by their rows, for the index follows a change of a large tag later.
  if (kind === 'tag' && !isByName({ kind, value })) {
    return `SELECT bookmark_id AS id FROM bookmark_tags WHERE tag_id = @${name}`
  }
  if (kind === 'tag') {
    return `SELECT DISTINCT bt.bookmark_id AS id FROM json_each(@${name}) n
       CROSS JOIN tags t ON t.folded BETWEEN n.value ->> 0 AND n.value ->> 1
       CROSS JOIN bookmark_tags bt ON bt.tag_id = t.id`
  }
  if (kind === 'date') {
    const dates = filters.filter((one) => one.kind === 'date').map((one) => one.condition)
    return `SELECT b.id FROM bookmarks b INDEXED BY ${INDEXES.newest} WHERE ${[HELD.newest, ...dates].join(' AND ')}`
  }
  if (bookmarks === Infinity) return `SELECT b.id FROM bookmarks b WHERE ${condition}`
  const onlyStates = kind === 'untagged' ? ` UNION ALL SELECT b.id FROM ${ONLY_STATES}` : ''
  return `SELECT rowid AS id FROM bookmark_titles WHERE bookmark_titles MATCH @${name}Token
       UNION ALL SELECT b.id FROM ${UNINDEXED} WHERE ${condition}${onlyStates}`
}

/** Whether it lets pass what has any of several tags: a bookmark that has two of them is counted twice. */
function isByName({ kind, value }: Pick<Filter, 'kind' | 'value'>): boolean {
  return kind === 'tag' && typeof value === 'string'
}

/** Returns the full-text expression for the bookmarks that pass a filter. */
function matchOf({ kind, tokens }: Filter): string {
  if (kind === 'untagged') return `((${EVERYTHING}) NOT "${filterToken.anyTag}" *)`
  return `(${tokens.map((token) => `"${token}"`).join(' OR ')})`
}

export function valuesOf(filters: Filter[]): Record<string, string | number> {
  const values = filters.flatMap((one) => [
    [one.name, one.value],
    [`${one.name}Token`, matchOf(one)]
  ])
  return Object.fromEntries(values)
}

/** As the index of titles has it: what has no title goes by its site. */
const TITLE = "substr(coalesce(nullif(b.title, ''), b.domain, ''), 1, 32) COLLATE NOCASE"

/** As the index of sites has it: what has none comes last, behind all letters. */
const SITE = "coalesce(b.domain, '~')"

const ORDERS: Record<KeptOrder, string> = {
  newest: 'b.created_at DESC, b.id DESC',
  oldest: 'b.created_at, b.id',
  title: `${TITLE}, b.id`,
  site: `${SITE}, b.created_at DESC, b.id DESC`
}

/** The condition of the rows that the index of an order holds. */
const HELD: Record<KeptOrder, string> = {
  newest: 'b.deleted_at IS NULL',
  oldest: 'b.deleted_at IS NULL',
  title: 'b.deleted_at IS NULL AND b.unindexed IS NULL',
  site: 'b.deleted_at IS NULL AND b.unindexed IS NULL'
}

const INDEXES: Record<KeptOrder, string> = {
  newest: 'bookmarks_by_date',
  oldest: 'bookmarks_by_date',
  title: 'bookmarks_by_title',
  site: 'bookmarks_by_site'
}
