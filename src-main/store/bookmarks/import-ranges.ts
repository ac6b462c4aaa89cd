import type { ImportUndo } from '../../contract/library-import.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { WriteConnection } from '../connection.ts'

/** Bookmarks of an import that one step takes back. */
const UNDO_STEP = 500

interface Restored {
  rowId: number
  deletedAt: number | null
  unchanged: number
}

/** What an import under way, or one that can be taken back, is known by. */
export interface StoredImport {
  id: number
  /** When it began, in milliseconds since 1970. */
  at: number
}

/** Remembers what imports added, and takes it back; for use inside a transaction. */
export function importRanges(db: WriteConnection) {
  const index = searchIndex(db)
  const sql = statements(db)

  /** What was added, a range at a time. */
  function undoRange({ id, at: since }: StoredImport, range: { first: number; last: number }, at: number): ImportUndo {
    const undone = sql.trashRange.all({ ...range, since, at })
    sql.forgetRange.run(id, range.first)
    index.refresh(undone)
    const kept = (sql.countRange.get(range.first, range.last) ?? 0) - undone.length
    return { undone: undone.length, kept, done: false }
  }

  /** What came back from the trash, all at once: it is little. */
  function undoRestored({ id }: StoredImport, at: number): ImportUndo {
    const rows = sql.restoredBy.all(id)
    const unchanged = rows.filter((row) => row.unchanged === 1)
    for (const { rowId, deletedAt } of unchanged) sql.backToTrash.run(deletedAt, at, rowId)
    sql.markUndone.run(at, id)
    index.refresh(unchanged.map(({ rowId }) => rowId))
    return { undone: unchanged.length, kept: rows.length - unchanged.length, done: true }
  }

  return {
    /** Remembers new bookmarks in parts that are taken back in one step each. */
    noteAdded(id: number, from: number, upTo: number): void {
      sql.trimReused.run({ first: from })
      for (let first = from; first <= upTo; first += UNDO_STEP) {
        sql.noteRange.run(id, first, Math.min(first + UNDO_STEP - 1, upTo))
      }
    },
    noteRestored(id: number, { rowId, deletedAt }: { rowId: number; deletedAt: number | null }): void {
      sql.noteRestored.run(id, rowId, deletedAt)
    },
    wasAdded: (id: number, rowId: number) => sql.wasAdded.get(id, rowId) !== undefined,
    /** Takes back some of what an import added, where nobody changed it since. */
    undoSome(one: StoredImport, at: number): ImportUndo {
      const range = sql.aRange.get(one.id)
      return range ? undoRange(one, range, at) : undoRestored(one, at)
    }
  }
}

function statements(db: WriteConnection) {
  return {
    // SQLite gives the row ids of purged bookmarks away again, from the highest.
    trimReused: db.prepare('UPDATE import_ranges SET last = @first - 1 WHERE last >= @first'),
    noteRange: db.prepare('INSERT INTO import_ranges (import_id, first, last) VALUES (?, ?, ?)'),
    noteRestored: db.prepare(
      'INSERT INTO import_restored (import_id, bookmark_id, deleted_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
    ),
    wasAdded: db.prepare('SELECT 1 FROM import_ranges WHERE import_id = ? AND ? BETWEEN first AND last'),
    aRange: db.prepare<[number], { first: number; last: number }>(
      'SELECT first, last FROM import_ranges WHERE import_id = ? ORDER BY first DESC LIMIT 1'
    ),
    countRange: db.prepare<[number, number], number>('SELECT count(*) FROM bookmarks WHERE id BETWEEN ? AND ?').pluck(),
    trashRange: db
      .prepare<[{ first: number; last: number; since: number; at: number }], number>(
        `UPDATE bookmarks SET deleted_at = @at, updated_at = max(@at, updated_at + 1)
         WHERE id BETWEEN @first AND @last AND deleted_at IS NULL AND updated_at <= @since RETURNING id`
      )
      .pluck(),
    forgetRange: db.prepare('DELETE FROM import_ranges WHERE import_id = ? AND first = ?'),
    restoredBy: db.prepare<[number], Restored>(
      `SELECT r.bookmark_id AS rowId, r.deleted_at AS deletedAt, b.deleted_at IS NULL AND b.updated_at <= i.at AS unchanged
       FROM import_restored r JOIN bookmarks b ON b.id = r.bookmark_id JOIN imports i ON i.id = r.import_id
       WHERE r.import_id = ?`
    ),
    backToTrash: db.prepare('UPDATE bookmarks SET deleted_at = ?, updated_at = ? WHERE id = ?'),
    markUndone: db.prepare('UPDATE imports SET undone_at = ? WHERE id = ?')
  }
}
