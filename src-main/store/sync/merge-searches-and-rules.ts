import { foldName } from '../../core/clean-text.ts'
import { joinFields } from '../../core/sync.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, readValue, run } from '../../database/sql.ts'
import { keepEarly, withEarly } from './early.ts'
import { organizationAt } from './merge-organizations.ts'
import { type Fields, rootOf, ruleFields, searchFields } from './records.ts'
import { forgetRecord, keepClocks, letSend, setClock } from './stamping.ts'

/** Merges another device's saved search into this library. Two of the same name both stay. */
export function mergeSearch(db: WriteConnection, id: string, incoming: Fields): boolean {
  const joined = settle(db, 'search', id, searchFields(db, id), incoming)
  if (joined === 'gone') return run(db)`DELETE FROM saved_searches WHERE public_id = ${id}`.changes > 0
  const [name, address] = [joined?.name?.[0], joined?.address?.[0]]
  if (typeof name !== 'string' || typeof address !== 'string') return false
  const folded = foldName(name)
  const isTaken = exists(db)`SELECT 1 FROM saved_searches WHERE folded = ${folded} AND public_id <> ${id}`
  run(db)`
    INSERT OR REPLACE INTO saved_searches (public_id, name, folded, address)
    VALUES (${id}, ${name}, ${isTaken ? `${folded} ${foldName(id)}` : folded}, ${address})`
  return true
}

/** Merges another device's rule into this library. */
export function mergeRule(db: WriteConnection, id: string, incoming: Fields, at: number): boolean {
  const joined = settle(db, 'rule', id, ruleFields(db, id), incoming)
  if (joined === 'gone') {
    return run(db)`UPDATE rules SET deleted_at = ${at} WHERE public_id = ${id} AND deleted_at IS NULL`.changes > 0
  }
  const query = joined?.query?.[0]
  if (joined === undefined || typeof query !== 'string') return false
  const [visibility, organization, name] = (joined.place?.[0] ?? [null, null, null]) as (string | null)[]
  const tags = JSON.stringify(joined.tags?.[0] ?? [])
  const place = organization == null ? null : placeOf(db, organization, name ?? '', at)
  run(db)`
    INSERT INTO rules (public_id, query, tags, visibility, organization_id)
    VALUES (${id}, ${query}, ${tags}, ${visibility ?? null}, ${place})
    ON CONFLICT (public_id) DO UPDATE SET query = excluded.query, tags = excluded.tags, deleted_at = NULL,
      visibility = excluded.visibility, organization_id = excluded.organization_id`
  return true
}

/** Returns the row id of a rule's organization, which may be deleted: then the rule does nothing. */
function placeOf(db: WriteConnection, organization: string, name: string, at: number): number {
  const known = readValue<number>(db)`SELECT id FROM organizations WHERE public_id = ${rootOf(db, organization)}`
  return known ?? organizationAt(db, organization, name, at)
}

/** The fields of a complete record, and the field that marks a deleted one. */
const FIELDS = {
  search: { needs: ['name', 'address'], end: 'gone' },
  rule: { needs: ['query', 'tags'], end: 'deleted' }
}

/**
 * Records the new clocks of the record and returns all its fields; `undefined` if nothing changes, or if the record is not
 * complete yet.
 */
function settle(
  db: WriteConnection,
  kind: 'search' | 'rule',
  id: string,
  here: Fields | undefined,
  incoming: Fields
): Fields | 'gone' | undefined {
  const { needs, end } = FIELDS[kind]
  const before = here ?? {}
  const fields = withEarly(db, id, incoming)
  const joined = joinFields(before, fields)
  if (JSON.stringify(before) === JSON.stringify(joined)) return undefined
  const last = joined[end]
  if (last && last[0] !== null) {
    // Whoever brings it back may not have seen all of these.
    keepEarly(db, kind, id, joined)
    // That it is gone here may have yet to be sent.
    if (last === before[end]) return undefined
    const isUnsent = exists(db)`SELECT 1 FROM sync_unsent WHERE record = ${id} AND kind = ${kind}`
    forgetRecord(db, id)
    setClock(db, id, end, last[1])
    // A change that was not sent yet is still sent, because it may be later than the change that restores the record.
    if (isUnsent) letSend(db, kind, id, '*')
    return 'gone'
  }
  if (needs.some((name) => !joined[name])) {
    keepEarly(db, kind, id, fields)
    return undefined
  }
  keepClocks(db, id, before, joined)
  return joined
}
