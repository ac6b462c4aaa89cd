import type { WriteConnection } from '../connection.ts'
import { insert, run } from '../statements.ts'
import type { BookmarkState } from './bookmark-state.ts'

/** A step that can be taken back. It has a row, and `id` is a number, once something is noted. */
export interface UndoStep {
  id: number | null
  at: number
}

/** A bookmark before a change. `merged` are row ids of the step's bookmarks whose tags and texts it took in. */
export type Before = BookmarkState & { merged?: number[] | undefined }

/** Notes what a change of a bookmark replaced. */
export function noteChange(
  db: WriteConnection,
  step: UndoStep,
  rowId: number,
  { before, changedAt }: { before: Before; changedAt: number }
): void {
  step.id ??= insert(db)`INSERT INTO undo_steps (at) VALUES (${step.at})`
  run(db)`
    INSERT INTO undo_bookmarks (step_id, bookmark_id, changed_at, before)
      VALUES (${step.id}, ${rowId}, ${changedAt}, ${JSON.stringify(before)})`
}
