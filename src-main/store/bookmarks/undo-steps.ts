import type { WriteConnection } from '../../database/connection.ts'
import { insert, readValue, run } from '../../database/sql.ts'
import type { BookmarkState } from './bookmark-state.ts'

/**
 * A step that can be taken back. It has a row, and `id` is a number, once something is noted. Taking back a step is a
 * step as well: the opposite of a change has an id below 0, the opposite of that is a change again.
 */
export interface UndoStep {
  id: number | null
  at: number
  opposite?: boolean
}

/** A bookmark before a change. `merged` are row ids of the step's bookmarks whose tags and texts it took in. */
export type Before = BookmarkState & { merged?: number[] | undefined }

/** Begins a step, if that was not done yet, and returns its id. */
export function beginStep(db: WriteConnection, step: UndoStep): number {
  if (step.id !== null) return step.id
  const id = insert(db)`INSERT INTO undo_steps (at) VALUES (${step.at})`
  if (step.opposite) run(db)`UPDATE undo_steps SET id = ${-id} WHERE id = ${id}`
  step.id = step.opposite ? -id : id
  return step.id
}

/** Notes what a change of a bookmark replaced; of one that the step changed before, what it was at first. */
export function noteChange(
  db: WriteConnection,
  step: UndoStep,
  rowId: number,
  { before, changedAt }: { before: Before; changedAt: number }
): void {
  const id = beginStep(db, step)
  const { changes } = run(db)`
    INSERT INTO undo_bookmarks (step_id, bookmark_id, changed_at, before)
      VALUES (${id}, ${rowId}, ${changedAt}, ${JSON.stringify(before)}) ON CONFLICT DO NOTHING`
  if (changes > 0) return
  const noted = readValue<string>(db)`
    SELECT before FROM undo_bookmarks WHERE step_id = ${id} AND bookmark_id = ${rowId}`
  const known: Before = JSON.parse(noted ?? '{}')
  const merged = [...(known.merged ?? []), ...(before.merged ?? [])]
  const first = JSON.stringify({ ...before, ...known, merged: merged.length > 0 ? merged : undefined })
  run(db)`
    UPDATE undo_bookmarks SET changed_at = ${changedAt}, before = ${first}
    WHERE step_id = ${id} AND bookmark_id = ${rowId}`
}
