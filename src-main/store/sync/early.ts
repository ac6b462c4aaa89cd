import type { SyncRecord } from '../../contract/sync.ts'
import { joinFields } from '../../core/sync.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readValue, run } from '../../database/sql.ts'
import type { Fields } from './records.ts'

/** Keeps fields of a record that has not come yet. */
export function keepEarly(db: WriteConnection, kind: SyncRecord['kind'], id: string, fields: Fields): void {
  run(db)`INSERT INTO sync_early (kind, record, fields) VALUES (${kind}, ${id}, ${JSON.stringify(fields)})`
}

/** Joins fields with stored earlier ones, and deletes those. */
export function withEarly(db: WriteConnection, id: string, incoming: Fields): Fields {
  const early = takeEarly(db, id)
  return early ? joinFields(early, incoming) : incoming
}

export function takeEarly(db: WriteConnection, id: string): Fields | undefined {
  const fields = readEarly(db, id)
  if (fields) run(db)`DELETE FROM sync_early WHERE record = ${id}`
  return fields
}

export function readEarly(db: ReadConnection, id: string): Fields | undefined {
  const fields = readValue<string>(db)`SELECT fields FROM sync_early WHERE record = ${id}`
  return fields === undefined ? undefined : JSON.parse(fields)
}
