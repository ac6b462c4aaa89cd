import { openMemory, type ReadConnection } from '../../database/connection.ts'
import { readValue, readValues, run } from '../../database/sql.ts'
import { indexedTexts, readIndexedRows } from './indexed-row.ts'
import { ADD_TEXTS, UNINDEXED } from './search-index.ts'

/** Bookmarks matched at once, which takes some tens of milliseconds. */
const BATCH = 500

/**
 * Returns the unindexed bookmarks with row ids above `after`, up to `last`, that a full-text expression matches. They are
 * put into an index in memory for it, a limited number at once.
 *
 * @returns `upTo`: the row id as far as was looked
 */
export function matchUnindexed(
  db: ReadConnection,
  expression: string,
  after: number,
  last: number
): { ids: number[]; upTo: number } {
  const some = `SELECT b.id FROM ${UNINDEXED} AND b.id > ? AND b.id <= ? ORDER BY b.id LIMIT ${BATCH}`
  const rowIds = readValues<number>(db, some, after, last)
  if (rowIds.length === 0) return { ids: [], upTo: last }
  const ids = withMemoryIndex(db, rowIds, (match) => match(expression))
  return { ids, upTo: rowIds.length < BATCH ? last : (rowIds.at(-1) ?? last) }
}

/**
 * Runs work with an index in memory of these bookmarks alone, which finds matches in microseconds.
 *
 * @param work gets a function that returns the row ids that a full-text expression matches
 */
export function withMemoryIndex<Result>(
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
