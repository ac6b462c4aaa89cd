import type { UndoReport } from '../../contract/call.ts'
import type { WriteConnection } from '../connection.ts'
import { family } from '../family.ts'
import { searchIndex } from '../search/search-index.ts'
import { type BookmarkState, bookmarkStates } from './bookmark-state.ts'
import { tagChanges } from './tag-changes.ts'

/** Writes down what a change replaces; for use inside its transaction. */
export function undoSteps(db: WriteConnection) {
  const insert = db.prepare('INSERT INTO undo_steps (at) VALUES (?)')
  const note = db.prepare('INSERT INTO undo_bookmarks (step_id, bookmark_id, changed_at, before) VALUES (?, ?, ?, ?)')
  return {
    /** A step that exists once something is noted. */
    begin(at: number) {
      let id: number | null = null
      return {
        id: () => id,
        /** @param merged row ids of the step's bookmarks whose tags and texts this one took in */
        note(
          rowId: number,
          { before, changedAt }: { before: BookmarkState; changedAt: number },
          merged?: number[]
        ): void {
          id ??= Number(insert.run(at).lastInsertRowid)
          note.run(id, rowId, changedAt, JSON.stringify({ ...before, merged } satisfies Before))
        }
      }
    }
  }
}

type Before = BookmarkState & { merged?: number[] | undefined }

interface Noted {
  rowId: number
  before: string
  unchanged: number
}

/** Steps that can be taken back. */
export const undo = family({
  writes: (db) => undoWrites(db),
  emits: { undoStep: (report) => (report ? [{ kind: 'bookmarks' }, { kind: 'tags' }] : []) }
})

/**
 * What the writing thread can do with steps.
 *
 * @param atOnce how many bookmarks a change of tags indexes again before it answers
 */
export function undoWrites(db: WriteConnection, atOnce?: number) {
  const index = searchIndex(db)
  const states = bookmarkStates(db)
  const taggings = tagChanges(db, atOnce)
  const exists = db.prepare<[number], number>('SELECT 1 FROM undo_steps WHERE id = ?').pluck()
  const noted = db.prepare<[number], Noted>(
    `SELECT u.bookmark_id AS rowId, u.before, b.updated_at = u.changed_at AS unchanged
     FROM undo_bookmarks u JOIN bookmarks b ON b.id = u.bookmark_id WHERE u.step_id = ? ORDER BY u.bookmark_id`
  )
  const forget = db.prepare('DELETE FROM undo_steps WHERE id = ?')

  /** @param there the step's bookmarks: what one took in of another that is gone is nowhere else */
  function takeBack({ rowId, before, unchanged }: Noted, there: Set<number>): boolean {
    const { merged = [], ...state } = JSON.parse(before) as Before
    if (unchanged === 0 || !merged.every((id) => there.has(id)) || states.twin(rowId, state)) return false
    states.write(rowId, state)
    return true
  }

  return {
    /**
     * Takes a step back, with each bookmark's time of change, so that the step before it can be taken back too.
     * `undefined` when there is no such step, or it was taken back before.
     */
    undoStep: db.transaction((id: number): UndoReport | undefined => {
      if (!exists.get(id)) return undefined
      const rows = noted.all(id)
      const there = new Set(rows.map(({ rowId }) => rowId))
      const back = rows.filter((row) => takeBack(row, there)).map(({ rowId }) => rowId)
      index.refresh(back)
      const undone = back.length
      const tagged = taggings.takeBack(id)
      forget.run(id)
      return { undone: undone + tagged.undone, kept: rows.length - undone + tagged.kept }
    })
  }
}
