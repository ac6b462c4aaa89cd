import type { ImportUndo } from '../../contract/library-export.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readRows, readValue, readValues, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { putIntoTrash } from './bookmark-inserts.ts'
import type { BookmarkState } from './bookmark-state.ts'

/** Bookmarks of an import that one step takes back. */
const UNDO_STEP = 500

interface Restored {
  rowId: number
  deletedAt: number
  /** As JSON; `null` where an older version took it out. */
  before: string | null
  unchanged: number
}

interface Range {
  first: number
  last: number
}

/** An import under way, or one that can be taken back. */
export interface StoredImport {
  id: number
  /** When it began, in milliseconds since 1970. */
  at: number
}

/** Remembers new bookmarks in parts that are taken back in one step each. */
export function noteAdded(db: WriteConnection, id: number, from: number, upTo: number): void {
  // SQLite gives the row ids of purged bookmarks away again, from the highest.
  run(db)`UPDATE import_ranges SET last = ${from} - 1 WHERE last >= ${from}`
  for (let first = from; first <= upTo; first += UNDO_STEP) {
    const last = Math.min(first + UNDO_STEP - 1, upTo)
    // One that began here has nothing left.
    run(db)`INSERT OR REPLACE INTO import_ranges (import_id, first, last) VALUES (${id}, ${first}, ${last})`
  }
}

/** Ends what is remembered where bookmarks are deleted for good: SQLite gives their row ids away again, from the highest. */
export function forgetPurged(db: WriteConnection): void {
  const newest = readValue<number>(db)`SELECT ifnull(max(id), 0) FROM bookmarks` ?? 0
  run(db)`UPDATE import_ranges SET last = ${newest} WHERE last > ${newest}`
}

/** Remembers that an import took a bookmark out of the trash, and what it was there. */
export function noteRestored(db: WriteConnection, id: number, rowId: number, before: BookmarkState): void {
  run(db)`
    INSERT INTO import_restored (import_id, bookmark_id, deleted_at, before)
      VALUES (${id}, ${rowId}, ${before.deletedAt ?? null}, ${JSON.stringify(before)}) ON CONFLICT DO NOTHING`
}

/** Returns the lowest row id that an import added; `undefined` where it added none. */
export function firstAdded(db: WriteConnection, id: number): number | undefined {
  return readValue<number | null>(db)`SELECT min(first) FROM import_ranges WHERE import_id = ${id}` ?? undefined
}

/** Returns whether an import added this bookmark. */
export function wasAdded(db: WriteConnection, id: number, rowId: number): boolean {
  return exists(db)`SELECT 1 FROM import_ranges WHERE import_id = ${id} AND ${rowId} BETWEEN first AND last`
}

/** Takes back some of what an import added, where nobody changed it since. */
export function undoSome(db: WriteConnection, one: StoredImport, at: number): ImportUndo {
  const range = readRow<Range>(db)`
    SELECT first, last FROM import_ranges WHERE import_id = ${one.id} ORDER BY first DESC LIMIT 1`
  return range ? undoRange(db, one, range, at) : undoRestored(db, one, at)
}

/** Takes back what was added, a range at a time. */
function undoRange(db: WriteConnection, { id, at: since }: StoredImport, range: Range, at: number): ImportUndo {
  const undone = readValues<number>(
    db,
    `UPDATE bookmarks SET deleted_at = @at, updated_at = max(@at, updated_at + 1)
     WHERE id BETWEEN @first AND @last AND deleted_at IS NULL AND updated_at <= @since RETURNING id`,
    { ...range, since, at }
  )
  run(db)`DELETE FROM import_ranges WHERE import_id = ${id} AND first = ${range.first}`
  searchIndex(db).refresh(undone)
  // What is in the trash by itself is where undoing leads.
  const kept = readValue<number>(db)`
    SELECT count(*) FROM bookmarks WHERE id BETWEEN ${range.first} AND ${range.last} AND deleted_at IS NULL`
  return { undone: undone.length, kept: kept ?? 0, done: false }
}

/** Takes back what came from the trash, all at once: it is little. */
function undoRestored(db: WriteConnection, { id }: StoredImport, at: number): ImportUndo {
  const rows = readRows<Restored>(db)`
    SELECT r.bookmark_id AS rowId, r.deleted_at AS deletedAt, r.before, b.deleted_at IS NULL
      AND b.updated_at <= i.at AS unchanged
    FROM import_restored r JOIN bookmarks b ON b.id = r.bookmark_id JOIN imports i ON i.id = r.import_id
    WHERE r.import_id = ${id}`
  const unchanged = rows.filter((row) => row.unchanged === 1)
  for (const { rowId, deletedAt, before } of unchanged) {
    putIntoTrash(db, rowId, before, deletedAt, at)
  }
  run(db)`UPDATE imports SET undone_at = ${at} WHERE id = ${id}`
  searchIndex(db).refresh(unchanged.map(({ rowId }) => rowId))
  return { undone: unchanged.length, kept: rows.length - unchanged.length, done: true }
}
