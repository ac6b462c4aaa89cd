import type { SyncDevice, SyncSegment, SyncState } from '../../contract/sync.ts'
import { clockTime } from '../../core/sync.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import { startSnapshot } from './snapshots.ts'

const NOTHING: Written<void> = { answer: undefined, events: [] }
const SET: Written<void> = { answer: undefined, events: [{ kind: 'settings' }] }

/** `undefined` while it is not set up. */
export function readSync(db: ReadConnection): SyncState | undefined {
  const state = readRow<State>(db)`
    SELECT device, name, folder, account, paused, segment, ifnull((SELECT number - 1 FROM sync_outbox), segment) AS sent,
      clock, snapshot AS after, whole_at AS at, covers FROM sync_state`
  if (!state) return undefined
  const devices = readRows<SyncDevice>(db)`
    SELECT device, name, up_to AS upTo, digest, seen_at AS seenAt FROM sync_devices ORDER BY name, device`
  const { after, at, paused, clock, covers, ...rest } = state
  const snapshot = after === null || at === null ? undefined : { after, at }
  const latestChange = clock === '' ? 0 : clockTime(clock)
  return { ...rest, paused: paused === 1, latestChange, snapshot, covers: JSON.parse(covers), devices }
}

interface State extends Pick<SyncState, 'device' | 'name' | 'folder' | 'account' | 'segment' | 'sent'> {
  paused: number
  clock: string
  after: number | null
  at: number | null
  covers: string
}

/** Begins to note what changes, and lets all that is there be sent. */
export function startSync(
  db: WriteConnection,
  { device, name, folder, account }: Pick<SyncState, 'device' | 'name' | 'folder' | 'account'>
): Written<void> {
  stopSync(db)
  run(db)`INSERT INTO sync_state (device, name, folder, account) VALUES (${device}, ${name}, ${folder}, ${account})`
  startSnapshot(db)
  return SET
}

/** Forgets everything about synchronization. The bookmarks stay. */
export function stopSync(db: WriteConnection): Written<void> {
  for (const table of ['state', 'devices', 'log', 'clocks', 'unsent', 'early', 'aliases', 'outbox']) {
    run(db, `DELETE FROM sync_${table}`)
  }
  return SET
}

export function setSyncPaused(db: WriteConnection, paused: boolean): Written<void> {
  run(db)`UPDATE sync_state SET paused = ${paused ? 1 : 0}`
  return SET
}

/**
 * Makes this library a new device, which sends all bookmarks, because the segments of the former device are no longer its
 * own. Later segments of the former device come from another copy of this library and will be read. Changes without a
 * clock get one of the new device, because the former clock and `latest` may be old.
 */
export function becomeDevice(db: WriteConnection, device: string): Written<void> {
  run(db)`
    INSERT OR IGNORE INTO sync_devices (device, name, up_to, seen_at)
    SELECT device, name, ifnull((SELECT number - 1 FROM sync_outbox), segment), 0 FROM sync_state`
  run(db)`UPDATE sync_state SET device = ${device}, segment = 0`
  run(db)`DELETE FROM sync_outbox`
  startSnapshot(db)
  return NOTHING
}

export function segmentRead(
  db: WriteConnection,
  { device, number, name, digest = null }: Pick<SyncSegment, 'device' | 'number' | 'name'> & Pick<SyncDevice, 'digest'>,
  at: number
): Written<void> {
  run(db)`
    INSERT OR REPLACE INTO sync_devices (device, name, up_to, digest, seen_at)
    VALUES (${device}, ${name}, ${number}, ${digest}, ${at})`
  return NOTHING
}
