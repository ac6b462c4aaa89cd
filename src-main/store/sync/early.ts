import { joinFields } from '../../core/sync/join.ts'
import type { WriteConnection } from '../connection.ts'
import { readValue, run } from '../statements.ts'
import type { Fields } from './records.ts'

/** Keeps fields of a record that has not come yet. */
export function keepEarly(db: WriteConnection, id: string, fields: Fields): void {
  run(db)`INSERT INTO sync_early (record, fields) VALUES (${id}, ${JSON.stringify(fields)})`
}

/** Joins fields with those that came before them, which are kept no longer. */
export function withEarly(db: WriteConnection, id: string, incoming: Fields): Fields {
  const early = takeEarly(db, id)
  return early ? joinFields(early, incoming) : incoming
}

export function takeEarly(db: WriteConnection, id: string): Fields | undefined {
  const fields = readValue<string>(db)`SELECT fields FROM sync_early WHERE record = ${id}`
  if (fields === undefined) return undefined
  run(db)`DELETE FROM sync_early WHERE record = ${id}`
  return JSON.parse(fields)
}
