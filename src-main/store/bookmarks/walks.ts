import type { Bookmark } from '../../contract/bookmark.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { WalkChoice } from '../../contract/library-export.ts'
import type { Tag } from '../../contract/tag.ts'
import { openMemory, type ReadConnection } from '../../database/connection.ts'
import { readRows, readTuples, readValue, readValues, run } from '../../database/sql.ts'
import { createMatch, exclusionExpression } from '../../search/match.ts'
import { hasFilter } from '../../search/query-nodes.ts'
import type { FilterPlan } from '../../search/sql/filter-plan.ts'
import { indexedTexts, readIndexedRows } from '../../search/sql/indexed-row.ts'
import { readCriteria } from '../../search/sql/search.ts'
import { ADD_TEXTS, UNINDEXED } from '../../search/sql/search-index.ts'
import { correctCriteria } from '../../search/sql/search-page.ts'
import { withPlan } from '../../search/sql/word-matches.ts'
import { bookmarksAt } from './bookmark-reads.ts'

/** Reads all the profile's bookmarks that match words and filters exactly, for bulk changes, exports and counts. */

interface Criteria {
  plan: FilterPlan
  /** A full-text expression. */
  match: string | undefined
  trash: WalkChoice['trash']
  own: boolean
}

/** Returns the ids of all bookmarks that match, in the order of saving. */
export function matchingIds(db: ReadConnection, choice: WalkChoice): string[] {
  return readMatching<[string]>(
    db,
    choice,
    (where) => `SELECT b.public_id FROM bookmarks b WHERE ${where} ORDER BY b.id`
  ).map(([id]) => id)
}

/** Returns how many bookmarks match. */
export function countMatching(db: ReadConnection, choice: WalkChoice): number {
  const [[count] = [0]] = readMatching<[number]>(
    db,
    choice,
    (where) => `SELECT count(*) FROM bookmarks b WHERE ${where}`
  )
  return count
}

/** @param select returns the SQL for a condition on `bookmarks b` */
function readMatching<Row extends unknown[]>(
  db: ReadConnection,
  choice: WalkChoice,
  select: (where: string) => string
): Row[] {
  const criteria = criteriaOf(db, choice)
  if (!criteria) return []
  const { plan, match, trash, own } = criteria
  const conditions = [TRASH[trash], own ? IS_OWN : '', plan.condition, match === undefined ? '' : MATCHING]
  const where = conditions.filter((condition) => condition !== '').join(' AND ') || 'true'
  const unindexed = match === undefined ? [] : matchUnindexed(db, match)
  return readTuples(db, select(where), { ...plan.values, match, unindexed: JSON.stringify(unindexed) })
}

/**
 * Returns, for each choice, which of these bookmarks match it. Words are searched in an index of these bookmarks only.
 * Words in brackets together with a filter that is not in the index, such as a date, are searched in the whole library.
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
  { words, typing, trash, own = false, forgiving, ...filter }: WalkChoice
): Criteria | undefined {
  const typed = readCriteria(db, PROFILE, { ...filter, words, typing, page: 1, limit: 1 })
  const { parsed, plan } = forgiving ? correctCriteria(db, typed) : typed
  const match = parsed && (createMatch(parsed, typing === true)?.texts ?? exclusionExpression(parsed))
  const means = parsed === undefined || match !== undefined || hasFilter(parsed)
  return !plan || !means ? undefined : { plan, match, trash, own }
}

const IS_OWN = 'b.organization_id IS NULL'

const TRASH: Record<WalkChoice['trash'], string> = {
  with: '',
  only: 'b.deleted_at IS NOT NULL',
  without: 'b.deleted_at IS NULL'
}

const MATCHING = `b.id IN (SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH @match
  UNION ALL SELECT value FROM json_each(@unindexed))`

/** Returns the bookmarks with these ids, in the given order. Unknown ids are skipped. */
export function readBookmarks(db: ReadConnection, ids: string[]): Bookmark[] {
  const rowIds = readValues<number>(db)`
    SELECT b.id FROM json_each(${JSON.stringify(ids)}) one CROSS JOIN bookmarks b ON b.public_id = one.value ORDER BY one.key`
  return bookmarksAt(db, rowIds)
}

/**
 * Returns the ids of all bookmarks outside the trash, except stored pictures, each with a text that changes whenever the
 * bookmark or its page's details change.
 */
export function bookmarkStamps(db: ReadConnection): [id: string, stamp: string][] {
  return readTuples<[string, string]>(db)`
    SELECT b.public_id, concat_ws(' ', b.updated_at, (SELECT read_at FROM page_details d WHERE d.bookmark_id = b.id),
      (SELECT length(text) FROM page_texts p WHERE p.bookmark_id = b.id), (SELECT group_concat(t.name) FROM bookmark_tags bt
        JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id))
    FROM bookmarks b WHERE b.deleted_at IS NULL AND b.picture IS NULL ORDER BY b.id`
}

/** Returns the tags of these bookmarks, and for each tag how many of these bookmarks have it. */
export function tagsOf(db: ReadConnection, ids: string[]): Tag[] {
  return readRows<Tag>(db)`
    SELECT t.name, count(*) AS bookmarks
      FROM json_each(${JSON.stringify(ids)}) one CROSS JOIN bookmarks b ON b.public_id = one.value
    JOIN bookmark_tags bt ON bt.bookmark_id = b.id JOIN tags t ON t.id = bt.tag_id GROUP BY t.id`
}

/** Maximum number of bookmarks in an index in memory. */
const MATCHED_AT_ONCE = 500

/** Returns the unindexed bookmarks that match a full-text expression, with an index in memory of each batch. */
function matchUnindexed(db: ReadConnection, expression: string): number[] {
  const matching: number[] = []
  const batch = `SELECT b.id FROM ${UNINDEXED} AND b.id > ? ORDER BY b.id LIMIT ${MATCHED_AT_ONCE}`
  for (let rowIds = readValues<number>(db, batch, 0); rowIds.length > 0; ) {
    matching.push(...withMemoryIndex(db, rowIds, (match) => match(expression)))
    rowIds = readValues<number>(db, batch, rowIds.at(-1))
  }
  return matching
}

/**
 * Runs `work` with an index in memory of these bookmarks only, which finds matches in microseconds.
 *
 * @param work receives a function that returns the row ids that match a full-text expression
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
      const { title, tags, address, description, searchable } = indexedTexts(row)
      run(memory, ADD_TEXTS, row.id, title, tags, address, description, searchable, row.filters)
    }
    return work((expression) =>
      readValues<number>(memory, 'SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH ?', expression)
    )
  } finally {
    memory.close()
  }
}
