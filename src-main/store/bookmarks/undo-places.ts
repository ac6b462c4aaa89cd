/** Undo of changes of saved searches and rules, and of what the owner said are not duplicates. */

import type { UndoableKind } from '../../contract/call.ts'
import type { LibraryEvent } from '../../contract/change.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readRows, readValues, run } from '../../database/sql.ts'
import { orTaken } from '../access/organizations.ts'
import type { Written } from '../calls.ts'
import { restoreSavedSearch } from '../search/searches.ts'
import { restoreRule } from './rules.ts'
import { beginStep, type UndoStep } from './undo-steps.ts'

interface SearchState {
  name: string
  address: string
}

interface RuleState {
  query: string
  tags: string
  visibility: string | null
  organization: number | null
  isDeleted: number
}

/** Returns a saved search, a rule or a group as JSON, before a change of it; `null` if there is none. */
export function readUndoable(db: ReadConnection, kind: UndoableKind, id: string): string | null {
  const state =
    kind === 'search'
      ? readRow<SearchState>(db)`SELECT name, address FROM saved_searches WHERE public_id = ${id}`
      : kind === 'rule'
        ? readRow<RuleState>(db)`
            SELECT query, tags, visibility, organization_id AS organization, deleted_at IS NOT NULL AS isDeleted
            FROM rules WHERE public_id = ${id}`
        : readApart(db, id)
  return state === undefined ? null : JSON.stringify(state)
}

function readApart(db: ReadConnection, id: string): number[] | undefined {
  const members = readValues<number>(db)`SELECT bookmark_id FROM not_duplicates WHERE group_id = ${id}`
  return members.length === 0 ? undefined : members
}

/** Records a change as an undo step, and returns the step. */
export function recordUndoable(
  db: WriteConnection,
  change: { kind: UndoableKind; id: string; before: string | null },
  at: number
): Written<number> {
  return { answer: record(db, { id: null, at }, change), events: [] }
}

function record(
  db: WriteConnection,
  step: UndoStep,
  { kind, id, before }: { kind: UndoableKind; id: string; before: string | null }
): number {
  const stepId = beginStep(db, step)
  run(db)`
    INSERT OR IGNORE INTO undo_places (step_id, kind, public_id, before) VALUES (${stepId}, ${kind}, ${id}, ${before})`
  return stepId
}

const EVENTS: Record<UndoableKind, LibraryEvent> = {
  search: { kind: 'searches' },
  rule: { kind: 'rules' },
  apart: { kind: 'bookmarks' }
}

/**
 * Gives searches, rules and groups of a step their former values, and records the inverse.
 *
 * @throws Problem `taken` if the name of a search is in use again, or `too-many`
 */
export function undoPlaces(db: WriteConnection, step: number, inverse: UndoStep): LibraryEvent[] {
  const rows = readRows<{ kind: UndoableKind; id: string; before: string | null }>(db)`
    SELECT kind, public_id AS id, before FROM undo_places WHERE step_id = ${step}`
  for (const { kind, id, before } of rows) {
    record(db, inverse, { kind, id, before: readUndoable(db, kind, id) })
    const former = before === null ? undefined : JSON.parse(before)
    if (kind === 'search') writeSearch(db, id, former)
    else if (kind === 'rule') writeRule(db, id, former, inverse.at)
    else writeApart(db, id, former)
  }
  return rows.map(({ kind }) => EVENTS[kind])
}

function writeSearch(db: WriteConnection, id: string, former: SearchState | undefined): void {
  if (!former) run(db)`DELETE FROM saved_searches WHERE public_id = ${id}`
  else if (!exists(db)`SELECT 1 FROM saved_searches WHERE public_id = ${id}`) restoreSavedSearch(db, { id, ...former })
  else {
    const { name, address } = former
    orTaken(
      `There is already a saved search named ${name}.`,
      () => run(db)`
        UPDATE saved_searches SET name = ${name}, folded = ${foldName(name)}, address = ${address}
        WHERE public_id = ${id}`
    )
  }
}

function writeRule(db: WriteConnection, id: string, former: RuleState | undefined, at: number): void {
  if (!former || former.isDeleted === 1) {
    run(db)`UPDATE rules SET deleted_at = ${at} WHERE public_id = ${id}`
    return
  }
  if (exists(db)`SELECT 1 FROM rules WHERE public_id = ${id} AND deleted_at IS NOT NULL`) restoreRule(db, id)
  const { query, tags, visibility, organization } = former
  run(db)`
    UPDATE rules SET query = ${query}, tags = ${tags}, visibility = ${visibility}, organization_id = ${organization}
    WHERE public_id = ${id}`
}

function writeApart(db: WriteConnection, id: string, members: number[] = []): void {
  run(db)`DELETE FROM not_duplicates WHERE group_id = ${id}`
  run(db)`
    INSERT OR REPLACE INTO not_duplicates (bookmark_id, group_id)
    SELECT id, ${id} FROM bookmarks WHERE id IN (SELECT value FROM json_each(${JSON.stringify(members)}))`
}
