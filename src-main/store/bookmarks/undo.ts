import type { UndoPart } from '../../contract/call.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import type { WriteConnection } from '../connection.ts'
import { exists, readRows, readValue, run } from '../statements.ts'
import { findTwin, writeState } from './bookmark-state.ts'
import { takeTagsBack } from './tag-changes.ts'
import type { Before } from './undo-steps.ts'

interface Noted {
  rowId: number
  before: string
  unchanged: number
}

/** Bookmarks that one part of an undoing takes back: some 30 ms. */
const PART = 200

/**
 * Takes a step back, with each bookmark's time of change, so that the step before it can be taken back too: the
 * bookmarks with row ids above `after`, as many as are done at once, and with the last of them all there is to it.
 * `undefined` when there is no such step, or it was taken back before.
 *
 * @param limits for tests: how many bookmarks a change of tags indexes again before it answers, and a part takes back
 */
export function undoStepSome(
  db: WriteConnection,
  id: number,
  after = 0,
  { atOnce, part: most = PART }: { atOnce?: number; part?: number } = {}
): Written<UndoPart | undefined> {
  if (!exists(db)`SELECT 1 FROM undo_steps WHERE id = ${id}`) return { answer: undefined, events: [] }
  const total =
    after === 0 ? (readValue<number>(db)`SELECT count(*) FROM undo_bookmarks WHERE step_id = ${id}` ?? 0) : undefined
  const rows = readRows<Noted>(db)`
    SELECT u.bookmark_id AS rowId, u.before, b.updated_at = u.changed_at AS unchanged
    FROM undo_bookmarks u JOIN bookmarks b ON b.id = u.bookmark_id
    WHERE u.step_id = ${id} AND u.bookmark_id > ${after} ORDER BY u.bookmark_id LIMIT ${most}`
  const back = rows.filter((row) => takeBack(db, id, row)).map(({ rowId }) => rowId)
  searchIndex(db).refresh(back)
  const part = { undone: back.length, kept: rows.length - back.length, total }
  if (rows.length === most) return { answer: { ...part, next: rows.at(-1)?.rowId ?? null }, events: CHANGED }
  const tagged = takeTagsBack(db, id, atOnce)
  run(db)`DELETE FROM undo_steps WHERE id = ${id}`
  const answer = { ...part, undone: part.undone + tagged.undone, kept: part.kept + tagged.kept, next: null }
  return { answer, events: CHANGED }
}

const CHANGED: Written<unknown>['events'] = [{ kind: 'bookmarks' }, { kind: 'tags' }]

function takeBack(db: WriteConnection, step: number, { rowId, before, unchanged }: Noted): boolean {
  const { merged = [], ...state }: Before = JSON.parse(before)
  // What one took in of another that is gone is nowhere else.
  const isWhole = merged.every(
    (id) => exists(db)`SELECT 1 FROM undo_bookmarks WHERE step_id = ${step} AND bookmark_id = ${id}`
  )
  if (unchanged === 0 || !isWhole || findTwin(db, rowId, state)) return false
  writeState(db, rowId, state)
  return true
}
