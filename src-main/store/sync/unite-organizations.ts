import type { WriteConnection } from '../../database/connection.ts'
import { readValue, readValues, run } from '../../database/sql.ts'
import { noteAlias } from './aliases.ts'
import { readEarly, takeEarly } from './early.ts'
import { settlePage } from './merge-bookmarks.ts'
import { mergeOrganization, renameRow } from './merge-organizations.ts'
import { organizationFields, rootOf } from './records.ts'
import { forgetRecord, letSend } from './stamping.ts'

/** Makes two organizations one, under the lesser of their ids, with the bookmarks, keys and rules of both. */
export function uniteOrganizations(
  db: WriteConnection,
  one: string,
  other: string,
  at: number,
  touched: Set<number>
): boolean {
  const [stays, goes] = [rootOf(db, one), rootOf(db, other)].sort() as [string, string]
  if (stays === goes) return false
  const early = takeEarly(db, goes)
  const [to, from] = [stays, goes].map(
    (id) => readValue<number>(db)`SELECT id FROM organizations WHERE public_id = ${id}`
  )
  noteAlias(db, goes, stays)
  letSend(db, 'organization', stays, '*')
  if (from !== undefined && to === undefined) renameRow(db, goes, stays)
  // What came before either of them is of the one that stays.
  if (early || (from !== undefined && readEarly(db, stays))) mergeOrganization(db, stays, early ?? {}, at)
  if (from === undefined || to === undefined) return true
  const fields = organizationFields(db, goes)
  const moved = readValues<number>(db)`SELECT id FROM bookmarks WHERE organization_id = ${from}`
  for (const rowId of moved) {
    run(db)`UPDATE bookmarks SET organization_id = ${to}, page_key = NULL WHERE id = ${rowId}`
    touched.add(rowId)
    settlePage(db, rowId, at, touched)
  }
  for (const table of ['api_keys', 'rules', 'undo_steps']) {
    run(db, `UPDATE ${table} SET organization_id = ? WHERE organization_id = ?`, to, from)
  }
  run(db)`DELETE FROM organizations WHERE id = ${from}`
  forgetRecord(db, goes)
  if (fields) mergeOrganization(db, stays, fields, at)
  return true
}
