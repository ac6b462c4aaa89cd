/**
 * Rules are applied to new bookmarks after these were saved, and once more when their pages were read, because a page's
 * title and text may match what an address did not. `rule_turns` has a row for each bookmark from its saving until then;
 * without rules it is empty.
 */

import type { Place } from '../../contract/bookmark.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readRows, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import { stateAfterChange } from './bookmark-edits.ts'
import { readState, writeState } from './bookmark-state.ts'
import { visitedOf } from './walks.ts'

/** Bookmarks that are looked at together, and row ids among which they lie: so many cost a few milliseconds a rule. */
const PART = 200
const WINDOW = 20_000

/** Lets the rules that there are have their turn with bookmarks that were just saved. */
export function awaitRules(db: WriteConnection, rowIds: number[]): void {
  const newest = readValue<number | null>(db)`SELECT max(id) FROM rules WHERE deleted_at IS NULL` ?? null
  if (newest === null || rowIds.length === 0) return
  run(db)`
    INSERT OR REPLACE INTO rule_turns (bookmark_id, newest_rule)
    SELECT value, ${newest} FROM json_each(${JSON.stringify(rowIds)})`
}

/** Gives rules their second turn with a bookmark whose page was read. */
export function resumeRules(db: WriteConnection, rowId: number): void {
  run(db)`UPDATE rule_turns SET due = due + 1 WHERE bookmark_id = ${rowId}`
}

/** Whether rules may have to be applied to a new bookmark, which costs next to nothing to ask. */
export function isRuleDue(db: ReadConnection): boolean {
  return exists(db)`SELECT 1 FROM rule_turns WHERE due > 0`
}

interface Turn {
  rowId: number
  id: string
  due: number
  newest: number
  /** Row ids as JSON. */
  applied: string
}

/** New bookmarks to check, and the ids of those that each rule matches, by the rule’s row id. */
interface RuleTurns {
  /** `due` changes when the bookmark’s page is read, so that the bookmark is checked again. */
  bookmarks: { id: string; due: number }[]
  matches: { rule: number; bookmarks: string[] }[]
}

/**
 * Returns some of the new bookmarks that await rules, and which of them each rule matches for the first time. Other reads run
 * between two rules, because a hundred rules take 20 ms or more.
 */
export async function matchRules(db: ReadConnection): Promise<RuleTurns> {
  // Imports are indexed from their last bookmark on: above the last one that is not, all are.
  const some = readRows<Turn>(db)`
    SELECT b.id AS rowId, b.public_id AS id, t.due, t.newest_rule AS newest, t.applied
    FROM rule_turns t JOIN bookmarks b ON b.id = t.bookmark_id
    WHERE t.due > 0 AND t.bookmark_id > ifnull((SELECT max(id) FROM bookmarks WHERE to_index = 1), 0)
      AND (b.filters IS NOT NULL OR b.deleted_at IS NOT NULL)
    ORDER BY t.bookmark_id DESC LIMIT ${PART}`
  const turns = some.filter(({ rowId }) => rowId > (some[0]?.rowId ?? 0) - WINDOW)
  const matches: RuleTurns['matches'] = []
  for (const rule of turns.length === 0 ? [] : activeRules(db)) {
    const waiting = turns.filter(({ newest, applied }) => rule.id <= newest && !idsIn(applied).includes(rule.id))
    const rowIds = waiting.map(({ rowId }) => rowId)
    const choice = { words: rule.query, trash: 'without', own: rule.place !== undefined } as const
    const found = visitedOf(db, choice, rowIds)
    await new Promise((resolve) => setImmediate(resolve))
    const bookmarks = waiting.filter(({ rowId }) => found.includes(rowId)).map(({ id }) => id)
    if (bookmarks.length > 0) matches.push({ rule: rule.id, bookmarks })
  }
  return { bookmarks: turns.map(({ id, due }) => ({ id, due })), matches }
}

/**
 * Applies rules to the new bookmarks they match. Like the details of a page that is no change of a bookmark's: its time of
 * change stays, so that what saved it can still be undone. Where one was applied, the others have another turn with what
 * the bookmark is now; else a bookmark's turn ends, or waits for its page.
 */
export function applyRules(db: WriteConnection, { bookmarks, matches }: RuleTurns, at: number): Written<void> {
  const rules = activeRules(db)
  const changed: number[] = []
  let matched = false
  for (const { id, due } of bookmarks) {
    // By its id: a row id that a purged bookmark had may be another's by now. With `due`: one whose page was read since is
    // matched again.
    const turn = readRow<Pick<Turn, 'rowId' | 'applied'>>(db)`
      SELECT b.id AS rowId, t.applied FROM bookmarks b JOIN rule_turns t ON t.bookmark_id = b.id
      WHERE b.public_id = ${id} AND t.due = ${due}`
    if (!turn) continue
    const { rowId } = turn
    const before = idsIn(turn.applied)
    const matching = matches.filter(({ rule, bookmarks: some }) => some.includes(id) && !before.includes(rule))
    const now = rules.filter((rule) => matching.some((match) => match.rule === rule.id))
    if (now.map((rule) => applyRule(db, rule, rowId, at)).includes(true)) changed.push(rowId)
    if (now.length > 0) {
      const all = JSON.stringify([...before, ...now.map((rule) => rule.id)])
      run(db)`UPDATE rule_turns SET applied = ${all} WHERE bookmark_id = ${rowId}`
      for (const rule of now) {
        run(db)`UPDATE rules SET matched = matched + 1, matched_at = ${at} WHERE id = ${rule.id}`
      }
      matched = true
    } else endTurn(db, rowId)
  }
  searchIndex(db).refresh(changed)
  const events: Written<void>['events'] = matched ? [{ kind: 'rules' }] : []
  return { answer: undefined, events: changed.length > 0 ? [{ kind: 'bookmarks' }, ...events] : events }
}

/** Returns whether the bookmark changed. */
function applyRule(db: WriteConnection, { tags, place }: ActiveRule, rowId: number, at: number): boolean {
  const wanted = stateAfterChange(db, rowId, { kind: 'rule', add: tags, place }, at)
  if (typeof wanted === 'string') return false
  const now = readState(db, rowId, [...Object.keys(wanted), 'updatedAt'])
  const next = { ...now, ...wanted }
  if (JSON.stringify(now) === JSON.stringify(next)) return false
  writeState(db, rowId, next)
  return true
}

function endTurn(db: WriteConnection, rowId: number): void {
  const awaitsPage = exists(db)`
    SELECT 1 FROM bookmarks WHERE id = ${rowId} AND details_due IS NOT NULL AND deleted_at IS NULL`
  if (awaitsPage) run(db)`UPDATE rule_turns SET due = 0 WHERE bookmark_id = ${rowId}`
  else run(db)`DELETE FROM rule_turns WHERE bookmark_id = ${rowId}`
}

interface ActiveRule {
  id: number
  query: string
  tags: string[]
  place: Place | undefined
}

/** Returns the rules whose organization, if they name one, is there. */
function activeRules(db: ReadConnection): ActiveRule[] {
  const rows = readRows<{ id: number; query: string; tags: string } & (Place | { visibility: null; owner: null })>(db)`
    SELECT r.id, r.query, r.tags, r.visibility, r.organization_id AS owner
    FROM rules r LEFT JOIN organizations o ON o.id = r.organization_id AND o.deleted_at IS NULL
    WHERE r.deleted_at IS NULL AND (r.visibility IS NOT 'organization' OR o.id IS NOT NULL) ORDER BY r.id`
  return rows.map(({ id, query, tags, visibility, owner }) => ({
    id,
    query,
    tags: JSON.parse(tags),
    place: visibility === null ? undefined : { visibility, owner }
  }))
}

function idsIn(json: string): number[] {
  return JSON.parse(json)
}
