import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { perConnection, readRows, readValue, readValues, run } from '../../database/sql.ts'
import { filterToken } from '../filter-tokens.ts'
import { addFoldedWords } from '../segment.ts'
import { APART, filtersOf, type IndexedRow, indexedTexts, readIndexedRows } from './indexed-row.ts'
import { wordList } from './vocabulary.ts'

/** Bookmarks indexed in one transaction, between two of which other writes run. */
const BATCH = 200

/** The same while nothing else is written: a tenth of a second. FTS5 writes a segment per transaction, so fewer are faster. */
const IDLE_BATCH = 2000

/** Bookmarks read at once, because all their texts are in memory. */
const READ_AT_ONCE = 200

/** SQL for the bookmarks `b` whose present words the full-text index does not have. */
export const UNINDEXED = 'bookmarks b INDEXED BY bookmarks_to_index WHERE b.to_index = 1'

/** Counts and words of the rows of a batch, which are written once. */
interface Batch {
  counts: Map<string, number>
  words: Set<string>
}

/** Returns the search index of a connection. */
export const searchIndex = perConnection((db: WriteConnection) => new SearchIndex(db))

/**
 * Keeps the full-text indexes and the counts of filters up to date with the bookmarks.
 *
 * `bookmarks.filters` are the tokens under which a bookmark is counted, NULL in the trash; the counts always match them.
 * `bookmarks.to_index` is 1 if the full-text index lacks the bookmark or has earlier words of it. `indexBatch` indexes such
 * bookmarks in the background: imported ones, and those of a tag that many have and that was changed.
 *
 * All functions run inside a transaction of the caller. Call `refresh` at the end of a transaction,
 * because FTS5 writes a separate segment for each row that is not above the row before it.
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
    this.#words.learn(batch.words)
    this.addCounts(batch.counts)
  }

  /**
   * Indexes a batch of the bookmarks that wait for it, newest first.
   *
   * @param idle whether nothing else is written
   * @returns their row ids, in descending order
   */
  indexBatch(idle = false): number[] {
    return this.#db.transaction(() => {
      const rowIds = readValues<number>(this.#db)`
        SELECT id FROM bookmarks WHERE to_index = 1 ORDER BY id DESC LIMIT ${idle ? IDLE_BATCH : BATCH}`
      this.refresh(rowIds)
      return rowIds
    })()
  }

  /** Adds to the number of bookmarks that have each token. */
  addCounts(counts: Map<string, number>): void {
    for (const [token, more] of counts) if (more !== 0) run(this.#db, ADD_COUNT, token, more)
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

  /** Indexes all bookmarks with a tag in the background, because the tag has a new name. */
  deferRenamed(tag: number): void {
    run(this.#db)`
      UPDATE bookmarks SET to_index = 1
      WHERE filters IS NOT NULL AND id IN (SELECT bookmark_id FROM bookmark_tags WHERE tag_id = ${tag})`
  }

  /** Reads rows in ascending order. */
  *#read(rowIds: number[]): Generator<IndexedRow> {
    const sorted = rowIds.toSorted((a, b) => a - b)
    for (let from = 0; from < sorted.length; from += READ_AT_ONCE) {
      yield* readIndexedRows(this.#db, sorted.slice(from, from + READ_AT_ONCE))
    }
  }

  #refreshRow(row: IndexedRow, { counts, words }: Batch): void {
    const db = this.#db
    const count = (token: string, more: number) => counts.set(token, (counts.get(token) ?? 0) + more)
    if (row.filters !== null) {
      run(db, 'DELETE FROM bookmark_texts WHERE rowid = ?', row.id)
      run(db, 'DELETE FROM bookmark_titles WHERE rowid = ?', row.id)
      for (const token of row.filters.split(' ')) count(token, -1)
    }
    if (row.deletedAt !== null) {
      if (row.filters !== null || row.toIndex) run(db, SET_INDEXED, null, row.id)
      return
    }
    const tokens = filtersOf(row)
    const filters = tokens.join(' ')
    const { title, tags, address, description, content, said } = indexedTexts(row)
    run(db, ADD_TEXTS, row.id, title, tags, address, description, said, filters)
    // Without a page's text, whose typos would be suggested as spellings of what was typed.
    for (const text of [title, tags, address, description, content]) addFoldedWords(text, words)
    run(db, ADD_TITLE, row.id, `${title}${APART}${tags}`, filters)
    for (const token of tokens) count(token, 1)
    if (filters !== row.filters || row.toIndex) run(db, SET_INDEXED, filters, row.id)
  }
}

/** Adds a row to the index of all texts, also of a database in memory. */
export const ADD_TEXTS = `INSERT INTO bookmark_texts (rowid, title, tags, address, description, content, filters)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

const ADD_TITLE = 'INSERT INTO bookmark_titles (rowid, words, filters) VALUES (?, ?, ?)'

const SET_INDEXED = 'UPDATE bookmarks SET filters = ?, to_index = NULL WHERE id = ?'

const ADD_COUNT = `INSERT INTO filter_counts (filter, bookmarks) VALUES (?, ?)
  ON CONFLICT (filter) DO UPDATE SET bookmarks = bookmarks + excluded.bookmarks`

/** Whether the filters have a token; NULL in the trash. */
const HAS_TOKEN = "(instr(filters || ' ', ' ' || @token || ' ') > 0)"

/** The filters without a token, which is never the first: that is the bookmark's type. */
const WITHOUT_TOKEN = "rtrim(replace(filters || ' ', ' ' || @token || ' ', ' '))"

/** Returns whether the full-text index lacks the present words of any bookmark. */
export function anyToIndex(db: ReadConnection): boolean {
  return readValue(db)`SELECT EXISTS (SELECT 1 FROM bookmarks WHERE to_index = 1)` === 1
}

/** Returns whether the index lacks words of bookmarks of the caller's owner: an organization's key learns nothing of others. */
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

/** Pages that one step of a merge writes, in a few milliseconds during which other writes wait. */
const MERGED_PAGES = 64

/** The indexes are merged again after the library has grown by this share and this number of bookmarks or page texts. */
const GROWTH = { share: 0.25, bookmarks: 500 }

/**
 * Merges the segments of each index into one, step by step, because a search reads every segment: 100,000 bookmarks that
 * were saved 500 at a time are searched in half the time afterwards.
 */
export function indexMerge(db: WriteConnection) {
  const merges = INDEXES.map((name) =>
    db.prepare(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ${-MERGED_PAGES})`)
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

/** Where the search index disagrees with the bookmarks, in words; nothing where it does not. */
export function indexFaults(db: ReadConnection): string[] {
  const missing = TEXT_INDEXES.map((name) => [
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
  const [lacks, extra] = [0, 1].map((which) => Math.max(...missing.map((counts) => counts[which] ?? 0)))
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
  const add = (filter: string, more: number) => expected.set(filter, (expected.get(filter) ?? 0) + more)
  for (const filters of db.prepare('SELECT filters FROM bookmarks WHERE filters IS NOT NULL').pluck().iterate()) {
    for (const filter of (filters as string).split(' ')) add(filter, 1)
  }
  const stored = db.prepare('SELECT filter, bookmarks FROM filter_counts').all() as Counted[]
  for (const { filter, bookmarks } of stored) add(filter, -bookmarks)
  return [...expected.values()].filter((difference) => difference !== 0).length
}

interface Counted {
  filter: string
  bookmarks: number
}

function count(db: ReadConnection, from: string): number {
  return db.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number
}
