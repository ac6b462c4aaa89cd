import type { BookmarkEdit, BulkChange, ChangeReport, KeptReason } from '../../contract/bookmark-change.ts'
import { Problem } from '../../contract/problem.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { readRow, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import { assertOwner } from './bookmark-inserts.ts'
import { findTwin, replaceState } from './bookmark-state.ts'
import { forgetPurged } from './import-ranges.ts'
import { noteChange, type UndoStep } from './undo-steps.ts'
import { stateAfterChange, stateAfterEdit } from './wanted-states.ts'

interface Found {
  rowId: number
  deletedAt: number | null
}

/**
 * Changes one bookmark.
 *
 * @returns the step that takes it back, `null` where nothing changed; `undefined` when there is no such bookmark
 * @throws Problem `taken` when another bookmark is that page, `invalid` when it is in the trash, `not-found` when the
 *   organization it is to go to was deleted
 */
export function editBookmark(
  db: WriteConnection,
  id: string,
  edit: BookmarkEdit,
  at: number
): Written<{ undo: number | null } | undefined> {
  const found = find(db, id)
  if (!found) return { answer: undefined, events: [] }
  if (found.deletedAt !== null) {
    throw new Problem('invalid', 'This bookmark is in the trash. Restore it before changing it.')
  }
  assertOwner(db, edit.place?.owner)
  const wanted = stateAfterEdit(db, edit)
  const twin = findTwin(db, found.rowId, wanted)
  if (twin) throw new Problem('taken', twin.deletedAt === null ? SAVED : IN_TRASH)
  const replaced = replaceState(db, found.rowId, wanted, at)
  if (!replaced) return { answer: { undo: null }, events: [] }
  const step: UndoStep = { id: null, at }
  noteChange(db, step, found.rowId, replaced)
  searchIndex(db).refresh([found.rowId])
  return { answer: { undo: step.id }, events: [{ kind: 'bookmarks' }] }
}

/**
 * Changes many bookmarks; one that cannot be changed never keeps the others from it.
 *
 * @param begun goes on with this step, so that both are taken back together
 * @throws Problem `not-found` when the organization they are to go to was deleted
 */
export function changeBookmarks(
  db: WriteConnection,
  ids: string[],
  change: BulkChange,
  at: number,
  begun: number | null = null
): Written<ChangeReport> {
  if (change.kind === 'move' || change.kind === 'rule') assertOwner(db, change.place?.owner)
  const step: UndoStep = { id: begun, at }
  const kept: ChangeReport['kept'] = []
  const changed: number[] = []
  const wanted = [...new Set(ids)]
  for (const id of wanted) {
    const outcome = changeOne(db, find(db, id), change, step)
    if (typeof outcome === 'string') kept.push({ id, reason: outcome })
    else if (outcome) changed.push(outcome.changed)
  }
  if (change.kind === 'purge') forgetPurged(db)
  searchIndex(db).refresh(changed)
  return {
    answer: { changed: changed.length, unchanged: wanted.length - changed.length, kept, undo: step.id },
    events: changed.length > 0 ? [{ kind: 'bookmarks' }] : []
  }
}

/** Returns the row id of what changed, why it is left alone, or `undefined` where all was so already. */
function changeOne(
  db: WriteConnection,
  found: Found | undefined,
  change: BulkChange,
  step: UndoStep
): { changed: number } | KeptReason | undefined {
  if (!found) return 'missing'
  const fromTrash = change.kind === 'restore' || change.kind === 'purge'
  if (fromTrash !== (found.deletedAt !== null)) return fromTrash ? 'not-in-trash' : 'in-trash'
  if (change.kind === 'purge') {
    run(db)`DELETE FROM bookmarks WHERE id = ${found.rowId}`
    return { changed: found.rowId }
  }
  const state = stateAfterChange(db, found.rowId, change, step.at)
  if (typeof state === 'string') return state
  const replaced = replaceState(db, found.rowId, state, step.at)
  if (!replaced) return undefined
  noteChange(db, step, found.rowId, replaced)
  return { changed: found.rowId }
}

function find(db: WriteConnection, id: string): Found | undefined {
  return readRow<Found>(db)`SELECT id AS rowId, deleted_at AS deletedAt FROM bookmarks WHERE public_id = ${id}`
}

const SAVED = 'Another bookmark there already has this address.'
const IN_TRASH = 'A bookmark with this address is in the trash there. Restore it, or delete it permanently first.'
