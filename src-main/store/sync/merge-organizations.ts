import { foldName } from '../../core/clean-text.ts'
import { joinFields } from '../../core/sync.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, insert, readRow, readValue, run } from '../../database/sql.ts'
import { revokeKeysOf } from '../access/keys.ts'
import { markDeleted } from '../access/organizations.ts'
import { type Fields, keepEarly, organizationFields, readEarly, rootOf, withEarly } from './records.ts'
import { keepClocks, letSend, noteAlias, stampNow } from './stamping.ts'

/** Merges another device's organization into this library. Two of the same name become one. */
export function mergeOrganization(db: WriteConnection, id: string, incoming: Fields, time: number): boolean {
  const root = rootOf(db, id)
  const fields = withEarly(db, root, incoming)
  const name = textOf(fields.name?.[0])
  const known = uniteByName(db, root, fields.life?.[0] == null ? name : undefined)
  const current = organizationFields(db, known)
  if (current) return apply(db, known, current, joinFields(current, fields), time)
  if (name === undefined) {
    keepEarly(db, 'organization', known, fields)
    return false
  }
  const createdAt = numberOf(fields.createdAt?.[0]) ?? time
  const rowId = insert(db)`
    INSERT INTO organizations (public_id, name, folded, created_at)
    VALUES (${known}, ${name}, ${freeName(db, name, known)}, ${createdAt})`
  keepClocks(db, known, {}, fields)
  const life = numberOf(fields.life?.[0])
  if (life !== undefined) markDeleted(db, rowId, life)
  return true
}

/**
 * Returns the row id of the organization that a bookmark of another device is in. It is restored if it was deleted here,
 * because it is no longer empty.
 */
export function organizationAt(db: WriteConnection, id: string, name: string, time: number): number {
  const known = uniteByName(db, rootOf(db, id), name)
  const row = organizationRow(db, known)
  if (!row || readEarly(db, known)) {
    mergeOrganization(db, known, row ? {} : { name: [name === '' ? known : name, ''] }, time)
    return organizationAt(db, known, name, time)
  }
  if (row.deletedAt !== null) {
    revive(db, known, row)
    stampNow(db, 'organization', known, 'life', time)
  }
  return row.rowId
}

/** Gives the row of two merged organizations the id that stays. */
export function renameRow(db: WriteConnection, goes: string, stays: string): void {
  run(db)`UPDATE organizations SET public_id = ${stays} WHERE public_id = ${goes}`
  run(db)`UPDATE OR IGNORE sync_clocks SET record = ${stays} WHERE record = ${goes}`
  run(db)`DELETE FROM sync_unsent WHERE record = ${goes} AND kind = 'organization'`
}

/** Merges an organization that this library does not have with the one of the same name. Returns the id that stays. */
function uniteByName(db: WriteConnection, id: string, name: string | undefined): string {
  if (name === undefined || organizationRow(db, id)) return id
  const other = readValue<string>(db)`
    SELECT public_id FROM organizations WHERE folded = ${foldName(name)} AND deleted_at IS NULL`
  if (other === undefined) return id
  const [stays, goes] = id < other ? [id, other] : [other, id]
  noteAlias(db, goes, stays)
  if (goes === other) renameRow(db, goes, stays)
  letSend(db, 'organization', stays, '*')
  return stays
}

function apply(db: WriteConnection, id: string, before: Fields, joined: Fields, time: number): boolean {
  const row = organizationRow(db, id)
  if (!row || JSON.stringify(before) === JSON.stringify(joined)) return false
  const [name, life] = [textOf(joined.name?.[0]) ?? row.name, numberOf(joined.life?.[0])]
  keepClocks(db, id, before, joined)
  const createdAt = numberOf(joined.createdAt?.[0]) ?? time
  run(db)`UPDATE organizations SET created_at = ${createdAt}, name = ${name} WHERE id = ${row.rowId}`
  if (row.deletedAt === null) {
    run(db)`UPDATE organizations SET folded = ${freeName(db, name, id)} WHERE id = ${row.rowId}`
  }
  if (life === undefined && row.deletedAt !== null) revive(db, id, { ...row, name })
  if (life === undefined || row.deletedAt !== null) return true
  if (exists(db)`SELECT 1 FROM bookmarks WHERE organization_id = ${row.rowId}`) {
    // Bookmarks that were added to it here would belong to no organization.
    stampNow(db, 'organization', id, 'life', time)
    return true
  }
  markDeleted(db, row.rowId, life)
  revokeKeysOf(db, row.rowId, time)
  return true
}

interface Row {
  rowId: number
  name: string
  deletedAt: number | null
}

function organizationRow(db: WriteConnection, id: string): Row | undefined {
  return readRow<Row>(db)`
    SELECT id AS rowId, name, deleted_at AS deletedAt FROM organizations WHERE public_id = ${id}`
}

function revive(db: WriteConnection, id: string, { rowId, name }: Row): void {
  run(db)`UPDATE organizations SET deleted_at = NULL, folded = ${freeName(db, name, id)} WHERE id = ${rowId}`
}

/** Returns a folded name that no other organization has. */
function freeName(db: WriteConnection, name: string, id: string): string {
  const folded = foldName(name)
  const isTaken = exists(db)`SELECT 1 FROM organizations WHERE folded = ${folded} AND public_id <> ${id}`
  return isTaken ? `${folded} ${foldName(id)}` : folded
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
