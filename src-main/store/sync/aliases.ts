import type { WriteConnection } from '../../database/connection.ts'
import { run } from '../../database/sql.ts'
import { letSend } from './stamping.ts'

/** Notes that a record goes on under another id, for other devices too. */
export function noteAlias(db: WriteConnection, goes: string, stays: string): void {
  run(db)`UPDATE sync_aliases SET stays = ${stays} WHERE stays = ${goes}`
  run(db)`INSERT OR REPLACE INTO sync_aliases (record, stays) VALUES (${goes}, ${stays})`
  letSend(db, 'alias', goes, '*')
}
