import type { BookmarkQuery } from '../../contract/bookmark.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValue, readValues } from '../../database/sql.ts'
import { type Match, withFilters } from '../match.ts'
import type { FilterPlan } from './filter-plan.ts'
import { rankBest, rankByTitle, titlesFirst } from './ranked-rows.ts'

/**
 * Up to this many matches of words are counted, and all of them ranked; of more, those in titles and tags come first,
 * newest first. Counting further costs more than anyone reads.
 */
const RANK_CAP = 100

/** Maximum number of rows that a search pages through. */
const MAX_ROWS = 10_000

/** Returns how many rows the page needs and the total counts. */
export function rowsNeeded({ page, limit }: BookmarkQuery, cap: number): number {
  return Math.min(MAX_ROWS, Math.max(cap + 1, page * limit + 1))
}

/** Row ids, best first, at least as far as the page needs; the total is exact unless `atLeast`. */
export interface Found {
  ids: number[]
  total: number
  atLeast: boolean
}

type Table = 'bookmark_texts' | 'bookmark_titles'

/** Returns the row ids that a full-text expression and the filters let pass, newest first. */
export function matchRows(
  db: ReadConnection,
  table: Table,
  expression: string,
  plan: FilterPlan,
  limit: number
): number[] {
  return readValues(
    db,
    `SELECT rowid FROM ${table} WHERE ${table} MATCH @match${andRowPasses(table, plan)} ORDER BY rowid DESC LIMIT @limit`,
    { ...plan.values, match: withPlan(expression, plan), limit }
  )
}

/** Returns how many bookmarks a full-text expression and the filters let pass, up to `most`. */
export function countMatches(db: ReadConnection, expression: string, plan: FilterPlan, most: number): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM bookmark_texts
    WHERE bookmark_texts MATCH @match${andRowPasses('bookmark_texts', plan)} LIMIT @most)`
  return readValue(db, sql, { ...plan.values, match: withPlan(expression, plan), most }) ?? 0
}

/** Adds to an expression what the index knows of the filters. */
export function withPlan(expression: string, { tokens, expressions }: FilterPlan): string {
  return withFilters(
    [expression, ...expressions]
      .filter((one) => one !== '')
      .map((one) => `(${one})`)
      .join(' AND '),
    tokens
  )
}

/** Checks the filters that are not tokens of the index. */
function andRowPasses(table: Table, { rowCondition }: FilterPlan): string {
  return rowCondition === ''
    ? ''
    : ` AND EXISTS (SELECT 1 FROM bookmarks b WHERE b.id = ${table}.rowid AND ${rowCondition})`
}

/**
 * Finds bookmarks that contain every word, best first. Few matches are ranked. Of many, those with every word in their title
 * or tags come first, ranked if they are few; then the others, newest first. Only as much is read as the page and the
 * total need. If the index of titles cannot answer the query or its filters, only titles of the newest matches are read.
 *
 * @param groups the folded words as typed; one of every group must match
 */
export function matchWords(
  db: ReadConnection,
  { titles, texts }: Match,
  groups: string[][],
  plan: FilterPlan,
  query: BookmarkQuery
): Found {
  const most = rowsNeeded(query, RANK_CAP)
  const wanted = query.page * query.limit
  const all = matchRows(db, 'bookmark_texts', texts, plan, most)
  if (all.length <= RANK_CAP) return capped(rankBest(db, all, groups, wanted), all.length)
  if (titles === undefined || plan.expressions.length > 0) {
    const newest = titlesFirst(db, all.slice(0, RANK_CAP), groups)
    return capped([...newest, ...all.slice(RANK_CAP)], all.length)
  }
  const inTitles = matchRows(db, 'bookmark_titles', titles, plan, most)
  const best = inTitles.length <= RANK_CAP ? rankByTitle(db, inTitles, groups.flat()) : inTitles
  if (best.length >= wanted) return capped(best, all.length)
  const known = new Set(inTitles)
  const rest = matchRows(db, 'bookmark_texts', texts, plan, most + inTitles.length).filter((id) => !known.has(id))
  return capped([...best, ...rest], all.length)
}

/** Finds bookmarks that contain every word, by date. Of very many, the newest are sorted. */
export function matchByDate(
  db: ReadConnection,
  texts: string,
  plan: FilterPlan,
  query: BookmarkQuery,
  order: 'oldest' | 'newest'
): Found {
  const all = matchRows(db, 'bookmark_texts', texts, plan, MAX_ROWS)
  const direction = order === 'oldest' ? 'ASC' : 'DESC'
  const sql = `SELECT b.id FROM json_each(@ids) one CROSS JOIN bookmarks b ON b.id = one.value
    ORDER BY b.created_at ${direction}, b.id ${direction} LIMIT @most`
  const ids = readValues<number>(db, sql, { ids: JSON.stringify(all), most: rowsNeeded(query, RANK_CAP) })
  return capped(ids, all.length)
}

function capped(ids: number[], total: number): Found {
  return { ids, total: Math.min(total, RANK_CAP), atLeast: total > RANK_CAP }
}
