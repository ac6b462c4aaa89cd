import type { BookmarkQuery } from '../../contract/bookmark.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readTuples, readValue, readValues } from '../../database/sql.ts'
import { type Match, withFilters } from '../match.ts'
import { createRanking, type Rankable, type RankedGroup } from '../rank.ts'
import type { FilterPlan } from './filter-plan.ts'
import { anyToIndex, UNINDEXED } from './search-index.ts'

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

/**
 * Maximum number of rows on which filters are checked that the index does not know, in one look-up: some 3 µs each. Of more
 * matches only the newest are looked at, so that no query holds up others.
 */
const MAX_CHECKED = 20_000

/** Returns the row ids that a full-text expression and the filters let pass, newest first. */
export function matchRows(
  db: ReadConnection,
  table: Table,
  expression: string,
  plan: FilterPlan,
  limit: number,
  mostChecked = MAX_CHECKED
): number[] {
  const values = { ...plan.values, match: withPlan(expression, plan), limit, mostChecked: checked(plan, mostChecked) }
  return readValues(db, `${matching(table, plan)} LIMIT @limit`, values)
}

/** Returns how many bookmarks a full-text expression and the filters let pass, up to `most`. */
export function countMatches(
  db: ReadConnection,
  expression: string,
  plan: FilterPlan,
  most: number,
  mostChecked = MAX_CHECKED
): number {
  const values = { ...plan.values, match: withPlan(expression, plan), most, mostChecked: checked(plan, mostChecked) }
  return readValue(db, `SELECT count(*) FROM (${matching('bookmark_texts', plan)} LIMIT @most)`, values) ?? 0
}

/** SQLite reads a negative limit as none. */
function checked({ isBounded }: FilterPlan, most: number): number {
  return isBounded ? most : -1
}

/** Returns whether more bookmarks match than filters are checked on, so that some that pass may be missing. */
export function isCutShort(
  db: ReadConnection,
  expression: string,
  plan: FilterPlan,
  mostChecked = MAX_CHECKED
): boolean {
  if (plan.rowCondition === '' || !plan.isBounded) return false
  const unfiltered = { ...plan, rowCondition: '' }
  return countMatches(db, expression, unfiltered, mostChecked + 1) > mostChecked
}

function matching(table: Table, { rowCondition }: FilterPlan): string {
  const found = `SELECT rowid FROM ${table} WHERE ${table} MATCH @match ORDER BY rowid DESC`
  if (rowCondition === '') return found
  return `SELECT b.id FROM (${found} LIMIT @mostChecked) found CROSS JOIN bookmarks b ON b.id = found.rowid
    WHERE ${rowCondition} ORDER BY found.rowid DESC`
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

/**
 * Finds bookmarks that contain every word, best first. Few matches are ranked. Of many, those with every word in their title
 * or tags come first, ranked if they are few; then the others, newest first. Only as much is read as the page and the
 * total need. If the index of titles cannot answer the query or its filters, only titles of the newest matches are read.
 */
export function matchWords(
  db: ReadConnection,
  { titles, texts, groups }: Match,
  plan: FilterPlan,
  query: BookmarkQuery
): Found {
  const most = rowsNeeded(query, RANK_CAP)
  const wanted = query.page * query.limit
  const all = matchRows(db, 'bookmark_texts', texts, plan, most)
  if (all.length <= RANK_CAP) return capped(rankBest(db, all, groups, wanted), all.length)
  if (titles === undefined || plan.expressions.length > 0) {
    return capped(all, all.length)
  }
  const inTitles = matchRows(db, 'bookmark_titles', titles, plan, most)
  const { inTitle, others } =
    inTitles.length <= RANK_CAP ? rankTitles(db, inTitles, groups) : { inTitle: [], others: inTitles }
  const best = [...inTitle, ...others]
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
  order: DateOrder
): Found {
  const all = matchRows(db, 'bookmark_texts', texts, plan, MAX_ROWS)
  const ids = sortByDate(db, all, order, rowsNeeded(query, RANK_CAP))
  return capped(ids, all.length)
}

/** Up to this many bookmarks are looked up in the index and sorted; of more, dates are walked along until enough pass. */
const MAX_SORTED = 10_000

/** Returns whether a list is read along the dates, because the index knows none of its filters or would find too many. */
export function walksDates(plan: FilterPlan, except: string | undefined): boolean {
  const isIndexed = except !== undefined || plan.expressions.length > 0
  return !isIndexed && (plan.tokens.length === 0 || plan.narrowest > MAX_SORTED)
}

/** Returns the row ids that pass the filters and an expression that leaves out words, by date; some may be left out. */
export function listRows(
  db: ReadConnection,
  plan: FilterPlan,
  most: number,
  except: string | undefined,
  order: DateOrder = 'newest'
): number[] {
  const isIndexed = except !== undefined || plan.expressions.length > 0
  if (walksDates(plan, except)) {
    const where = [plan.condition, 'b.deleted_at IS NULL'].filter((part) => part !== '').join(' AND ')
    return readValues(db, `SELECT b.id FROM bookmarks b WHERE ${where} ${BY_DATE[order]} LIMIT @most`, {
      ...plan.values,
      most
    })
  }
  // Of very many, such as everything without a word, those that were saved last are sorted.
  const looked = plan.narrowest > MAX_SORTED && order === 'newest' ? most : MAX_SORTED
  const indexed = matchRows(db, isIndexed ? 'bookmark_texts' : 'bookmark_titles', except ?? '', plan, looked)
  const unindexed =
    anyToIndex(db) && !isIndexed
      ? readValues<number>(db, `SELECT b.id FROM ${UNINDEXED} AND ${plan.condition}`, plan.values)
      : []
  return sortByDate(db, [...new Set([...indexed, ...unindexed])], order, most)
}

type DateOrder = 'oldest' | 'newest'

const BY_DATE: Record<DateOrder, string> = {
  oldest: 'ORDER BY b.created_at, b.id',
  newest: 'ORDER BY b.created_at DESC, b.id DESC'
}

function sortByDate(db: ReadConnection, rowIds: number[], order: DateOrder, most: number): number[] {
  const sql = `SELECT b.id FROM json_each(@ids) one CROSS JOIN bookmarks b ON b.id = one.value ${BY_DATE[order]} LIMIT @most`
  return readValues(db, sql, { ids: JSON.stringify(rowIds), most })
}

function capped(ids: number[], total: number): Found {
  return { ids, total: Math.min(total, RANK_CAP), atLeast: total > RANK_CAP }
}

/**
 * Returns the best of a few bookmarks, best first: at least `most`, if there are as many. Those that hold a word of every
 * group in their title come first, and the others are read only if those are too few.
 */
function rankBest(db: ReadConnection, ids: number[], groups: RankedGroup[], most: number): number[] {
  const rank = createRanking(groups)
  const { inTitle, others } = rankTitles(db, ids, groups, rank)
  if (inTitle.length >= most || others.length === 0) return inTitle
  const all = allOf(groups)
  const ranked = [...readRankable(db, others)].map(([id, bookmark]) => ({ id, score: rank(bookmark, all).score }))
  return [...inTitle, ...bestFirst(ranked)]
}

/** Returns the bookmarks that hold a word of every group in their title, best first, and the others, newest first. */
function rankTitles(
  db: ReadConnection,
  ids: number[],
  groups: RankedGroup[],
  rank = createRanking(groups)
): Record<'inTitle' | 'others', number[]> {
  const all = allOf(groups)
  const inTitle: Scored[] = []
  const others: number[] = []
  for (const [id, title] of readTitles(db, ids)) {
    const { holds, score } = rank({ title, tags: [], domain: null, url: null, description: '' }, 0)
    if (holds === all) inTitle.push({ id, score })
    else others.push(id)
  }
  return { inTitle: bestFirst(inTitle), others }
}

/** Returns all groups as bits. */
function allOf(groups: RankedGroup[]): number {
  return 2 ** groups.length - 1
}

/** Returns the texts that bookmarks are ranked by, by row id. */
export function readRankable(db: ReadConnection, ids: number[]): Map<number, Rankable> {
  const rows = readRows<Omit<Rankable, 'tags'> & { id: number; tags: string }>(db, TEXTS, JSON.stringify(ids))
  return new Map(rows.map(({ id, tags, ...texts }) => [id, { ...texts, tags: JSON.parse(tags) as string[] }]))
}

const TEXTS = `SELECT b.id, b.title, b.url, b.domain, b.description, (SELECT json_group_array(t.name)
    FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id) AS tags
  FROM json_each(?) wanted JOIN bookmarks b ON b.id = wanted.value`

function readTitles(db: ReadConnection, ids: number[]): [id: number, title: string][] {
  const titles = 'SELECT b.id, b.title FROM json_each(?) wanted JOIN bookmarks b ON b.id = wanted.value'
  return readTuples(db, titles, JSON.stringify(ids))
}

interface Scored {
  id: number
  score: number
}

function bestFirst(scored: Scored[]): number[] {
  return scored.sort((a, b) => b.score - a.score || b.id - a.id).map(({ id }) => id)
}
