import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { perConnection, readRows, readValue, readValues, run } from '../../database/sql.ts'
import { filterToken } from '../filter-tokens.ts'
import { addFoldedWords } from '../segment.ts'
import { type IndexedRow, indexedTexts, readIndexedRows, rowTokens, SEPARATOR } from './indexed-row.ts'
import { wordList } from './vocabulary.ts'

/** Maximum number of bookmarks that are indexed in one transaction. Other writes run between two transactions. */
const BATCH_SIZE = 200

/** The same while nothing else is written. Takes 0.1 s. Faster in total, because FTS5 writes a segment per transaction. */
const IDLE_BATCH_SIZE = 2000

/** Maximum number of bookmarks whose texts are in memory at the same time. */
const MAX_READ = 200

/** SQL for the bookmarks `b` that the full-text index lacks, or has with old words. */
export const UNINDEXED = 'bookmarks b INDEXED BY bookmarks_to_index WHERE b.to_index = 1'

/** The counts and words of all rows of a batch, to be written at its end. */
interface Batch {
  counts: Map<string, number>
  words: Set<string>
}

/** Returns the search index of a connection. */
export const searchIndex = perConnection((db: WriteConnection) => new SearchIndex(db))

/**
 * Keeps the full-text indexes and the counts of filters up to date with the bookmarks.
 *
 * `bookmarks.filters` has the tokens with which a bookmark is counted, and is NULL in the trash. The counts always match it.
 * `bookmarks.to_index` is 1 if the full-text index lacks the bookmark or has old words of it: after an import, and after a
 * change of a tag that many bookmarks have. `indexBatch` indexes these bookmarks in the background.
 *
 * All functions run inside a transaction of the caller. Call `refresh` once, at the end of the transaction, because FTS5
 * writes a separate segment for each row whose id is not higher than the id before it.
 */
class SearchIndex {
  readonly #db
  readonly #words

  constructor(db: WriteConnection) {
    this.#db = db
    this.#words = wordList(db)
  }

  /** Indexes rows as they are now, or removes them from the index if they are in the trash. */
  refresh(rowIds: number[]): void {
    const batch: Batch = { counts: new Map(), words: new Set() }
    for (const row of this.#read(rowIds)) this.#refreshRow(row, batch)
    this.#words.add(batch.words)
    this.addCounts(batch.counts)
  }

  /**
   * Indexes a batch of bookmarks that the full-text index lacks, newest first.
   *
   * @param idle whether nothing else is written at the moment
   * @returns the indexed row ids, in descending order
   */
  indexBatch(idle = false): number[] {
    return this.#db.transaction(() => {
      const rowIds = readValues<number>(this.#db)`
        SELECT id FROM bookmarks WHERE to_index = 1 ORDER BY id DESC LIMIT ${idle ? IDLE_BATCH_SIZE : BATCH_SIZE}`
      this.refresh(rowIds)
      return rowIds
    })()
  }

  /** Adds to the number of bookmarks that have each token. */
  addCounts(counts: Map<string, number>): void {
    for (const [token, difference] of counts) if (difference !== 0) run(this.#db, ADD_COUNT, token, difference)
  }

  /**
   * Counts the tags that an undo step added or removed, and indexes their bookmarks in the background.
   *
   * @param direction -1 if the step was undone
   */
  deferTags(step: number, direction: 1 | -1): void {
    const changes = readRows<{ tag: number; given: 1 | -1 }>(this.#db)`
      SELECT DISTINCT tag_id AS tag, given FROM undo_taggings WHERE step_id = ${step}`
    for (const { tag, given } of changes) {
      const added = given === direction
      const token = filterToken.tag(tag)
      const { changes: bookmarks } = run(
        this.#db,
        `UPDATE bookmarks SET to_index = 1, filters = ${added ? "filters || ' ' || @token" : WITHOUT_TOKEN}
         WHERE ${HAS_TOKEN} = ${added ? 'FALSE' : 'TRUE'} AND id IN (SELECT bookmark_id FROM undo_taggings
           WHERE step_id = @step AND tag_id = @tag AND given = @given)`,
        { token, step, tag, given }
      )
      run(this.#db, ADD_COUNT, token, added ? bookmarks : -bookmarks)
    }
  }

  /** Indexes all bookmarks with a renamed tag in the background. */
  deferRenamed(tag: number): void {
    run(this.#db)`
      UPDATE bookmarks SET to_index = 1
      WHERE filters IS NOT NULL AND id IN (SELECT bookmark_id FROM bookmark_tags WHERE tag_id = ${tag})`
  }

  /** Reads rows in ascending order. */
  *#read(rowIds: number[]): Generator<IndexedRow> {
    const sorted = rowIds.toSorted((a, b) => a - b)
    for (let from = 0; from < sorted.length; from += MAX_READ) {
      yield* readIndexedRows(this.#db, sorted.slice(from, from + MAX_READ))
    }
  }

  #refreshRow(row: IndexedRow, { counts, words }: Batch): void {
    const db = this.#db
    const count = (token: string, difference: number) => counts.set(token, (counts.get(token) ?? 0) + difference)
    if (row.filters !== null) {
      run(db, 'DELETE FROM bookmark_texts WHERE rowid = ?', row.id)
      run(db, 'DELETE FROM bookmark_titles WHERE rowid = ?', row.id)
      for (const token of row.filters.split(' ')) count(token, -1)
    }
    if (row.deletedAt !== null) {
      if (row.filters !== null || row.toIndex) run(db, SET_INDEXED, null, row.id)
      return
    }
    const tokens = rowTokens(row)
    const filters = tokens.join(' ')
    const { title, tags, address, description, content, searchable } = indexedTexts(row)
    run(db, ADD_TEXTS, row.id, title, tags, address, description, searchable, filters)
    // Not the page's text, because its typos would be suggested as corrections.
    for (const text of [title, tags, address, description, content]) addFoldedWords(text, words)
    run(db, ADD_TITLE, row.id, `${title}${SEPARATOR}${tags}`, filters)
    for (const token of tokens) count(token, 1)
    if (filters !== row.filters || row.toIndex) run(db, SET_INDEXED, filters, row.id)
  }
}

/** Adds a row to the index of all texts. Also used for a database in memory. */
export const ADD_TEXTS = `INSERT INTO bookmark_texts (rowid, title, tags, address, description, content, filters)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

const ADD_TITLE = 'INSERT INTO bookmark_titles (rowid, words, filters) VALUES (?, ?, ?)'

const SET_INDEXED = 'UPDATE bookmarks SET filters = ?, to_index = NULL WHERE id = ?'

const ADD_COUNT = `INSERT INTO filter_counts (filter, bookmarks) VALUES (?, ?)
  ON CONFLICT (filter) DO UPDATE SET bookmarks = bookmarks + excluded.bookmarks`

/** SQL for whether the filters have a token; NULL in the trash. */
const HAS_TOKEN = "(instr(filters || ' ', ' ' || @token || ' ') > 0)"

/** SQL for the filters without a token. It is never the first token, which is the bookmark's type. */
const WITHOUT_TOKEN = "rtrim(replace(filters || ' ', ' ' || @token || ' ', ' '))"

/** Returns whether the full-text index lacks any bookmark, or has old words of it. */
export function anyToIndex(db: ReadConnection): boolean {
  return readValue(db)`SELECT EXISTS (SELECT 1 FROM bookmarks WHERE to_index = 1)` === 1
}

/** The same for the caller's owner: an organization's key must learn nothing about other bookmarks. */
export function isIndexing(db: ReadConnection, { owner }: Caller): boolean {
  if (owner === null) return anyToIndex(db)
  return (
    readValue(db)`
      SELECT EXISTS (SELECT 1 FROM bookmarks INDEXED BY bookmarks_by_organization
        WHERE organization_id = ${owner} AND to_index = 1)` === 1
  )
}

export function countUnindexed(db: ReadConnection): number {
  return readValue<number>(db)`SELECT count(*) FROM bookmarks WHERE to_index = 1` ?? 0
}

const INDEXES = ['bookmark_texts', 'bookmark_titles', 'word_parts']

/** The number of database pages that one step of a merge writes. Other writes wait for these few milliseconds. */
const MERGE_PAGES = 64

/** The indexes are merged again when the library has grown by this share plus this number of bookmarks and page texts. */
const GROWTH = { share: 0.25, bookmarks: 500 }

/**
 * Merges the segments of each index into one, step by step, because a search reads every segment: 100,000 bookmarks that
 * were saved 500 at a time are searched in half the time afterwards.
 */
export function indexMerge(db: WriteConnection) {
  const merges = INDEXES.map((name) =>
    db.prepare(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ${-MERGE_PAGES})`)
  )
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck()
  const newest = db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM bookmarks').pluck()
  const merged = db.prepare<[], { before: number; pages: number }>('SELECT bookmarks AS before, pages FROM index_merge')
  const setMerged = db.prepare('UPDATE index_merge SET bookmarks = ?, pages = 0')

  return {
    /** Runs one step if the library has grown enough. Returns false if nothing remains to merge. */
    mergeStep: db.transaction((): boolean => {
      const bookmarks = newest.get() ?? 0
      const { before, pages } = merged.get() ?? { before: 0, pages: 0 }
      if (bookmarks + pages < before * (1 + GROWTH.share) + GROWTH.bookmarks) return false
      for (const merge of merges) {
        const counted = changes.get() ?? 0
        merge.run()
        // A step that finds nothing to merge changes one row, the command itself (SQLite FTS5, section 6.8).
        if ((changes.get() ?? 0) - counted >= 2) return true
      }
      setMerged.run(bookmarks)
      return false
    })
  }
}

const TEXT_INDEXES = ['bookmark_texts', 'bookmark_titles']

/** Describes the differences between the search index and the bookmarks; empty if there are none. */
export function indexFaults(db: ReadConnection): string[] {
  const faults = TEXT_INDEXES.map((name) => [
    count(
      db,
      `bookmarks b WHERE deleted_at IS NULL AND to_index IS NULL
         AND NOT EXISTS (SELECT 1 FROM ${name}_docsize d WHERE d.id = b.id)`
    ),
    count(
      db,
      `${name}_docsize d WHERE NOT EXISTS
         (SELECT 1 FROM bookmarks b WHERE b.id = d.id AND deleted_at IS NULL)`
    )
  ])
  const [lacks, extra] = [0, 1].map((index) => Math.max(...faults.map((counts) => counts[index] ?? 0)))
  const miscounted = wrongCounts(db)
  return [
    ...(lacks ? [`bookmarks that are not in it: ${lacks}`] : []),
    ...(extra ? [`entries of no bookmark: ${extra}`] : []),
    ...(miscounted ? [`miscounted filters: ${miscounted}`] : [])
  ]
}

/** Rebuilds the full-text indexes and the counts from the bookmarks. */
export function rebuildIndex(db: WriteConnection): void {
  for (const name of TEXT_INDEXES) db.exec(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)
  db.exec('DELETE FROM filter_counts; UPDATE bookmarks SET filters = NULL, to_index = iif(deleted_at IS NULL, 1, NULL)')
  const index = searchIndex(db)
  while (index.indexBatch().length > 0);
}

function wrongCounts(db: ReadConnection): number {
  const expected = new Map<string, number>()
  const add = (filter: string, difference: number) => expected.set(filter, (expected.get(filter) ?? 0) + difference)
  for (const filters of db.prepare('SELECT filters FROM bookmarks WHERE filters IS NOT NULL').pluck().iterate()) {
    for (const filter of (filters as string).split(' ')) add(filter, 1)
  }
  const stored = db.prepare('SELECT filter, bookmarks FROM filter_counts').all() as TokenCount[]
  for (const { filter, bookmarks } of stored) add(filter, -bookmarks)
  return [...expected.values()].filter((difference) => difference !== 0).length
}

interface TokenCount {
  filter: string
  bookmarks: number
}

function count(db: ReadConnection, from: string): number {
  return db.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number
}
