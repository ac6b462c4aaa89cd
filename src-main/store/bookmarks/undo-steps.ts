/**
 * Every change that can be undone is a step. A step has the values that its change replaced (`undo_bookmarks`), ranges
 * of the row ids of new bookmarks (`undo_ranges`), and changes of tags on many bookmarks (`undo_taggings`,
 * `undo_tag_names`). An undo is a step as well, which redoes the change. All functions are for use inside a transaction.
 */

import type { UndoableKind } from '../../contract/call.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, insert, readValue, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import type { BookmarkState } from './bookmark-state.ts'

const DAY_MS = 86_400_000

/** Days for which a step can be undone. */
export const KEPT_DAYS = { change: 1, import: 30, call: 90 }

/** A step. Its row is added, and `id` is set, when the first change is recorded. */
export interface UndoStep {
  id: number | null
  at: number
  /** Whether the step was made by an undo. Its id is negative. */
  opposite?: boolean
  keptDays?: number
}

/** A bookmark before a change. `merged` are row ids of the bookmarks of the same step that were merged into it. */
export type Before = BookmarkState & { merged?: number[] | undefined }

/** Adds the row of a step, if it has none, and returns its id. */
export function beginStep(db: WriteConnection, step: UndoStep): number {
  if (step.id !== null) return step.id
  const id = insert(db)`
    INSERT INTO undo_steps (at, kept_days) VALUES (${step.at}, ${step.keptDays ?? KEPT_DAYS.change})`
  if (step.opposite) run(db)`UPDATE undo_steps SET id = ${-id} WHERE id = ${id}`
  step.id = step.opposite ? -id : id
  return step.id
}

/** Records the values that a change of a bookmark replaced. Of several changes in a step, the first values are kept. */
export function recordChange(
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
  const recorded = readValue<string>(db)`
    SELECT before FROM undo_bookmarks WHERE step_id = ${id} AND bookmark_id = ${rowId}`
  const first: Before = JSON.parse(recorded ?? '{}')
  const merged = [...(first.merged ?? []), ...(before.merged ?? [])]
  const both = JSON.stringify({ ...before, ...first, merged: merged.length > 0 ? merged : undefined })
  run(db)`
    UPDATE undo_bookmarks SET changed_at = ${changedAt}, before = ${both}
    WHERE step_id = ${id} AND bookmark_id = ${rowId}`
}

/**
 * Records new bookmarks with consecutive row ids as one range, because a row for each would slow down a large import.
 * When the newest bookmarks are deleted permanently, a trigger moves the ends of ranges down, and SQLite assigns their
 * row ids again. So an empty range may begin at or above `first`.
 */
export function recordNew(db: WriteConnection, step: UndoStep, first: number, last: number): void {
  const id = beginStep(db, step)
  const extended = run(db)`
    UPDATE undo_ranges SET last = ${last} WHERE step_id = ${id} AND last = ${first} - 1 AND first <= ${first}`
  if (extended.changes > 0) return
  run(db)`INSERT OR REPLACE INTO undo_ranges (step_id, first, last) VALUES (${id}, ${first}, ${last})`
}

/**
 * Records the values that a change of a saved search, a rule or a group of `not_duplicates` replaced. Of several
 * changes in a step, the first values are kept.
 *
 * @param before `undefined` if the change created it
 * @returns the step
 */
export function recordPlace(
  db: WriteConnection,
  step: UndoStep,
  kind: UndoableKind,
  id: string,
  before: object | undefined
): number {
  const stepId = beginStep(db, step)
  run(db)`
    INSERT OR IGNORE INTO undo_places (step_id, kind, public_id, before)
      VALUES (${stepId}, ${kind}, ${id}, ${before === undefined ? null : JSON.stringify(before)})`
  return stepId
}

/** Returns the lowest row id of a step's new bookmarks; `undefined` if it has none. */
export function firstNew(db: WriteConnection, step: number): number | undefined {
  return readValue<number | null>(db)`SELECT min(first) FROM undo_ranges WHERE step_id = ${step}` ?? undefined
}

export function isNewIn(db: WriteConnection, step: number, rowId: number): boolean {
  return exists(db)`SELECT 1 FROM undo_ranges WHERE step_id = ${step} AND ${rowId} BETWEEN first AND last`
}

/**
 * Deletes expired steps with their imports and calls, and tags that no bookmark has and no step can restore.
 */
export function forgetSteps(db: WriteConnection, now: number): Written<void> {
  run(db)`DELETE FROM undo_steps WHERE at + kept_days * ${DAY_MS} < ${now}`
  // The undo of an import or a call restores no tag.
  const mayNeedTags = exists(db)`
    SELECT 1 FROM undo_steps WHERE kept_days = ${KEPT_DAYS.change}
    UNION ALL SELECT 1 FROM bookmarks WHERE to_index = 1`
  if (!mayNeedTags) {
    run(db)`DELETE FROM tags AS t WHERE NOT EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.tag_id = t.id)`
  }
  return { answer: undefined, events: [] }
}
