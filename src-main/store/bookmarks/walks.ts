import type { Bookmark } from '../../contract/bookmark.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { ExportPart, WalkChoice, WalkLength, WalkPart, WalkRange } from '../../contract/library-export.ts'
import type { Tag } from '../../contract/tag.ts'
import { openMemory, type ReadConnection } from '../../database/connection.ts'
import { readRows, readTuples, readValue, readValues, run } from '../../database/sql.ts'
import { exceptOf, matchOf } from '../../search/match.ts'
import { asksEverything, parseQuery } from '../../search/query.ts'
import { hasFilter } from '../../search/query-nodes.ts'
import { type FilterPlan, planQuery } from '../../search/sql/filter-plan.ts'
import { indexedTexts, readIndexedRows } from '../../search/sql/indexed-row.ts'
import { ADD_TEXTS, UNINDEXED } from '../../search/sql/search-index.ts'
import { withPlan } from '../../search/sql/word-matches.ts'
import { bookmarksAt, newestId } from './bookmark-reads.ts'

/**
 * Walks along the profile's bookmarks by their row ids, a part after the other, however many there are.
 */

/** Rows returned at once, and rows read for them, so that no batch takes long even if few rows pass the filters. */
const BATCH = 200
const WINDOW = 20_000

/** The conditions that the bookmarks of a walk meet. */
interface Criteria {
  plan: FilterPlan
  /** A full-text expression. */
  match: string | undefined
  trash: WalkChoice['trash']
  own: boolean
}

/** The row ids that a batch of a walk reads: those above `afterRow`, up to `upTo`. */
interface IdRange {
  afterRow: number
  upTo: number
  /** Row ids in it that the words match and the index does not hold yet. */
  unindexed: number[]
}

/**
 * Returns the row ids of the next batch of a walk, and after which row id the following batch begins; `null` at the
 * end.
 */
function nextStep(
  db: ReadConnection,
  { afterRow, until, ...choice }: WalkRange
): { rowIds: number[]; next: number | null } {
  const criteria = criteriaOf(db, choice)
  if (!criteria) return { rowIds: [], next: null }
  const range = rangeAfter(db, afterRow, criteria)
  const end = until ?? newestId(db)
  const select = (where: string) => `SELECT b.id FROM bookmarks b WHERE ${where} ORDER BY b.id LIMIT ${BATCH}`
  const found = readRange<[number]>(db, select, criteria, { ...range, upTo: Math.min(range.upTo, end) })
  const rowIds = found.map(([id]) => id)
  const last = rowIds.length === BATCH ? (rowIds.at(-1) ?? end) : range.upTo
  return { rowIds, next: last >= end ? null : last }
}

/** Returns how many bookmarks a walk passes, and the row id of the newest bookmark. */
export function countMatching(db: ReadConnection, choice: WalkChoice): WalkLength {
  const until = newestId(db)
  const criteria = criteriaOf(db, choice)
  const select = (where: string) => `SELECT count(*) FROM bookmarks b WHERE ${where}`
  let total = 0
  for (const range of rangesOf(db, criteria)) total += readRange<[number]>(db, select, ...range)[0]?.[0] ?? 0
  return { total, until }
}

/** Returns how many bookmarks of a walk have each tag, by its row id. */
function countTags(db: ReadConnection, choice: WalkChoice): Map<number, number> {
  const criteria = criteriaOf(db, choice)
  const select = (where: string) =>
    `SELECT bt.tag_id, count(*) FROM bookmarks b JOIN bookmark_tags bt ON bt.bookmark_id = b.id
     WHERE ${where} GROUP BY bt.tag_id`
  const counts = new Map<number, number>()
  for (const range of rangesOf(db, criteria)) {
    for (const [tag, some] of readRange<[number, number]>(db, select, ...range)) {
      counts.set(tag, (counts.get(tag) ?? 0) + some)
    }
  }
  return counts
}

/**
 * Returns for each choice which of these bookmarks a walk would visit. Only for brackets that mix words with filters that
 * the index does not know, such as dates, are words searched in the whole library.
 */
export function matchAmong(db: ReadConnection, choices: WalkChoice[], rowIds: number[]): number[][] {
  const all = JSON.stringify(rowIds)
  return withMemoryIndex(db, rowIds, (matchWords) =>
    choices.map((choice) => {
      const criteria = criteriaOf(db, choice)
      if (!criteria) return []
      const { plan, match = '', trash, own } = criteria
      const expression = withPlan(match, plan)
      const found = expression === '' ? all : JSON.stringify(matchWords(expression))
      if (found === '[]') return []
      const where = ['b.id = one.value', TRASH[trash], own ? IS_OWN : '', plan.rowCondition].filter(Boolean)
      const sql = `SELECT b.id FROM json_each(@found) one CROSS JOIN bookmarks b ON ${where.join(' AND ')}`
      return readValues<number>(db, sql, { ...plan.values, found })
    })
  )
}

/** Returns `undefined` if nothing can match. */
function criteriaOf(
  db: ReadConnection,
  { words, typing, trash, own = false, ...filter }: WalkChoice
): Criteria | undefined {
  const parsed = words === undefined || asksEverything(words) ? undefined : parseQuery(words)
  const plan = planQuery(db, PROFILE, filter, parsed)
  const match = parsed && (matchOf(parsed, typing === true)?.texts ?? exceptOf(parsed))
  const means = parsed === undefined || match !== undefined || hasFilter(parsed)
  return !plan || !means ? undefined : { plan, match, trash, own }
}

function* rangesOf(db: ReadConnection, criteria: Criteria | undefined): Generator<[Criteria, IdRange]> {
  const end = newestId(db)
  for (let after = 0; criteria && after < end; ) {
    const range = rangeAfter(db, after, criteria)
    yield [criteria, range]
    after = range.upTo
  }
}

function rangeAfter(db: ReadConnection, after: number, { match }: Criteria): IdRange {
  const upTo = after + WINDOW
  if (match === undefined) return { afterRow: after, upTo, unindexed: [] }
  const { ids, upTo: seen } = matchUnindexed(db, match, after, upTo)
  return { afterRow: after, upTo: seen, unindexed: ids }
}

/** @param select makes SQL of a condition on `bookmarks b` */
function readRange<Row extends unknown[]>(
  db: ReadConnection,
  select: (where: string) => string,
  { plan, match, trash, own }: Criteria,
  { unindexed, ...range }: IdRange
): Row[] {
  const conditions = [
    'b.id > @afterRow AND b.id <= @upTo',
    TRASH[trash],
    own ? IS_OWN : '',
    plan.condition,
    match === undefined ? '' : MATCHING
  ]
  const where = conditions.filter((one) => one !== '').join(' AND ')
  return readTuples(db, select(where), { ...plan.values, ...range, match, unindexed: JSON.stringify(unindexed) })
}

const IS_OWN = 'b.organization_id IS NULL'

const TRASH: Record<WalkChoice['trash'], string> = {
  with: '',
  only: 'b.deleted_at IS NOT NULL',
  without: 'b.deleted_at IS NULL'
}

// FTS5 seeks to the first row id of a range only if the bounds are integers, but numbers are bound as reals. Without the
// casts it reads every match before the range: 5 ms instead of 0.3 at 100,000.
const MATCHING = `b.id IN (SELECT rowid FROM bookmark_texts
  WHERE bookmark_texts MATCH @match AND rowid > CAST(@afterRow AS INTEGER) AND rowid <= CAST(@upTo AS INTEGER)
  UNION ALL SELECT value FROM json_each(@unindexed))`

/** Returns a batch of the bookmarks of a walk, each as it is when it is read. */
export function exportBookmarks(db: ReadConnection, range: WalkRange): ExportPart {
  const { rowIds, next } = nextStep(db, range)
  return { bookmarks: bookmarksAt(db, rowIds), next }
}

/** Returns the bookmarks with these ids, in the given order. Unknown ids are skipped. */
export function readBookmarks(db: ReadConnection, ids: string[]): Bookmark[] {
  const rowIds = readValues<number>(db)`
    SELECT b.id FROM json_each(${JSON.stringify(ids)}) one CROSS JOIN bookmarks b ON b.public_id = one.value ORDER BY one.key`
  return bookmarksAt(db, rowIds)
}

/** Returns a batch of the ids that pass words and filters, in the order of saving. */
export function matchingIds(db: ReadConnection, range: WalkRange): WalkPart {
  const { rowIds, next } = nextStep(db, range)
  const ids = readValues<string>(db)`
    SELECT b.public_id FROM json_each(${JSON.stringify(rowIds)}) one CROSS JOIN bookmarks b ON b.id = one.value ORDER BY one.key`
  return { ids, next }
}

/** Returns the tags of the bookmarks that words and filters let through, and how many of them have each. */
export function tagsOfMatching(db: ReadConnection, choice: WalkChoice): Tag[] {
  return [...countTags(db, choice)].map(([tag, bookmarks]) => {
    const name = readValue<string>(db)`SELECT name FROM tags WHERE id = ${tag}`
    return { name: name ?? '', bookmarks }
  })
}

/** Returns the tags of these bookmarks, and how many of them have each. */
export function tagsOf(db: ReadConnection, ids: string[]): Tag[] {
  return readRows<Tag>(db)`
    SELECT t.name, count(*) AS bookmarks
      FROM json_each(${JSON.stringify(ids)}) one CROSS JOIN bookmarks b ON b.public_id = one.value
    JOIN bookmark_tags bt ON bt.bookmark_id = b.id JOIN tags t ON t.id = bt.tag_id GROUP BY t.id`
}

/** Bookmarks matched at once, which takes some tens of milliseconds. */
const MATCHED_AT_ONCE = 500

/**
 * Returns the unindexed bookmarks with row ids above `after`, up to `last`, that a full-text expression matches. They are
 * put into an index in memory for it, a limited number at once.
 *
 * @returns `upTo`: the row id as far as was looked
 */
function matchUnindexed(
  db: ReadConnection,
  expression: string,
  after: number,
  last: number
): { ids: number[]; upTo: number } {
  const some = `SELECT b.id FROM ${UNINDEXED} AND b.id > ? AND b.id <= ? ORDER BY b.id LIMIT ${MATCHED_AT_ONCE}`
  const rowIds = readValues<number>(db, some, after, last)
  if (rowIds.length === 0) return { ids: [], upTo: last }
  const ids = withMemoryIndex(db, rowIds, (match) => match(expression))
  return { ids, upTo: rowIds.length < MATCHED_AT_ONCE ? last : (rowIds.at(-1) ?? last) }
}

/**
 * Runs work with an index in memory of these bookmarks alone, which finds matches in microseconds.
 *
 * @param work gets a function that returns the row ids that a full-text expression matches
 */
function withMemoryIndex<Result>(
  db: ReadConnection,
  rowIds: number[],
  work: (match: (expression: string) => number[]) => Result
): Result {
  const memory = openMemory()
  try {
    memory.exec(readValue<string>(db, "SELECT sql FROM sqlite_schema WHERE name = 'bookmark_texts'") ?? '')
    for (const row of readIndexedRows(db, rowIds)) {
      const { title, tags, address, description, said } = indexedTexts(row)
      run(memory, ADD_TEXTS, row.id, title, tags, address, description, said, row.filters)
    }
    return work((expression) =>
      readValues<number>(memory, 'SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH ?', expression)
    )
  } finally {
    memory.close()
  }
}
