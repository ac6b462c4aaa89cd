import type { UndoableKind, UndoPart, UndoTarget } from '../../contract/call.ts'
import type { LibraryEvent } from '../../contract/change.ts'
import { Problem } from '../../contract/problem.ts'
import { foldName } from '../../core/clean-text.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readRows, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { markDeleted } from '../access/organizations.ts'
import type { Written } from '../calls.ts'
import { readSearch, writeSearch } from '../search/searches.ts'
import { type BookmarkState, findTwin, OF_PAGE, readState, tagIdsOf, writeState } from './bookmark-state.ts'
import { readNotDuplicates, writeNotDuplicates } from './duplicates.ts'
import { readRule, writeRule } from './rules.ts'
import { undoTags } from './tag-changes.ts'
import { type Before, beginStep, recordChange, recordPlace, type UndoStep } from './undo-steps.ts'

/** Maximum number of bookmarks that one call undoes. The call takes about 50 ms, and other writes wait for it. */
const BATCH = 500

/**
 * Undoes a batch of a step. New bookmarks are moved to the trash. The former texts, tags and time of change of changed
 * bookmarks are restored; because of the former time, the previous step can be undone as well. Bookmarks that were
 * changed since are skipped. The undo is itself a step, `redo`; undoing that step repeats the change.
 *
 * @param before the answer to the previous batch
 * @param limits for tests: the maximum number of bookmarks that a change of tags indexes immediately, and the size of a
 *   batch
 * @returns `undefined` if there is no such step, it was already undone, or nothing that it changed exists any more
 * @throws Problem `taken` if the bookmarks came from other machines and this machine still synchronizes with them, or if
 *   the name of a tag is in use again
 */
export function undoBatch(
  db: WriteConnection,
  target: UndoTarget,
  at: number,
  before: UndoPart = BEGIN,
  { atOnce, batch = BATCH }: { atOnce?: number; batch?: number } = {}
): Written<UndoPart | undefined> {
  const step = findStep(db, target)
  if (!step) return { answer: undefined, events: [] }
  const inverse: UndoStep = { id: before.redo, at, opposite: step.id > 0 }
  const isFirst = before.next === 0
  if (isFirst && step.organization !== null && step.id > 0) restoreOrganization(db, step.organization)
  const total = isFirst ? countRows(db, step.id) : before.total
  const rows = readBatch(db, step, before.next ?? 0, batch)
  const added = rows.filter((row) => row.before === null && row.isUnchanged === 1)
  if (added.length > 0) trashNew(db, added, inverse)
  const changed = rows.filter((row) => row.before !== null && undoBookmark(db, step.id, row, row.before, inverse))
  const undone = [...added, ...changed].map(({ rowId }) => rowId)
  searchIndex(db).refresh(undone)
  const part: UndoPart = {
    undone: before.undone + undone.length,
    kept: before.kept + rows.length - undone.length,
    total,
    next: rows.length === batch ? (rows.at(-1)?.rowId ?? null) : null,
    redo: inverse.id
  }
  const events = eventsOf(step)
  if (part.next !== null) return { answer: part, events }
  events.push(...undoPlaces(db, step.id, inverse))
  return { answer: endUndo(db, step, part, inverse, atOnce), events }
}

const BEGIN: UndoPart = { undone: 0, kept: 0, total: 0, next: 0, redo: null }

/** Undoes a step's changes of tags and of an organization, after its last batch of bookmarks. */
function endUndo(
  db: WriteConnection,
  { id, organization, isListed }: Step,
  part: UndoPart,
  inverse: UndoStep,
  atOnce: number | undefined
): UndoPart | undefined {
  const tagged = undoTags(db, id, inverse, atOnce)
  if (organization !== null) endDeletion(db, id, organization, inverse)
  if (isListed) run(db)`UPDATE undo_steps SET undone_at = ${inverse.at} WHERE id = ${id}`
  else run(db)`DELETE FROM undo_steps WHERE id = ${id}`
  const undone = part.undone + tagged.undone
  const kept = part.kept + tagged.kept
  const isEmpty = part.total === 0 && inverse.id === null && undone + kept === 0
  return isEmpty && !isListed ? undefined : { ...part, undone, kept, redo: inverse.id }
}

interface Step {
  id: number
  at: number
  /** Row id of the organization that the step deleted or restored. */
  organization: number | null
  /** Whether an import or a call refers to it. */
  isListed: boolean
  isCall: boolean
}

function findStep(db: WriteConnection, target: UndoTarget): Step | undefined {
  const id = stepOf(db, target)
  const step = readRow<Pick<Step, 'at' | 'organization'> & { joined: number | null; isCall: number }>(db)`
    SELECT s.at, s.organization_id AS organization, i.joined, EXISTS (SELECT 1 FROM calls WHERE step_id = s.id) AS isCall
    FROM undo_steps s LEFT JOIN imports i ON i.step_id = s.id WHERE s.id = ${id} AND s.undone_at IS NULL`
  if (id === undefined || !step) return undefined
  if (step.joined === 1 && exists(db)`SELECT 1 FROM sync_state`) {
    throw new Problem(
      'taken',
      'These bookmarks came from your other machines, where undoing would delete them too. Leave first: earmark sync leave'
    )
  }
  const isCall = step.isCall === 1
  return { id, at: step.at, organization: step.organization, isListed: isCall || step.joined !== null, isCall }
}

function stepOf(db: WriteConnection, target: UndoTarget): number | undefined {
  if ('import' in target) return readValue<number>(db)`SELECT step_id FROM imports WHERE id = ${target.import}`
  if ('call' in target) return readValue<number>(db)`SELECT step_id FROM calls WHERE id = ${target.call}`
  return target.step
}

function eventsOf({ organization, isCall }: Step): Written<unknown>['events'] {
  const events: Written<unknown>['events'] = [{ kind: 'bookmarks' }, { kind: 'tags' }]
  if (organization !== null) events.push({ kind: 'organizations' })
  if (isCall) events.push({ kind: 'calls' })
  return events
}

function countRows(db: WriteConnection, step: number): number {
  return (
    readValue<number>(db)`
    SELECT (SELECT count(*) FROM undo_bookmarks WHERE step_id = ${step})
      + (SELECT ifnull(sum(last - first + 1), 0) FROM undo_ranges WHERE step_id = ${step})` ?? 0
  )
}

interface StepRow {
  rowId: number
  /** The former values as JSON; `null` if the step created the bookmark. */
  before: string | null
  changedAt: number
  isUnchanged: number
}

/** Reads the next bookmarks of a step, above a row id and in order. New bookmarks in the trash need no undo. */
function readBatch(db: WriteConnection, step: Step, after: number, batch: number): StepRow[] {
  const added = readRows<StepRow>(db)`
    SELECT b.id AS rowId, NULL AS before, b.updated_at AS changedAt, b.updated_at <= ${step.at} AS isUnchanged
    FROM undo_ranges r CROSS JOIN bookmarks b ON b.id BETWEEN max(r.first, ${after} + 1) AND r.last
    WHERE r.step_id = ${step.id} AND r.last > ${after} AND b.deleted_at IS NULL
    ORDER BY r.first, b.id LIMIT ${batch}`
  const changed = readRows<StepRow>(db)`
    SELECT u.bookmark_id AS rowId, u.before, u.changed_at AS changedAt, b.updated_at = u.changed_at AS isUnchanged
    FROM undo_bookmarks u JOIN bookmarks b ON b.id = u.bookmark_id
    WHERE u.step_id = ${step.id} AND u.bookmark_id > ${after} ORDER BY u.bookmark_id LIMIT ${batch}`
  return [...added, ...changed].sort((a, b) => a.rowId - b.rowId).slice(0, batch)
}

/** Moves new bookmarks to the trash in one statement, because an import has many. */
function trashNew(db: WriteConnection, rows: StepRow[], inverse: UndoStep): void {
  const rowIds = JSON.stringify(rows.map(({ rowId }) => rowId))
  const { at } = inverse
  run(db)`
    INSERT INTO undo_bookmarks (step_id, bookmark_id, changed_at, before)
    SELECT ${beginStep(db, inverse)}, id, max(${at}, updated_at + 1),
      json_object('deletedAt', NULL, 'updatedAt', updated_at)
    FROM bookmarks WHERE id IN (SELECT value FROM json_each(${rowIds}))`
  run(db)`
    UPDATE bookmarks SET deleted_at = ${at}, updated_at = max(${at}, updated_at + 1)
    WHERE id IN (SELECT value FROM json_each(${rowIds}))`
}

/** Returns false if the bookmark stays as it is. */
function undoBookmark(
  db: WriteConnection,
  step: number,
  { rowId, changedAt, isUnchanged }: StepRow,
  json: string,
  inverse: UndoStep
): boolean {
  const { merged = [], ...state }: Before = JSON.parse(json)
  // If a merged bookmark was deleted permanently, its tags and texts exist only in this one, which then stays as it is.
  const isWhole = merged.every(
    (id) => exists(db)`SELECT 1 FROM undo_bookmarks WHERE step_id = ${step} AND bookmark_id = ${id}`
  )
  if (isUnchanged === 0 || !isWhole || !hasOwner(db, state)) return false
  if (findTwin(db, rowId, state)) {
    if (typeof state.deletedAt !== 'number') return false
    // The page was saved again since, as another bookmark.
    state.pageKey = null
  }
  // If the address changes, the texts from the page are removed. They are recorded, so that the redo restores them.
  const texts = state.url === undefined ? [] : OF_PAGE
  const now: Before = readState(db, rowId, [...Object.keys(state), ...texts])
  if (merged.length > 0) now.merged = merged
  // A bookmark that returns to the trash stays there for the full time.
  if (now.deletedAt === null && typeof state.deletedAt === 'number') state.deletedAt = inverse.at
  // Restoring it from the trash only added tags, so the undo removes them. A tag that was deleted since stays deleted.
  if (state.tags && typeof state.deletedAt === 'number') {
    const { tags } = state
    state.tags = tagIdsOf(db, rowId).filter((tag) => tags.includes(tag))
  }
  writeState(db, rowId, state)
  recordChange(db, inverse, rowId, { before: now, changedAt: state.updatedAt ?? changedAt })
  return true
}

/** Returns whether the organization that the bookmark was in exists. */
function hasOwner(db: WriteConnection, { organization = null }: BookmarkState): boolean {
  return (
    organization === null || exists(db)`SELECT 1 FROM organizations WHERE id = ${organization} AND deleted_at IS NULL`
  )
}

/** Restores an organization, if its name is still free. Its keys stay revoked. */
function restoreOrganization(db: WriteConnection, rowId: number): void {
  const name = readValue<string>(db)`SELECT name FROM organizations WHERE id = ${rowId} AND deleted_at IS NOT NULL`
  if (name === undefined) return
  const folded = foldName(name)
  if (exists(db)`SELECT 1 FROM organizations WHERE folded = ${folded}`) return
  run(db)`UPDATE organizations SET deleted_at = NULL, folded = ${folded} WHERE id = ${rowId}`
}

/** Records the organization for the inverse step, and deletes it again in a redo if it has no bookmark. */
function endDeletion(db: WriteConnection, step: number, rowId: number, inverse: UndoStep): void {
  if (inverse.id !== null) run(db)`UPDATE undo_steps SET organization_id = ${rowId} WHERE id = ${inverse.id}`
  if (step < 0 && !exists(db)`SELECT 1 FROM bookmarks WHERE organization_id = ${rowId}`) {
    markDeleted(db, rowId, inverse.at)
  }
}

const READ_PLACE = { search: readSearch, rule: readRule, apart: readNotDuplicates }

const PLACE_EVENTS: Record<UndoableKind, LibraryEvent> = {
  search: { kind: 'searches' },
  rule: { kind: 'rules' },
  apart: { kind: 'bookmarks' }
}

/**
 * Restores a step's saved searches, rules, and groups of bookmarks that are not duplicates.
 *
 * @throws Problem `taken` if the name of a search is in use again, or `too-many`
 */
function undoPlaces(db: WriteConnection, step: number, inverse: UndoStep): LibraryEvent[] {
  const rows = readRows<{ kind: UndoableKind; id: string; before: string | null }>(db)`
    SELECT kind, public_id AS id, before FROM undo_places WHERE step_id = ${step}`
  for (const { kind, id, before } of rows) {
    recordPlace(db, inverse, kind, id, READ_PLACE[kind](db, id))
    const former = before === null ? undefined : JSON.parse(before)
    if (kind === 'search') writeSearch(db, id, former)
    else if (kind === 'rule') writeRule(db, id, former, inverse.at)
    else writeNotDuplicates(db, id, former)
  }
  return rows.map(({ kind }) => PLACE_EVENTS[kind])
}
