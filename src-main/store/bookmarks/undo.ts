import type { UndoPart } from '../../contract/call.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { WriteConnection } from '../connection.ts'
import { family } from '../family.ts'
import { type BookmarkState, bookmarkStates } from './bookmark-state.ts'
import { tagChanges } from './tag-changes.ts'

/** Writes down what a change replaces; for use inside its transaction. */
export function undoSteps(db: WriteConnection) {
  const insert = db.prepare('INSERT INTO undo_steps (at) VALUES (?)')
  const note = db.prepare('INSERT INTO undo_bookmarks (step_id, bookmark_id, changed_at, before) VALUES (?, ?, ?, ?)')
  return {
    /**
     * A step that exists once something is noted.
     *
     * @param begun goes on with this one
     */
    begin(at: number, begun: number | null = null) {
      let id = begun
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
  emits: { undoStepSome: (report) => (report ? [{ kind: 'bookmarks' }, { kind: 'tags' }] : []) }
})

/** Bookmarks that one part of an undoing takes back: some 30 ms. */
const PART = 200

/**
 * What the writing thread can do with steps.
 *
 * @param atOnce how many bookmarks a change of tags indexes again before it answers
 * @param partSize how many bookmarks a part takes back
 */
export function undoWrites(db: WriteConnection, atOnce?: number, partSize = PART) {
  const index = searchIndex(db)
  const states = bookmarkStates(db)
  const taggings = tagChanges(db, atOnce)
  const exists = db.prepare<[number], number>('SELECT 1 FROM undo_steps WHERE id = ?').pluck()
  const noted = db.prepare<[number, number], Noted>(
    `SELECT u.bookmark_id AS rowId, u.before, b.updated_at = u.changed_at AS unchanged
     FROM undo_bookmarks u JOIN bookmarks b ON b.id = u.bookmark_id
     WHERE u.step_id = ? AND u.bookmark_id > ? ORDER BY u.bookmark_id LIMIT ${partSize}`
  )
  const count = db.prepare<[number], number>('SELECT count(*) FROM undo_bookmarks WHERE step_id = ?').pluck()
  const isThere = db.prepare('SELECT 1 FROM undo_bookmarks WHERE step_id = ? AND bookmark_id = ?')
  const forget = db.prepare('DELETE FROM undo_steps WHERE id = ?')

  /** What one took in of another that is gone is nowhere else. */
  function takeBack(step: number, { rowId, before, unchanged }: Noted): boolean {
    const { merged = [], ...state } = JSON.parse(before) as Before
    const isWhole = merged.every((id) => isThere.get(step, id) !== undefined)
    if (unchanged === 0 || !isWhole || states.twin(rowId, state)) return false
    states.write(rowId, state)
    return true
  }

  return {
    /**
     * Takes a step back, with each bookmark's time of change, so that the step before it can be taken back too: the
     * bookmarks with row ids above `after`, as many as are done at once, and with the last of them all there is to it.
     * `undefined` when there is no such step, or it was taken back before.
     */
    undoStepSome: db.transaction((id: number, after = 0): UndoPart | undefined => {
      if (!exists.get(id)) return undefined
      const total = after === 0 ? (count.get(id) ?? 0) : undefined
      const rows = noted.all(id, after)
      const back = rows.filter((row) => takeBack(id, row)).map(({ rowId }) => rowId)
      index.refresh(back)
      const part = { undone: back.length, kept: rows.length - back.length, total }
      if (rows.length === partSize) return { ...part, next: rows.at(-1)?.rowId ?? null }
      const tagged = taggings.takeBack(id)
      forget.run(id)
      return { ...part, undone: part.undone + tagged.undone, kept: part.kept + tagged.kept, next: null }
    })
  }
}
