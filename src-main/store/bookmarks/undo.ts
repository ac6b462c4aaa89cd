import type { UndoPart } from '../../contract/call.ts'
import { foldName } from '../../core/clean-text.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, readRows, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { markDeleted } from '../access/organizations.ts'
import type { Written } from '../calls.ts'
import { type BookmarkState, findTwin, OF_PAGE, readState, writeState } from './bookmark-state.ts'
import { takeTagsBack } from './tag-changes.ts'
import { type Before, noteChange, type UndoStep } from './undo-steps.ts'

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
 * `undefined` when there is no such step, or it was taken back before. What is taken back is itself a step, `redo`,
 * which goes back to the state before and makes another one in turn.
 *
 * @param redo what earlier parts answered
 * @param limits for tests: how many bookmarks a change of tags indexes again before it answers, and a part takes back
 */
export function undoStepSome(
  db: WriteConnection,
  id: number,
  after = 0,
  redo: number | null = null,
  { atOnce, part: most = PART }: { atOnce?: number; part?: number } = {}
): Written<UndoPart | undefined> {
  const at = readValue<number>(db)`SELECT at FROM undo_steps WHERE id = ${id}`
  if (at === undefined) return { answer: undefined, events: [] }
  const inverse: UndoStep = { id: redo, at, opposite: id > 0 }
  const deleted = deletedBy(db, id)
  if (after === 0 && deleted !== undefined && id > 0) reviveOrganization(db, deleted)
  const total =
    after === 0 ? (readValue<number>(db)`SELECT count(*) FROM undo_bookmarks WHERE step_id = ${id}` ?? 0) : undefined
  const rows = readRows<Noted>(db)`
    SELECT u.bookmark_id AS rowId, u.before, b.updated_at = u.changed_at AS unchanged
    FROM undo_bookmarks u JOIN bookmarks b ON b.id = u.bookmark_id
    WHERE u.step_id = ${id} AND u.bookmark_id > ${after} ORDER BY u.bookmark_id LIMIT ${most}`
  const back = rows.filter((row) => takeBack(db, id, row, inverse)).map(({ rowId }) => rowId)
  searchIndex(db).refresh(back)
  const events = deleted === undefined ? CHANGED : [...CHANGED, { kind: 'organizations' as const }]
  const part = { undone: back.length, kept: rows.length - back.length, total }
  if (rows.length === most) return { answer: { ...part, next: rows.at(-1)?.rowId ?? null, redo: inverse.id }, events }
  const tagged = takeTagsBack(db, id, inverse, atOnce)
  if (deleted !== undefined) endDeletion(db, id, deleted, inverse)
  run(db)`DELETE FROM undo_steps WHERE id = ${id}`
  const { undone, kept } = tagged
  // All it concerned was deleted for good, or it was of an organization that is gone.
  if (total === 0 && inverse.id === null && undone + kept === 0) return { answer: undefined, events }
  return {
    answer: { undone: part.undone + undone, kept: part.kept + kept, total, next: null, redo: inverse.id },
    events
  }
}

const CHANGED: Written<unknown>['events'] = [{ kind: 'bookmarks' }, { kind: 'tags' }]

function takeBack(db: WriteConnection, step: number, { rowId, before, unchanged }: Noted, inverse: UndoStep): boolean {
  const { merged = [], ...state }: Before = JSON.parse(before)
  // What one took in of another that is gone is nowhere else.
  const isWhole = merged.every(
    (id) => exists(db)`SELECT 1 FROM undo_bookmarks WHERE step_id = ${step} AND bookmark_id = ${id}`
  )
  if (unchanged === 0 || !isWhole || findTwin(db, rowId, state) || !hasOwner(db, state)) return false
  // With another address a page's texts go, which the way forth has to bring back.
  const texts = state.url === undefined ? [] : OF_PAGE
  const now: Before = readState(db, rowId, [...Object.keys(state), ...texts])
  if (merged.length > 0) now.merged = merged
  writeState(db, rowId, state)
  noteChange(db, inverse, rowId, { before: now, changedAt: state.updatedAt ?? 0 })
  return true
}

/** Whether the organization it was in is there. */
function hasOwner(db: WriteConnection, { organization = null }: BookmarkState): boolean {
  return (
    organization === null || exists(db)`SELECT 1 FROM organizations WHERE id = ${organization} AND deleted_at IS NULL`
  )
}

/** Returns the organization that a step deletes, or brings back where the step is the opposite. */
function deletedBy(db: WriteConnection, step: number): number | undefined {
  return readValue<number | null>(db)`SELECT organization_id FROM undo_steps WHERE id = ${step}` ?? undefined
}

/** Brings an organization back, if its name is still free. Its keys stay revoked. */
function reviveOrganization(db: WriteConnection, rowId: number): void {
  const name = readValue<string>(db)`SELECT name FROM organizations WHERE id = ${rowId} AND deleted_at IS NOT NULL`
  if (name === undefined) return
  const folded = foldName(name)
  if (exists(db)`SELECT 1 FROM organizations WHERE folded = ${folded}`) return
  run(db)`UPDATE organizations SET deleted_at = NULL, folded = ${folded} WHERE id = ${rowId}`
}

/** Notes which organization the opposite of a step is about, and deletes it once more where nothing is in it. */
function endDeletion(db: WriteConnection, step: number, rowId: number, inverse: UndoStep): void {
  if (inverse.id !== null) run(db)`UPDATE undo_steps SET organization_id = ${rowId} WHERE id = ${inverse.id}`
  if (step < 0 && !exists(db)`SELECT 1 FROM bookmarks WHERE organization_id = ${rowId}`) {
    markDeleted(db, rowId, inverse.at)
  }
}
