import type { Caller } from '../../contract/caller.ts'
import { nearPageHash } from '../../core/near-page.ts'
import type { ReadConnection, WriteConnection } from '../../store/connection.ts'

interface Range {
  first: number
  last: number
}

/** As SQL: the bookmarks `b` outside the trash whose words are yet to be indexed. */
export const UNINDEXED = `unindexed_ranges u CROSS JOIN bookmarks b ON b.id BETWEEN u.first AND u.last
  AND b.deleted_at IS NULL`

/**
 * The bookmarks whose words are yet to be indexed, as ranges of row ids that never overlap; for use inside a
 * transaction. None of them is in an index: who indexes one takes it out.
 */
export function unindexedRows(db: WriteConnection) {
  const holding = db.prepare<[number], Range>(
    'SELECT first, last FROM unindexed_ranges WHERE first <= ? ORDER BY first DESC LIMIT 1'
  )
  const newest = db.prepare<[], Range>('SELECT first, last FROM unindexed_ranges ORDER BY first DESC LIMIT 1')
  const remove = db.prepare('DELETE FROM unindexed_ranges WHERE first = ?')
  const removeFrom = db.prepare('DELETE FROM unindexed_ranges WHERE first >= ?')
  const write = db.prepare(
    'INSERT INTO unindexed_ranges (first, last) VALUES (?, ?) ON CONFLICT (first) DO UPDATE SET last = excluded.last'
  )
  const enter = db.prepare(
    `UPDATE bookmarks SET unindexed = NULL, near_page = ?, details_due = iif(details_due IS NULL AND url IS NOT NULL
         AND page_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM page_details WHERE bookmark_id = bookmarks.id),
       updated_at, details_due) WHERE id = ?`
  )
  const living = db
    .prepare<[number, number], number>(
      'SELECT id FROM bookmarks WHERE id BETWEEN ? AND ? AND deleted_at IS NULL ORDER BY id'
    )
    .pluck()

  return {
    /** Adds bookmarks with the highest row ids of all. */
    add(first: number, last: number): void {
      // SQLite gives the row ids of purged bookmarks away again, from the highest.
      removeFrom.run(first)
      const before = newest.get()
      write.run(before && before.last >= first - 1 ? before.first : first, last)
    },
    /** Takes one out; false where it is not among them. */
    take(rowId: number): boolean {
      const range = holding.get(rowId)
      if (!range || range.last < rowId) return false
      if (range.first === rowId) remove.run(rowId)
      else write.run(range.first, rowId - 1)
      if (range.last > rowId) write.run(rowId + 1, range.last)
      return true
    },
    /** Takes some of the newest out, in ascending order; `undefined` when none is left. */
    takeSome(most: number): number[] | undefined {
      const range = newest.get()
      if (!range) return undefined
      const first = Math.max(range.first, range.last - most + 1)
      if (first === range.first) remove.run(first)
      else write.run(range.first, first - 1)
      return living.all(first, range.last)
    },
    /** Enters a row into the indexes of titles, of near pages and of pages to read, as its words are indexed. */
    enter({ id, pageKey, picture }: { id: number; pageKey: string | null; picture: string | null }): void {
      enter.run(picture === null ? nearPageHash(pageKey) : null, id)
    },
    any: () => newest.get() !== undefined
  }
}

/** What can be asked about them. */
export function unindexedReads(db: ReadConnection) {
  const any = db.prepare('SELECT EXISTS (SELECT 1 FROM unindexed_ranges)').pluck()
  const anyToIndex = db
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM unindexed_ranges)
         OR EXISTS (SELECT 1 FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL)`
    )
    .pluck()
  const anyOfOrganization = db
    .prepare<[number]>(
      `SELECT EXISTS (SELECT 1 FROM unindexed_ranges u CROSS JOIN bookmarks b INDEXED BY bookmarks_by_organization
         ON b.organization_id = ? AND b.id BETWEEN u.first AND u.last)`
    )
    .pluck()
  const count = db.prepare('SELECT ifnull(sum(last - first + 1), 0) FROM unindexed_ranges').pluck()
  return {
    anyUnindexed: () => any.get() === 1,
    /**
     * Whether words are missing in the index: of these bookmarks, or of those that wait for a rebuild. An organization's
     * key is told of its own bookmarks only: that its owner imports others is none of its business.
     */
    isIndexing: ({ owner }: Caller) => (owner === null ? anyToIndex.get() : anyOfOrganization.get(owner)) === 1,
    /** Those in the trash by now and those deleted for good count too, until their turn comes. */
    countUnindexedRows: () => count.get() as number
  }
}
