import type { BookmarkQuery } from '../../contract/bookmark.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readTuples, readValue, readValues } from '../../database/sql.ts'
import { type Match, withFilters } from '../match.ts'
import { createRanking, type Rankable, type RankedGroup } from '../rank.ts'
import type { FilterPlan } from './filter-plan.ts'
import { anyToIndex, UNINDEXED } from './search-index.ts'

/**
 * Up to this number, matches are counted and ranked. If there are more, those with all words in titles and tags come first,
 * and each part is sorted newest first. Nobody reads so many results that a higher count would pay.
 */
const MAX_RANKED = 100

/** Maximum number of results on all pages of a search. */
const MAX_ROWS = 10_000

/** Returns how many rows must be read for the page, and for a total up to `cap`. */
export function rowsNeeded({ page, limit }: BookmarkQuery, cap: number): number {
  return Math.min(MAX_ROWS, Math.max(cap + 1, page * limit + 1))
}

/** Row ids, best first, at least up to the end of the page. The total is exact unless `atLeast`. */
export interface Matches {
  ids: number[]
  total: number
  atLeast: boolean
}

type Table = 'bookmark_texts' | 'bookmark_titles'

/**
 * Maximum number of rows on which filters are checked in one look-up, at some 3 µs each. If more rows match, only the newest
 * are checked, so that no query delays others for long.
 */
const MAX_CHECKED = 20_000

/** Returns the row ids that match a full-text expression and the filters, newest first. */
export function matchRows(
  db: ReadConnection,
  table: Table,
  expression: string,
  plan: FilterPlan,
  limit: number,
  maxChecked = MAX_CHECKED
): number[] {
  const values = { ...plan.values, match: withPlan(expression, plan), limit, maxChecked: checkLimit(plan, maxChecked) }
  return readValues(db, `${matching(table, plan)} LIMIT @limit`, values)
}

/** Counts the bookmarks that match a full-text expression and the filters, up to `limit`. */
export function countMatches(
  db: ReadConnection,
  expression: string,
  plan: FilterPlan,
  limit: number,
  maxChecked = MAX_CHECKED
): number {
  const values = { ...plan.values, match: withPlan(expression, plan), limit, maxChecked: checkLimit(plan, maxChecked) }
  return readValue(db, `SELECT count(*) FROM (${matching('bookmark_texts', plan)} LIMIT @limit)`, values) ?? 0
}

/** Returns the value for `LIMIT`. In SQLite, a negative limit is none. */
function checkLimit({ isBounded }: FilterPlan, maxChecked: number): number {
  return isBounded ? maxChecked : -1
}

/** Returns whether filters were checked on only some of the matching rows, so that results may be missing. */
export function isCutShort(
  db: ReadConnection,
  expression: string,
  plan: FilterPlan,
  maxChecked = MAX_CHECKED
): boolean {
  if (plan.rowCondition === '' || !plan.isBounded) return false
  const unfiltered = { ...plan, rowCondition: '' }
  return countMatches(db, expression, unfiltered, maxChecked + 1) > maxChecked
}

function matching(table: Table, { rowCondition }: FilterPlan): string {
  const matches = `SELECT rowid FROM ${table} WHERE ${table} MATCH @match ORDER BY rowid DESC`
  if (rowCondition === '') return matches
  return `SELECT b.id FROM (${matches} LIMIT @maxChecked) matches CROSS JOIN bookmarks b ON b.id = matches.rowid
    WHERE ${rowCondition} ORDER BY matches.rowid DESC`
}

/** Adds the filters that the index checks to an expression. */
export function withPlan(expression: string, { tokens, expressions }: FilterPlan): string {
  return withFilters(
    [expression, ...expressions]
      .filter((part) => part !== '')
      .map((part) => `(${part})`)
      .join(' AND '),
    tokens
  )
}

/**
 * Finds bookmarks that contain every word, best first. Up to `MAX_RANKED` matches are ranked. If there are more, those with
 * every word in their title or tags come first, ranked if they are few; then the others, newest first. If the index of
 * titles cannot check the query or its filters, many matches are only sorted newest first.
 */
export function matchWords(
  db: ReadConnection,
  { titles, texts, groups }: Match,
  plan: FilterPlan,
  query: BookmarkQuery
): Matches {
  const limit = rowsNeeded(query, MAX_RANKED)
  const needed = query.page * query.limit
  const ids = matchRows(db, 'bookmark_texts', texts, plan, limit)
  if (ids.length <= MAX_RANKED) return limitTotal(rankBest(db, ids, groups, needed), ids.length)
  if (titles === undefined || plan.expressions.length > 0) {
    return limitTotal(ids, ids.length)
  }
  const inTitles = matchRows(db, 'bookmark_titles', titles, plan, limit)
  const { inTitle, others } =
    inTitles.length <= MAX_RANKED ? rankTitles(db, inTitles, groups) : { inTitle: [], others: inTitles }
  const best = [...inTitle, ...others]
  if (best.length >= needed) return limitTotal(best, ids.length)
  const inTitleIds = new Set(inTitles)
  const rest = matchRows(db, 'bookmark_texts', texts, plan, limit + inTitles.length).filter((id) => !inTitleIds.has(id))
  return limitTotal([...best, ...rest], ids.length)
}

/** Finds bookmarks that contain every word, sorted by date. If very many match, only those saved last are included. */
export function matchByDate(
  db: ReadConnection,
  texts: string,
  plan: FilterPlan,
  query: BookmarkQuery,
  order: DateOrder
): Matches {
  const all = matchRows(db, 'bookmark_texts', texts, plan, MAX_ROWS)
  const ids = sortByDate(db, all, order, rowsNeeded(query, MAX_RANKED))
  return limitTotal(ids, all.length)
}

/** Maximum number of bookmarks that are found in the index and sorted. With more, all bookmarks are read by date. */
const MAX_SORTED = 10_000

/** Returns whether a list reads all bookmarks by date, because the index has none of its filters or too many rows. */
export function scansByDate(plan: FilterPlan, exclusion: string | undefined): boolean {
  const isIndexed = exclusion !== undefined || plan.expressions.length > 0
  return !isIndexed && (plan.tokens.length === 0 || plan.narrowestCount > MAX_SORTED)
}

/**
 * Returns the row ids that match the filters, sorted by date. May be incomplete (`isCutShort`).
 *
 * @param exclusion the expression for excluded words
 */
export function listRows(
  db: ReadConnection,
  plan: FilterPlan,
  limit: number,
  exclusion: string | undefined,
  order: DateOrder = 'newest'
): number[] {
  const isIndexed = exclusion !== undefined || plan.expressions.length > 0
  if (scansByDate(plan, exclusion)) {
    const where = [plan.condition, 'b.deleted_at IS NULL'].filter((part) => part !== '').join(' AND ')
    return readValues(db, `SELECT b.id FROM bookmarks b WHERE ${where} ${BY_DATE[order]} LIMIT @limit`, {
      ...plan.values,
      limit
    })
  }
  // If very many match, such as all bookmarks without a word, only those that were saved last are sorted.
  const indexLimit = plan.narrowestCount > MAX_SORTED && order === 'newest' ? limit : MAX_SORTED
  const table = isIndexed ? 'bookmark_texts' : 'bookmark_titles'
  const indexed = matchRows(db, table, exclusion ?? '', plan, indexLimit)
  const unindexed =
    anyToIndex(db) && !isIndexed
      ? readValues<number>(db, `SELECT b.id FROM ${UNINDEXED} AND ${plan.condition}`, plan.values)
      : []
  return sortByDate(db, [...new Set([...indexed, ...unindexed])], order, limit)
}

type DateOrder = 'oldest' | 'newest'

const BY_DATE: Record<DateOrder, string> = {
  oldest: 'ORDER BY b.created_at, b.id',
  newest: 'ORDER BY b.created_at DESC, b.id DESC'
}

function sortByDate(db: ReadConnection, rowIds: number[], order: DateOrder, limit: number): number[] {
  const sql = `SELECT b.id FROM json_each(@ids) ids CROSS JOIN bookmarks b ON b.id = ids.value ${BY_DATE[order]} LIMIT @limit`
  return readValues(db, sql, { ids: JSON.stringify(rowIds), limit })
}

function limitTotal(ids: number[], total: number): Matches {
  return { ids, total: Math.min(total, MAX_RANKED), atLeast: total > MAX_RANKED }
}

/**
 * Ranks bookmarks, best first. Those that match every group in their title come first. If there are at least `limit` of
 * them, the others are not read and not returned.
 */
function rankBest(db: ReadConnection, ids: number[], groups: RankedGroup[], limit: number): number[] {
  const rank = createRanking(groups)
  const { inTitle, others } = rankTitles(db, ids, groups, rank)
  if (inTitle.length >= limit || others.length === 0) return inTitle
  const allBits = allBitsOf(groups)
  const ranked = [...readRankable(db, others)].map(([id, bookmark]) => ({ id, score: rank(bookmark, allBits).score }))
  return [...inTitle, ...bestFirst(ranked)]
}

/** Divides bookmarks into those that match every group in their title, best first, and the others, newest first. */
function rankTitles(
  db: ReadConnection,
  ids: number[],
  groups: RankedGroup[],
  rank = createRanking(groups)
): Record<'inTitle' | 'others', number[]> {
  const allBits = allBitsOf(groups)
  const inTitle: Scored[] = []
  const others: number[] = []
  for (const [id, title] of readTitles(db, ids)) {
    const { matchedBits, score } = rank({ title, tags: [], domain: null, url: null, description: '' }, 0)
    if (matchedBits === allBits) inTitle.push({ id, score })
    else others.push(id)
  }
  return { inTitle: bestFirst(inTitle), others }
}

/** Returns the bit set of all groups. */
function allBitsOf(groups: RankedGroup[]): number {
  return 2 ** groups.length - 1
}

/** Returns the texts by which bookmarks are ranked, by row id. */
export function readRankable(db: ReadConnection, ids: number[]): Map<number, Rankable> {
  const rows = readRows<Omit<Rankable, 'tags'> & { id: number; tags: string }>(db, TEXTS, JSON.stringify(ids))
  return new Map(rows.map(({ id, tags, ...texts }) => [id, { ...texts, tags: JSON.parse(tags) as string[] }]))
}

const TEXTS = `SELECT b.id, b.title, b.url, b.domain, b.description, (SELECT json_group_array(t.name)
    FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id) AS tags
  FROM json_each(?) ids JOIN bookmarks b ON b.id = ids.value`

function readTitles(db: ReadConnection, ids: number[]): [id: number, title: string][] {
  const titles = 'SELECT b.id, b.title FROM json_each(?) ids JOIN bookmarks b ON b.id = ids.value'
  return readTuples(db, titles, JSON.stringify(ids))
}

interface Scored {
  id: number
  score: number
}

function bestFirst(scored: Scored[]): number[] {
  return scored.sort((a, b) => b.score - a.score || b.id - a.id).map(({ id }) => id)
}
