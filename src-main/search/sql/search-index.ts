import type { WriteConnection } from '../../store/connection.ts'
import { addFoldedWords } from '../segment.ts'
import { APART, filtersOf, type IndexedRow, indexedRows, indexedTexts } from './indexed-row.ts'
import { type Count, staleTags } from './stale-tags.ts'
import { unindexedRows } from './unindexed.ts'
import { wordList } from './words.ts'

/** Bookmarks a batch of the background's work; between two of them other writes get their turn. */
const BATCH = 200

/** The same while nobody writes: FTS5 writes a segment a transaction, and fewer are faster. A tenth of a second. */
const IDLE_BATCH = 2000

/** Bookmarks read at once: their texts are all in memory. */
const READ_AT_ONCE = 200

/** What is gathered from the rows of a batch, and written once. */
interface Batch {
  count: Count
  words: Set<string>
  anyStale: boolean
}

const indexes = new WeakMap<WriteConnection, SearchIndex>()

/** The search index of a connection. */
export function searchIndex(db: WriteConnection): SearchIndex {
  const index = indexes.get(db) ?? new SearchIndex(db)
  indexes.set(db, index)
  return index
}

/**
 * Keeps both indexes and the filters' counts beside the rows. Whatever changes bookmarks ends its transaction with
 * `refresh` of them. Not after every row: FTS5 writes a segment of its own for every row that is not above the one
 * before, and at every statement that may stop halfway (one with a trigger, one to a foreign key).
 */
class SearchIndex {
  readonly #words
  readonly #unindexed
  readonly #stale
  readonly #rows
  readonly #sql
  readonly #atOnce: <T>(work: () => T) => T

  constructor(db: WriteConnection) {
    this.#words = wordList(db)
    this.#unindexed = unindexedRows(db)
    this.#stale = staleTags(db)
    this.#rows = indexedRows(db)
    this.#sql = statements(db)
    this.#atOnce = (work) => db.transaction(work)()
  }

  /** Brings the index up to these rows. */
  refresh(rowIds: number[]): void {
    this.#batch((batch) => {
      const unheld = new Set(rowIds.filter((rowId) => this.#unindexed.take(rowId)))
      for (const row of this.#read(rowIds)) this.#refreshOne(row, !unheld.has(row.id), batch)
    })
  }

  /**
   * Counts new rows, the highest of all, and leaves their words to the background.
   *
   * @param counts how many of them have each token
   */
  defer(first: number, last: number, counts: Map<string, number>): void {
    this.#unindexed.add(first, last)
    this.#addCounts(counts)
  }

  /**
   * Leaves to the background what a step's taggings changed, or with -1 what taking them back did. The counts of tags
   * are right at once.
   *
   * @param after of the bookmarks above this row id alone
   */
  deferChanged(step: number, direction: 1 | -1, after = 0): void {
    this.#stale.addChanged({ step, direction, after }, (filter, more) => this.#sql.count.run(filter, more))
  }

  /** Leaves to the background the words of all bookmarks with a tag. */
  deferRenamed(tag: number): void {
    this.#stale.addRenamed(tag)
  }

  /** Whether something was left to the background. */
  hasStale(): boolean {
    return this.#unindexed.any() || this.#stale.any()
  }

  /**
   * Indexes some of the rows that were left to the background, newest first. 0 when none is left.
   *
   * @param idle whether nobody writes
   */
  indexSome(idle = false): number {
    return this.#atOnce(() => {
      const rowIds = this.#unindexed.takeSome(idle ? IDLE_BATCH : BATCH)
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
      const rows = this.#sql.pending.all(BATCH)
      if (rows.length === 0) rows.push(...this.#stale.some(BATCH))
      this.refresh(rows)
      return rows.length > 0
    })
  }

  /** In ascending order. */
  *#read(rowIds: number[]): Generator<IndexedRow> {
    const sorted = rowIds.toSorted((a, b) => a - b)
    for (let from = 0; from < sorted.length; from += READ_AT_ONCE) {
      yield* this.#rows(sorted.slice(from, from + READ_AT_ONCE))
    }
  }

  /** @param held whether the indexes hold the row, if it is counted at all */
  #refreshOne(row: IndexedRow, held: boolean, work: Batch): void {
    const rowId = row.id
    const { count } = work
    if (work.anyStale) this.#stale.take(rowId, count)
    if (row.unindexed) this.#unindexed.enter(row)
    if (row.filters !== null) {
      if (held) {
        this.#sql.removeTexts.run(rowId)
        this.#sql.removeTitle.run(rowId)
      }
      for (const filter of row.filters.split(' ')) count(filter, -1)
    }
    if (row.deletedAt !== null) {
      if (row.filters !== null) this.#sql.setFilters.run(null, rowId)
      return
    }
    const filters = filtersOf(row)
    const tokens = filters.join(' ')
    const { title, tags, address, description, content, said } = indexedTexts(row)
    this.#sql.addTexts.run(rowId, title, tags, address, description, said, tokens)
    // Not a whole page's words: strangers' typos would be taken for what was meant.
    for (const text of [title, tags, address, description, content]) addFoldedWords(text, work.words)
    this.#sql.addTitle.run(rowId, `${title}${APART}${tags}`, tokens)
    for (const filter of filters) count(filter, 1)
    if (tokens !== row.filters) this.#sql.setFilters.run(tokens, rowId)
  }

  /** Each filter is counted once, however many rows have it. */
  #batch(work: (batch: Batch) => void): void {
    const counts = new Map<string, number>()
    const words = new Set<string>()
    work({
      count: (filter, more) => counts.set(filter, (counts.get(filter) ?? 0) + more),
      words,
      anyStale: this.#stale.any()
    })
    this.#words.learn(words)
    this.#addCounts(counts)
  }

  #addCounts(counts: Map<string, number>): void {
    for (const [filter, more] of counts) if (more !== 0) this.#sql.count.run(filter, more)
  }
}

function statements(db: WriteConnection) {
  return {
    addTexts: db.prepare(
      `INSERT INTO bookmark_texts (rowid, title, tags, address, description, content, filters)
       VALUES (?, ?, ?, ?, ?, ?, ?)`
    ),
    addTitle: db.prepare('INSERT INTO bookmark_titles (rowid, words, filters) VALUES (?, ?, ?)'),
    removeTexts: db.prepare('DELETE FROM bookmark_texts WHERE rowid = ?'),
    removeTitle: db.prepare('DELETE FROM bookmark_titles WHERE rowid = ?'),
    setFilters: db.prepare('UPDATE bookmarks SET filters = ? WHERE id = ?'),
    count: db.prepare(
      `INSERT INTO filter_counts (filter, bookmarks) VALUES (?, ?)
       ON CONFLICT (filter) DO UPDATE SET bookmarks = bookmarks + excluded.bookmarks`
    ),
    pending: db
      .prepare<[number], number>(
        'SELECT id FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL ORDER BY id DESC LIMIT ?'
      )
      .pluck()
  }
}
