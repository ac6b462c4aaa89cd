import type { WriteConnection } from '../../database/connection.ts'
import { perConnection, run } from '../../database/sql.ts'
import { addFoldedWords } from '../segment.ts'
import {
  addChangedTags,
  addRenamedTag,
  addUnindexed,
  anyStale,
  anyUnindexed,
  type Count,
  enterRow,
  someToReindex,
  takeSomeUnindexed,
  takeStale,
  takeUnindexed
} from './index-queue.ts'
import { APART, filtersOf, type IndexedRow, indexedTexts, readIndexedRows } from './indexed-row.ts'
import { wordList } from './vocabulary.ts'

/** Bookmarks a batch of the background's work; between two of them other writes get their turn. */
const BATCH = 200

/** The same while nobody writes: FTS5 writes a segment a transaction, and fewer are faster. A tenth of a second. */
const IDLE_BATCH = 2000

/** Bookmarks read at once: their texts are all in memory. */
const READ_AT_ONCE = 200

/** Gathered from the rows of a batch, and written once. */
interface Batch {
  count: Count
  words: Set<string>
  anyStale: boolean
}

/** Returns the search index of a connection. */
export const searchIndex = perConnection((db: WriteConnection) => new SearchIndex(db))

/**
 * Keeps both indexes and the filters' counts beside the rows. Whatever changes bookmarks ends its transaction with
 * `refresh` of them. Not after every row: FTS5 writes a segment of its own for every row that is not above the one
 * before, and at every statement that may stop halfway (one with a trigger, one to a foreign key).
 */
class SearchIndex {
  readonly #db
  readonly #words

  constructor(db: WriteConnection) {
    this.#db = db
    this.#words = wordList(db)
  }

  /** Brings the index up to these rows. */
  refresh(rowIds: number[]): void {
    this.#batch((batch) => {
      const unheld = new Set(rowIds.filter((rowId) => takeUnindexed(this.#db, rowId)))
      for (const row of this.#read(rowIds)) this.#refreshOne(row, !unheld.has(row.id), batch)
    })
  }

  /**
   * Counts new rows, the highest of all, and leaves their words to the background.
   *
   * @param counts how many of them have each token
   */
  defer(first: number, last: number, counts: Map<string, number>): void {
    addUnindexed(this.#db, first, last)
    this.#addCounts(counts)
  }

  /**
   * Leaves to the background the taggings that a step changed, or with -1 that taking it back changed. The counts of tags
   * are right at once.
   *
   * @param after of the bookmarks above this row id alone
   */
  deferChanged(step: number, direction: 1 | -1, after = 0): void {
    addChangedTags(this.#db, { step, direction, after }, (token, more) => this.#addCount(token, more))
  }

  /** Leaves to the background the words of all bookmarks with a tag. */
  deferRenamed(tag: number): void {
    addRenamedTag(this.#db, tag)
  }

  /** Returns whether something was left to the background. */
  hasStale(): boolean {
    return anyUnindexed(this.#db) || anyStale(this.#db)
  }

  /**
   * Indexes some of the rows that were left to the background, newest first, and returns how many; 0 when none is left.
   *
   * @param idle whether nobody writes
   */
  indexSome(idle = false): number {
    return this.#atOnce(() => {
      const rowIds = takeSomeUnindexed(this.#db, idle ? IDLE_BATCH : BATCH)
      if (!rowIds) return 0
      this.#batch((batch) => {
        for (const row of this.#read(rowIds)) this.#refreshOne(row, false, batch)
      })
      return Math.max(1, rowIds.length)
    })
  }

  /**
   * Indexes some rows that are not indexed yet, newest first, or no longer rightly. False when none is left.
   *
   * @param idle whether nobody writes
   */
  rebuildSome(idle = false): boolean {
    if (this.indexSome(idle) > 0) return true
    return this.#atOnce(() => {
      const rowIds = someToReindex(this.#db, BATCH)
      this.refresh(rowIds)
      return rowIds.length > 0
    })
  }

  #atOnce<T>(work: () => T): T {
    return this.#db.transaction(work)()
  }

  /** Reads rows in ascending order. */
  *#read(rowIds: number[]): Generator<IndexedRow> {
    const sorted = rowIds.toSorted((a, b) => a - b)
    for (let from = 0; from < sorted.length; from += READ_AT_ONCE) {
      yield* readIndexedRows(this.#db, sorted.slice(from, from + READ_AT_ONCE))
    }
  }

  /** @param held whether the indexes hold the row, if it is counted at all */
  #refreshOne(row: IndexedRow, held: boolean, { count, words, anyStale }: Batch): void {
    const db = this.#db
    const rowId = row.id
    if (anyStale) takeStale(db, rowId, count)
    if (row.unindexed) enterRow(db, row)
    if (row.filters !== null) {
      if (held) {
        run(db, 'DELETE FROM bookmark_texts WHERE rowid = ?', rowId)
        run(db, 'DELETE FROM bookmark_titles WHERE rowid = ?', rowId)
      }
      for (const token of row.filters.split(' ')) count(token, -1)
    }
    if (row.deletedAt !== null) {
      if (row.filters !== null) run(db, SET_FILTERS, null, rowId)
      return
    }
    const tokens = filtersOf(row)
    const filters = tokens.join(' ')
    const { title, tags, address, description, content, said } = indexedTexts(row)
    run(db, ADD_TEXTS, rowId, title, tags, address, description, said, filters)
    // Not a whole page's words: strangers' typos would be taken for what was meant.
    for (const text of [title, tags, address, description, content]) addFoldedWords(text, words)
    run(db, ADD_TITLE, rowId, `${title}${APART}${tags}`, filters)
    for (const token of tokens) count(token, 1)
    if (filters !== row.filters) run(db, SET_FILTERS, filters, rowId)
  }

  /** Counts each token once, however many rows have it. */
  #batch(work: (batch: Batch) => void): void {
    const counts = new Map<string, number>()
    const words = new Set<string>()
    work({
      count: (token, more) => counts.set(token, (counts.get(token) ?? 0) + more),
      words,
      anyStale: anyStale(this.#db)
    })
    this.#words.learn(words)
    this.#addCounts(counts)
  }

  #addCounts(counts: Map<string, number>): void {
    for (const [token, more] of counts) if (more !== 0) this.#addCount(token, more)
  }

  #addCount(token: string, more: number): void {
    run(this.#db, ADD_COUNT, token, more)
  }
}

/** Adds a row to the index of all texts; into a database in memory too. */
export const ADD_TEXTS = `INSERT INTO bookmark_texts (rowid, title, tags, address, description, content, filters)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

const ADD_TITLE = 'INSERT INTO bookmark_titles (rowid, words, filters) VALUES (?, ?, ?)'

const SET_FILTERS = 'UPDATE bookmarks SET filters = ? WHERE id = ?'

const ADD_COUNT = `INSERT INTO filter_counts (filter, bookmarks) VALUES (?, ?)
  ON CONFLICT (filter) DO UPDATE SET bookmarks = bookmarks + excluded.bookmarks`

/** Pages of an index that one step writes: a few milliseconds, in which other writes wait. */
const STEP = 64

/** An index is merged again once the library has grown by this share, and by this many bookmarks or texts of pages. */
const GROWN = { share: 0.25, bookmarks: 500 }

const INDEXES = ['bookmark_texts', 'bookmark_titles', 'word_parts']

/**
 * Merges the pieces an index grows by into one, step by step. A search looks into every piece: at 100,000 bookmarks,
 * saved 500 at a time, one piece is searched in half the time that the pieces are that FTS5 leaves by itself.
 */
export function indexMerge(db: WriteConnection) {
  const merges = INDEXES.map((name) => db.prepare(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ${-STEP})`))
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck()
  const newest = db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM bookmarks').pluck()
  const merged = db.prepare<[], { before: number; pages: number }>('SELECT bookmarks AS before, pages FROM index_merge')
  const setMerged = db.prepare('UPDATE index_merge SET bookmarks = ?, pages = 0')

  return {
    /** One step, where the library has grown enough. False when there is nothing to do. */
    mergeSome: db.transaction((): boolean => {
      const bookmarks = newest.get() ?? 0
      const { before, pages } = merged.get() ?? { before: 0, pages: 0 }
      if (bookmarks + pages < before * (1 + GROWN.share) + GROWN.bookmarks) return false
      for (const merge of merges) {
        const counted = changes.get() ?? 0
        merge.run()
        // A step that finds nothing to merge changes one row: the command itself (SQLite FTS5, section 6.8).
        if ((changes.get() ?? 0) - counted >= 2) return true
      }
      setMerged.run(bookmarks)
      return false
    })
  }
}
