import type { SyncDevice, SyncSegment, SyncState } from '../../contract/sync.ts'
import type { Written } from '../calls.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { readRow, readRows, run } from '../statements.ts'
import { stampAll } from './stamping.ts'

const NOTHING: Written<void> = { answer: undefined, events: [] }

export function readSync(db: ReadConnection): SyncState | undefined {
  const state = readRow<Pick<SyncState, 'device' | 'name' | 'folder' | 'account' | 'segment'> & { paused: number }>(db)`
    SELECT device, name, folder, account, paused, segment FROM sync_state`
  if (!state) return undefined
  const devices = readRows<SyncDevice>(db)`
    SELECT device, name, up_to AS upTo, seen_at AS seenAt FROM sync_devices ORDER BY name, device`
  return { ...state, paused: state.paused === 1, devices }
}

export function startSync(
  db: WriteConnection,
  { device, name, folder, account }: Pick<SyncState, 'device' | 'name' | 'folder' | 'account'>
): Written<void> {
  stopSync(db)
  run(db)`INSERT INTO sync_state (device, name, folder, account) VALUES (${device}, ${name}, ${folder}, ${account})`
  sendAll(db)
  return NOTHING
}

export function stopSync(db: WriteConnection): Written<void> {
  for (const table of ['state', 'devices', 'log', 'clocks', 'unsent', 'early', 'aliases', 'outbox']) {
    run(db, `DELETE FROM sync_${table}`)
  }
  return NOTHING
}

export function setSyncPaused(db: WriteConnection, paused: boolean): Written<void> {
  run(db)`UPDATE sync_state SET paused = ${paused ? 1 : 0}`
  return NOTHING
}

/** See the contract. Later segments of the former device come from another copy of this library, so they will be read. */
export function becomeDevice(db: WriteConnection, device: string): Written<void> {
  stampAll(db)
  run(db)`
    INSERT OR REPLACE INTO sync_devices (device, name, up_to, seen_at)
    SELECT device, name, segment - (SELECT count(*) FROM sync_outbox), 0 FROM sync_state`
  run(db)`UPDATE sync_state SET device = ${device}, segment = 0, all_after = 0`
  run(db)`DELETE FROM sync_outbox`
  // What was purged, or united, is in no row.
  run(db)`
    INSERT OR IGNORE INTO sync_unsent (record, field, kind)
    SELECT record, 'life', 'bookmark' FROM sync_clocks c
    WHERE field = 'life' AND NOT EXISTS (SELECT 1 FROM bookmarks WHERE public_id = c.record)
      AND NOT EXISTS (SELECT 1 FROM organizations WHERE public_id = c.record)`
  run(db)`INSERT OR IGNORE INTO sync_unsent (record, field, kind) SELECT record, '*', 'alias' FROM sync_aliases`
  run(db)`
    INSERT OR IGNORE INTO sync_unsent (record, field, kind)
    SELECT record, '*', iif(field = 'gone', 'search', 'rule') FROM sync_clocks WHERE field IN ('gone', 'deleted')`
  sendAll(db)
  return NOTHING
}

/** Lets all that is there be sent. */
function sendAll(db: WriteConnection): void {
  run(db)`UPDATE sync_state SET all_up_to = (SELECT ifnull(max(id), 0) FROM bookmarks)`
  run(db)`
    INSERT OR IGNORE INTO sync_unsent (record, field, kind)
    SELECT public_id, '*', 'organization' FROM organizations WHERE deleted_at IS NULL
    UNION ALL SELECT public_id, '*', 'search' FROM saved_searches
    UNION ALL SELECT public_id, '*', 'rule' FROM rules WHERE deleted_at IS NULL`
}

export function segmentRead(
  db: WriteConnection,
  { device, number, name }: Pick<SyncSegment, 'device' | 'number' | 'name'>,
  at: number
): Written<void> {
  run(db)`
    INSERT OR REPLACE INTO sync_devices (device, name, up_to, seen_at) VALUES (${device}, ${name}, ${number}, ${at})`
  return NOTHING
}
