import { Problem } from '../../contract/problem.ts'
import type { SyncRecord } from '../../contract/sync.ts'
import { foldName } from '../../core/clean-text.ts'
import { pictureKey } from '../../core/page-key.ts'
import { joinFields } from '../../core/sync.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, readValue, readValues, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { addImport, countImported, findImportStep, NewRows } from '../bookmarks/imports.ts'
import type { Written } from '../calls.ts'
import { hasOriginal } from '../pages/pictures.ts'
import { claimPage, mergeBookmark, stateOf, uniteBookmarks } from './merge-bookmarks.ts'
import { mergeOrganization, organizationAt, renameRow } from './merge-organizations.ts'
import {
  type Fields,
  keepEarly,
  organizationFields,
  readEarly,
  rootOf,
  ruleFields,
  searchFields,
  takeEarly,
  withEarly
} from './records.ts'
import { forgetRecord, keepClocks, letSend, noteAlias, setClock, stampAll } from './stamping.ts'
import { spellTags } from './tag-spelling.ts'

/**
 * Merges records of another device. In any order, and any number of times, the same records give the same
 * bookmarks.
 *
 * @returns how many of them changed something
 */
export function mergeRecords(db: WriteConnection, records: SyncRecord[], time: number): Written<number> {
  const touched = new Set<number>()
  let changed = 0
  whileMerging(db, records, () => {
    for (const record of records) if (merge(db, record, time, touched)) changed += 1
  })
  searchIndex(db).refresh([...touched])
  const kinds = ['bookmarks', 'tags', 'organizations', 'searches', 'rules'] as const
  return { answer: changed, events: changed === 0 ? [] : kinds.map((kind) => ({ kind })) }
}

/**
 * Runs work whose changes are not recorded as changes of this device, in one transaction.
 *
 * @throws Problem `taken` if the owner has left synchronization since
 */
function whileMerging(db: WriteConnection, records: SyncRecord[], work: () => void): void {
  stampAll(db)
  const begun = run(db)`UPDATE sync_state SET merging = 1, clock = max(clock, ${latestClock(records)})`
  if (begun.changes === 0) throw new Problem('taken', 'This machine no longer synchronizes.')
  spellTags(db, records)
  work()
  run(db)`UPDATE sync_state SET merging = 0`
}

function merge(db: WriteConnection, { kind, id, fields }: SyncRecord, time: number, touched: Set<number>): boolean {
  if (kind === 'bookmark') return mergeBookmark(db, id, fields, time, touched)
  if (kind === 'organization') return mergeOrganization(db, id, fields, time)
  if (kind === 'search') return mergeSearch(db, id, fields)
  if (kind === 'rule') return mergeRule(db, id, fields, time)
  // `spellTags` has already applied it.
  if (kind === 'tag') return false
  const stays = fields.stays?.[0]
  if (typeof stays !== 'string') return false
  const areOrganizations = exists(db)`
    SELECT 1 FROM organizations WHERE public_id IN (${rootOf(db, id)}, ${rootOf(db, stays)})
    UNION ALL SELECT 1 FROM sync_early
      WHERE kind = 'organization' AND record IN (${rootOf(db, id)}, ${rootOf(db, stays)})`
  const unite = areOrganizations ? uniteOrganizations : uniteBookmarks
  return unite(db, id, stays, time, touched)
}

function latestClock(records: SyncRecord[]): string {
  let latest = ''
  for (const { fields } of records) for (const [, clock] of Object.values(fields)) if (clock > latest) latest = clock
  return latest
}

/**
 * Inserts bookmarks that are new to this library, as quickly as an import does, and as an import that can be undone.
 * Returns the indexes of all other records.
 */
export function insertUnknown(db: WriteConnection, records: SyncRecord[], time: number): Written<number[]> {
  const rest: number[] = []
  whileMerging(db, records, () => {
    const known = knownIds(db, records)
    const rows = new NewRows(db)
    for (const [index, { kind, id, fields }] of records.entries()) {
      const isNew = kind === 'bookmark' && fields.type && fields.life?.[0] !== 'purged' && !known.has(id)
      // Its picture may have been deleted since. Merging checks that, because SQLite's checks are off here.
      const hasPicture = !fields.picture || hasOriginal(db, String(fields.picture[0]))
      if (!isNew || !hasPicture || !rows.insert(stateOf(db, fields, time), id)) rest.push(index)
      else keepClocks(db, id, {}, fields)
    }
    if (rest.length === records.length) return
    const { id, step } = joinedImport(db, time)
    rows.end(step)
    countImported(db, id, rows.saved.length)
  })
  const events = rest.length === records.length ? [] : (['bookmarks', 'tags', 'organizations'] as const)
  return { answer: rest, events: events.map((kind) => ({ kind })) }
}

/**
 * Lets bookmarks that were merged without their pictures refer to them. SQLite's checks are turned off, which would refuse
 * a reference to a missing row.
 */
export function referToMissing(db: WriteConnection, records: SyncRecord[]): Written<void> {
  for (const { id, fields } of records) {
    const hash = String(fields.picture?.[0])
    const key = pictureKey(hash)
    run(db)`
      UPDATE bookmarks AS b SET picture = ${hash}, page_key = iif(EXISTS (SELECT 1 FROM bookmarks o
        WHERE o.page_key = ${key} AND ifnull(o.organization_id, 0) = ifnull(b.organization_id, 0)), NULL, ${key})
      WHERE public_id = ${rootOf(db, id)} AND type = 'image' AND url IS NULL AND picture IS NULL`
  }
  return { answer: undefined, events: [{ kind: 'bookmarks' }] }
}

/** Returns those ids that this library has, or had, a record of. */
function knownIds(db: WriteConnection, records: SyncRecord[]): Set<string> {
  const ids = JSON.stringify(records.map(({ id }) => id))
  return new Set(
    readValues<string>(db)`
      SELECT value FROM json_each(${ids}) WHERE EXISTS (SELECT 1 FROM bookmarks WHERE public_id = value)
        OR EXISTS (SELECT 1 FROM sync_aliases WHERE record = value)
        OR EXISTS (SELECT 1 FROM sync_early WHERE record = value)
        OR EXISTS (SELECT 1 FROM sync_clocks WHERE record = value)`
  )
}

/** Returns the import of the bookmarks that other machines had. */
function joinedImport(db: WriteConnection, time: number): ReturnType<typeof addImport> {
  const id = readValue<number | null>(db)`SELECT import_id FROM sync_state` ?? 0
  const step = findImportStep(db, id)
  if (step) return { id, step }
  const added = addImport(db, time, true)
  run(db)`UPDATE sync_state SET import_id = ${added.id}`
  return added
}

/** Merges two organizations under the lesser of their ids, with the bookmarks, keys and rules of both. */
function uniteOrganizations(
  db: WriteConnection,
  first: string,
  second: string,
  time: number,
  touched: Set<number>
): boolean {
  const [stays, goes] = [rootOf(db, first), rootOf(db, second)].sort() as [string, string]
  if (stays === goes) return false
  const early = takeEarly(db, goes)
  const [to, from] = [stays, goes].map(
    (id) => readValue<number>(db)`SELECT id FROM organizations WHERE public_id = ${id}`
  )
  noteAlias(db, goes, stays)
  letSend(db, 'organization', stays, '*')
  if (from !== undefined && to === undefined) renameRow(db, goes, stays)
  // Fields that arrived before either of them now belong to the one that stays.
  if (early || (from !== undefined && readEarly(db, stays))) mergeOrganization(db, stays, early ?? {}, time)
  if (from === undefined || to === undefined) return true
  const fields = organizationFields(db, goes)
  const moved = readValues<number>(db)`SELECT id FROM bookmarks WHERE organization_id = ${from}`
  for (const rowId of moved) {
    run(db)`UPDATE bookmarks SET organization_id = ${to}, page_key = NULL WHERE id = ${rowId}`
    touched.add(rowId)
    claimPage(db, rowId, time, touched)
  }
  for (const table of ['api_keys', 'rules', 'undo_steps']) {
    run(db, `UPDATE ${table} SET organization_id = ? WHERE organization_id = ?`, to, from)
  }
  run(db)`DELETE FROM organizations WHERE id = ${from}`
  forgetRecord(db, goes)
  if (fields) mergeOrganization(db, stays, fields, time)
  return true
}

/** Merges another device's saved search into this library. Two of the same name both stay. */
function mergeSearch(db: WriteConnection, id: string, incoming: Fields): boolean {
  const joined = joinRecord(db, 'search', id, searchFields(db, id), incoming)
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
function mergeRule(db: WriteConnection, id: string, incoming: Fields, time: number): boolean {
  const joined = joinRecord(db, 'rule', id, ruleFields(db, id), incoming)
  if (joined === 'gone') {
    return run(db)`UPDATE rules SET deleted_at = ${time} WHERE public_id = ${id} AND deleted_at IS NULL`.changes > 0
  }
  const query = joined?.query?.[0]
  if (joined === undefined || typeof query !== 'string') return false
  const [visibility, organization, name] = (joined.place?.[0] ?? [null, null, null]) as (string | null)[]
  const tags = JSON.stringify(joined.tags?.[0] ?? [])
  const place = organization == null ? null : placeOf(db, organization, name ?? '', time)
  run(db)`
    INSERT INTO rules (public_id, query, tags, visibility, organization_id, copies)
    VALUES (${id}, ${query}, ${tags}, ${visibility ?? null}, ${place}, ${joined.copy?.[0] ?? 0})
    ON CONFLICT (public_id) DO UPDATE SET query = excluded.query, tags = excluded.tags, deleted_at = NULL,
      visibility = excluded.visibility, organization_id = excluded.organization_id, copies = excluded.copies`
  return true
}

/** Returns the row id of a rule's organization, which may be deleted: then the rule does nothing. */
function placeOf(db: WriteConnection, organization: string, name: string, time: number): number {
  const known = readValue<number>(db)`SELECT id FROM organizations WHERE public_id = ${rootOf(db, organization)}`
  return known ?? organizationAt(db, organization, name, time)
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
function joinRecord(
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
    // A device that restores it may not have read all of these fields.
    keepEarly(db, kind, id, joined)
    // The deletion on this device may not have been sent yet.
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
