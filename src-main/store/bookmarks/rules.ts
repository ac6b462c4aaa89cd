/**
 * Rules, and applying them to new bookmarks. Rules run in the transaction that saves a bookmark, after its words are
 * indexed: imported bookmarks are indexed later. They run again when the bookmark's page is read, because its title and
 * text may match rules that the address did not match. Until then the bookmark has a row in `rules_pending`. Without
 * rules that table is empty.
 */
import type { Place } from '../../contract/bookmark.ts'
import type { LibraryEvent } from '../../contract/change.ts'
import { Problem } from '../../contract/problem.ts'
import { MAX_RULES, type Rule, type RuleDraft } from '../../contract/rule.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readRows, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import { publicId } from '../public-id.ts'
import { stateAfterChange } from './bookmark-edits.ts'
import { assertOwner } from './bookmark-inserts.ts'
import { readState, writeState } from './bookmark-state.ts'
import { KEPT_DAYS, recordPlace } from './undo-steps.ts'
import { matchAmong } from './walks.ts'

/** A deleted rule can be restored for this time, in ms: as long as a change can be undone. */
const KEPT_MS = KEPT_DAYS.change * 86_400_000

const CHANGED: LibraryEvent[] = [{ kind: 'rules' }]

/**
 * Saves a rule as an undo step.
 *
 * @throws Problem `too-many`; `not-found` if the organization is gone
 */
export function saveRule(
  db: WriteConnection,
  { query, tags, place, copy }: RuleDraft,
  at: number
): Written<{ rule: Rule; undo: number }> {
  assertRoom(db)
  assertOwner(db, place?.owner)
  const id = publicId()
  run(db)`
    INSERT INTO rules (public_id, query, tags, visibility, organization_id, copies)
      VALUES (${id}, ${query}, ${JSON.stringify(tags)}, ${place?.visibility ?? null}, ${place?.owner ?? null},
        ${copy ? 1 : 0})`
  const rule = listRules(db).find((rule) => rule.id === id)
  if (!rule) throw new Error('The rule was not saved.')
  return { answer: { rule, undo: recordPlace(db, { id: null, at }, 'rule', id, undefined) }, events: CHANGED }
}

/**
 * Returns the undo step; `undefined` if there is no such rule.
 *
 * @throws Problem `not-found` if the organization was deleted
 */
export function changeRule(
  db: WriteConnection,
  id: string,
  { query, tags, place, copy }: RuleDraft,
  at: number
): Written<number | undefined> {
  assertOwner(db, place?.owner)
  const { visibility = null, owner = null } = place ?? {}
  const state = {
    query,
    tags: JSON.stringify(tags),
    visibility,
    organization: owner,
    copies: copy ? 1 : 0,
    isDeleted: 0
  }
  return asStep(db, id, at, () => writeRule(db, id, state, at))
}

/**
 * Marks a rule as deleted. Permanently deletes the rules that were marked more than a day before.
 *
 * @returns the undo step; `undefined` if there is no such rule
 */
export function deleteRule(db: WriteConnection, id: string, at: number): Written<number | undefined> {
  return asStep(db, id, at, () => {
    writeRule(db, id, undefined, at)
    run(db)`DELETE FROM rules WHERE deleted_at < ${at - KEPT_MS}`
  })
}

function asStep(db: WriteConnection, id: string, at: number, change: () => void): Written<number | undefined> {
  const before = readRule(db, id)
  if (!before || before.isDeleted === 1) return { answer: undefined, events: [] }
  change()
  return { answer: recordPlace(db, { id: null, at }, 'rule', id, before), events: CHANGED }
}

/** The values of a rule that an undo restores. */
export interface RuleState {
  query: string
  tags: string
  visibility: string | null
  organization: number | null
  /** Missing in the step of an older version. */
  copies?: number
  isDeleted: number
}

export function readRule(db: ReadConnection, id: string): RuleState | undefined {
  return readRow<RuleState>(db)`
    SELECT query, tags, visibility, organization_id AS organization, copies, deleted_at IS NOT NULL AS isDeleted
    FROM rules WHERE public_id = ${id}`
}

/**
 * Writes the values of a rule. A deleted rule is restored, and applies to bookmarks that are saved from now on.
 *
 * @param state `undefined` deletes the rule
 * @throws Problem `too-many`
 */
export function writeRule(db: WriteConnection, id: string, state: RuleState | undefined, at: number): void {
  if (!state || state.isDeleted === 1) {
    run(db)`UPDATE rules SET deleted_at = ${at} WHERE public_id = ${id}`
    return
  }
  if (readRule(db, id)?.isDeleted === 1) assertRoom(db)
  const { query, tags, visibility, organization, copies = 0 } = state
  run(db)`
    UPDATE rules SET query = ${query}, tags = ${tags}, visibility = ${visibility}, organization_id = ${organization},
      copies = ${copies}, deleted_at = NULL WHERE public_id = ${id}`
}

function assertRoom(db: WriteConnection): void {
  const count = readValue<number>(db)`SELECT count(*) FROM rules WHERE deleted_at IS NULL` ?? 0
  if (count >= MAX_RULES) throw new Problem('too-many', `There are ${MAX_RULES} rules already. Delete one first.`)
}

interface RuleRow extends Omit<Rule, 'tags' | 'organization' | 'copy'> {
  tags: string
  copies: number
  organizationId: string | null
  organization: string | null
  isGone: number
}

/** Returns all rules, in the order in which they were made. */
export function listRules(db: ReadConnection): Rule[] {
  const rows = readRows<RuleRow>(db)`
    SELECT r.public_id AS id, r.query, r.tags, r.visibility, o.public_id AS organizationId, o.name AS organization,
      o.deleted_at IS NOT NULL AS isGone, r.copies, r.matched, r.matched_at AS matchedAt
    FROM rules r LEFT JOIN organizations o ON o.id = r.organization_id WHERE r.deleted_at IS NULL ORDER BY r.id`
  return rows.map(({ organizationId, organization, isGone, tags, copies, ...row }) => ({
    ...row,
    copy: copies === 1,
    tags: JSON.parse(tags),
    organization:
      row.visibility === 'organization'
        ? { id: organizationId ?? '', name: organization ?? '', isGone: organizationId === null || isGone === 1 }
        : null
  }))
}

/** A new bookmark that rules may apply to. */
interface NewBookmark {
  rowId: number
  /** Row id of the newest rule when it was saved: later rules do not apply to it. */
  newestRule: number
  /** Row ids of the rules that already matched the bookmark, because each rule applies once. */
  applied: number[]
}

/** Applies all rules to bookmarks that were just saved and indexed. */
export function applyRules(db: WriteConnection, rowIds: number[], time: number): LibraryEvent[] {
  const newestRule = findNewestRule(db)
  if (newestRule === null || rowIds.length === 0) return []
  return applyTo(
    db,
    rowIds.map((rowId) => ({ rowId, newestRule, applied: [] })),
    time
  )
}

/** Marks new bookmarks for `applyDeferredRules`, because their words are not indexed yet. */
export function deferRules(db: WriteConnection, rowIds: number[]): void {
  const newestRule = findNewestRule(db)
  if (newestRule === null || rowIds.length === 0) return
  run(db)`
    INSERT OR REPLACE INTO rules_pending (bookmark_id, newest_rule, deferred)
    SELECT value, ${newestRule}, 1 FROM json_each(${JSON.stringify(rowIds)})`
}

/** Returns whether rules were deferred for any bookmark. */
export function hasDeferredRules(db: ReadConnection): boolean {
  return exists(db)`SELECT 1 FROM rules_pending WHERE deferred = 1`
}

/**
 * Applies deferred rules to bookmarks with this row id or a higher one, which are indexed.
 *
 * @param limit the maximum number of bookmarks
 * @returns the number of bookmarks
 */
export function applyDeferredRules(
  db: WriteConnection,
  from: number,
  limit: number,
  time: number
): { count: number; events: LibraryEvent[] } {
  const rows = readRows<PendingRow>(db)`
    SELECT bookmark_id AS rowId, newest_rule AS newestRule, applied FROM rules_pending
    WHERE deferred = 1 AND bookmark_id >= ${from} ORDER BY bookmark_id DESC LIMIT ${limit}`
  return { count: rows.length, events: applyTo(db, rows.map(readPending), time) }
}

/**
 * Applies rules to a bookmark whose page was read, could not be read, or was sent by the browser. Does nothing if no
 * rules are pending for the bookmark.
 */
export function applyRulesToPage(db: WriteConnection, rowId: number, time: number): LibraryEvent[] {
  const row = readRow<PendingRow>(db)`
    SELECT bookmark_id AS rowId, newest_rule AS newestRule, applied FROM rules_pending WHERE bookmark_id = ${rowId}`
  return row ? applyTo(db, [readPending(row)], time) : []
}

/** Returns whether this bookmark matches a rule that requires copies of pages. */
export function wantsCopy(db: ReadConnection, id: string): boolean {
  const rules = activeRules(db).filter(({ copies }) => copies === 1)
  const rowId = readValue<number>(db)`SELECT id FROM bookmarks WHERE public_id = ${id}`
  if (rules.length === 0 || rowId === undefined) return false
  const choices = rules.map(({ query }) => ({ words: query, trash: 'without', own: true }) as const)
  return matchAmong(db, choices, [rowId]).some((matching) => matching.length > 0)
}

type PendingRow = Omit<NewBookmark, 'applied'> & { applied: string }

function readPending({ applied, ...row }: PendingRow): NewBookmark {
  return { ...row, applied: JSON.parse(applied) }
}

function findNewestRule(db: ReadConnection): number | null {
  return readValue<number | null>(db)`SELECT max(id) FROM rules WHERE deleted_at IS NULL` ?? null
}

/**
 * Applies rules, in their order, to the new bookmarks that they match. Applies them again to bookmarks that changed,
 * because a rule may match a tag that another rule added. As with details of a page, the bookmark keeps its time of
 * change, so that the save can still be undone.
 */
function applyTo(db: WriteConnection, bookmarks: NewBookmark[], time: number): LibraryEvent[] {
  const rules = activeRules(db)
  const events = new Map<string, LibraryEvent>()
  for (let remaining = bookmarks; remaining.length > 0; ) {
    const matches = matchRules(db, rules, remaining)
    const changed = new Set<NewBookmark>()
    for (const [index, rule] of rules.entries()) {
      const matching = matches[index] ?? []
      for (const bookmark of matching) {
        bookmark.applied.push(rule.id)
        if (applyRule(db, rule, bookmark.rowId, time)) changed.add(bookmark)
      }
      if (matching.length === 0) continue
      run(db)`UPDATE rules SET matched = matched + ${matching.length}, matched_at = ${time} WHERE id = ${rule.id}`
      events.set('rules', { kind: 'rules' })
    }
    remaining = [...changed]
    if (remaining.length > 0) events.set('bookmarks', { kind: 'bookmarks' })
    searchIndex(db).refresh(remaining.map(({ rowId }) => rowId))
  }
  for (const bookmark of bookmarks) notePending(db, bookmark)
  return [...events.values()]
}

/** Returns, for each rule, the bookmarks that it matches for the first time. */
function matchRules(db: WriteConnection, rules: ActiveRule[], bookmarks: NewBookmark[]): NewBookmark[][] {
  const choices = rules.map(
    ({ query, place }) => ({ words: query, trash: 'without', own: place !== undefined }) as const
  )
  const rowIds = bookmarks.map(({ rowId }) => rowId)
  return matchAmong(db, choices, rowIds).map((ids, index) => {
    const ruleId = rules[index]?.id ?? 0
    const matching = new Set(ids)
    return bookmarks.filter(
      ({ rowId, newestRule, applied }) => matching.has(rowId) && ruleId <= newestRule && !applied.includes(ruleId)
    )
  })
}

/** Returns whether the bookmark changed. */
function applyRule(db: WriteConnection, { tags, place }: ActiveRule, rowId: number, time: number): boolean {
  const wanted = stateAfterChange(db, rowId, { kind: 'rule', add: tags, place }, time)
  if (typeof wanted === 'string') return false
  const now = readState(db, rowId, [...Object.keys(wanted), 'updatedAt'])
  const next = { ...now, ...wanted }
  if (JSON.stringify(now) === JSON.stringify(next)) return false
  writeState(db, rowId, next)
  return true
}

/** Stores which rules matched a bookmark, until its page is read. */
function notePending(db: WriteConnection, { rowId, newestRule, applied }: NewBookmark): void {
  const awaitsPage = exists(db)`
    SELECT 1 FROM bookmarks WHERE id = ${rowId} AND details_due IS NOT NULL AND deleted_at IS NULL`
  if (awaitsPage) {
    run(db)`
      INSERT OR REPLACE INTO rules_pending (bookmark_id, newest_rule, applied)
        VALUES (${rowId}, ${newestRule}, ${JSON.stringify(applied)})`
  } else run(db)`DELETE FROM rules_pending WHERE bookmark_id = ${rowId}`
}

interface ActiveRule {
  id: number
  query: string
  tags: string[]
  place: Place | undefined
  copies: number
}

/** Returns the rules whose organization, if they name one, exists. */
function activeRules(db: ReadConnection): ActiveRule[] {
  type Row = Pick<ActiveRule, 'id' | 'query' | 'copies'> & { tags: string } & (
      | Place
      | { visibility: null; owner: null }
    )
  const rows = readRows<Row>(db)`
    SELECT r.id, r.query, r.tags, r.copies, r.visibility, r.organization_id AS owner
    FROM rules r LEFT JOIN organizations o ON o.id = r.organization_id AND o.deleted_at IS NULL
    WHERE r.deleted_at IS NULL AND (r.visibility IS NOT 'organization' OR o.id IS NOT NULL) ORDER BY r.id`
  return rows.map(({ tags, visibility, owner, ...row }) => ({
    ...row,
    tags: JSON.parse(tags),
    place: visibility === null ? undefined : { visibility, owner }
  }))
}
