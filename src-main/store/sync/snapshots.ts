import type { SyncDevice, SyncPart, SyncRecord, SyncSegment, SyncState } from '../../contract/sync.ts'
import { clockTime } from '../../core/sync.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, run } from '../../database/sql.ts'
import { removeSamples } from '../bookmarks/samples.ts'
import type { Written } from '../calls.ts'
import { bookmarksAfter } from './records.ts'
import { stampAll } from './stamping.ts'
import { noteSent, spellingRecords } from './tag-spelling.ts'

/** Limits of a part, which is written in one transaction of about 0.1 s. */
const MAX_RECORDS = 2000
const MAX_CHARACTERS = 2_000_000

/** Maximum number of bookmarks that are read before their size is known. */
const READ_AT_ONCE = 250

const NOTHING: Written<void> = { answer: undefined, events: [] }

/** Begins a snapshot if there is none, or if enough segments were written since the last one. */
export function beginSnapshot(db: WriteConnection, segments: number): Written<void> {
  const isDue = readRow(db)`
    SELECT 1 FROM sync_state
    WHERE snapshot IS NULL OR (whole_at IS NOT NULL AND segment - snapshot >= ${segments})`
  if (isDue) startSnapshot(db)
  return NOTHING
}

/**
 * Begins a snapshot that all devices read, also those that have read all segments of this device, because files of other
 * devices are missing that this device has read. Returns false if a snapshot is already being written.
 */
export function sendWhatWasRead(
  db: WriteConnection,
  toReadAgain: Pick<SyncDevice, 'device' | 'upTo'>[]
): Written<boolean> {
  // One number is skipped, so that every device is behind the snapshot and reads it.
  const begun = run(db)`UPDATE sync_state SET segment = segment + 1 WHERE whole_at IS NOT NULL`
  if (begun.changes === 0) return { answer: false, events: [] }
  for (const { device, upTo } of toReadAgain) run(db)`UPDATE sync_devices SET up_to = ${upTo} WHERE device = ${device}`
  startSnapshot(db)
  return { answer: true, events: [] }
}

/**
 * Starts a snapshot of the present bookmarks, and sends organizations, saved searches and rules again. Together with these
 * segments the snapshot replaces all earlier files of this device and of those it has read. Deleted organizations and rules
 * are sent too, because a device that has not seen their deletion may bring them back after it left and joined again.
 */
function startSnapshot(db: WriteConnection): void {
  // Devices that `markAsCopy` has marked to be read again are left out.
  const covers = readRows<SyncPart['covers'][number]>(db)`
    SELECT device, name, up_to AS upTo FROM sync_devices WHERE up_to >= 0`
  run(db)`
    UPDATE sync_state SET snapshot = segment, part = 0, whole_at = NULL, covers = ${JSON.stringify(covers)},
      all_after = 0, all_up_to = (SELECT ifnull(max(id), 0) FROM bookmarks)`
  run(db)`
    INSERT OR IGNORE INTO sync_unsent (record, field, kind)
    SELECT public_id, '*', 'organization' FROM organizations
    UNION ALL SELECT public_id, '*', 'search' FROM saved_searches
    UNION ALL SELECT public_id, '*', 'rule' FROM rules
    UNION ALL SELECT record, '*', 'alias' FROM sync_aliases
    UNION ALL SELECT record, '*', kind FROM sync_early WHERE kind IS NOT NULL
    UNION ALL SELECT record, '*', iif(field = 'gone', 'search', 'rule') FROM sync_clocks
      WHERE field IN ('gone', 'deleted')
    UNION ALL SELECT record, 'life', 'bookmark' FROM sync_clocks c
      WHERE field = 'life' AND NOT EXISTS (SELECT 1 FROM bookmarks WHERE public_id = c.record)
        AND NOT EXISTS (SELECT 1 FROM organizations WHERE public_id = c.record)`
}

interface State {
  device: string
  name: string
  after: number
  part: number
  covers: string
  from: number
  to: number
}

/** The next part to write. */
interface NextPart extends SyncPart {
  /** The largest row id that will be in the snapshot. */
  total: number
}

/** Returns the next part of the snapshot that is being written. It stays the same until `partSent`. */
export function nextPart(db: WriteConnection): Written<NextPart | undefined> {
  const state = readRow<State>(db)`
    SELECT device, name, snapshot AS after, part, covers, all_after AS "from", all_up_to AS "to" FROM sync_state
    WHERE paused = 0 AND snapshot IS NOT NULL AND whole_at IS NULL`
  if (!state) return { answer: undefined, events: [] }
  // Each value is sent with its clock.
  stampAll(db)
  const { device, name, after, from, to } = state
  const { records, upTo } = bookmarksOf(db, state)
  noteSent(db, records)
  const part = state.part + 1
  if (part === 1) records.push(...spellingRecords(db))
  const covers = part === 1 ? JSON.parse(state.covers) : []
  const answer = { device, name, after, part, isLast: upTo >= to, from, upTo, records, covers, total: to }
  return { answer, events: [] }
}

function bookmarksOf(db: WriteConnection, { from, to }: State): { records: SyncRecord[]; upTo: number } {
  const records: SyncRecord[] = []
  let room = MAX_CHARACTERS
  let upTo = from
  while (upTo < to && records.length < MAX_RECORDS && room > 0) {
    const batch = bookmarksAfter(db, upTo, to, READ_AT_ONCE)
    if (batch.length === 0) upTo = to
    for (const { rowId, id, fields } of batch) {
      if (room <= 0) break
      upTo = rowId
      records.push({ kind: 'bookmark', id, fields })
      room -= JSON.stringify(fields).length
    }
  }
  return { records, upTo }
}

export function partSent(
  db: WriteConnection,
  { part, isLast, upTo }: Pick<SyncPart, 'part' | 'isLast' | 'upTo'>,
  at: number
): Written<void> {
  run(db)`
    UPDATE sync_state SET part = ${part}, all_after = ${upTo}, whole_at = ${isLast ? at : null}
    WHERE part = ${part} - 1`
  return NOTHING
}

/** Records that a snapshot was merged, which counts as reading its device, and those that it covers, up to there. */
export function snapshotRead(
  db: WriteConnection,
  { device, name, after, covers }: Pick<SyncPart, 'device' | 'name' | 'after' | 'covers'>,
  at: number
): Written<void> {
  for (const read of [{ device, name, upTo: after }, ...covers]) {
    run(db)`
      INSERT INTO sync_devices (device, name, up_to, seen_at)
      SELECT ${read.device}, ${read.name}, ${read.upTo}, ${at} FROM sync_state WHERE device <> ${read.device}
      ON CONFLICT (device) DO UPDATE SET up_to = max(up_to, excluded.up_to),
        digest = iif(excluded.up_to > up_to, NULL, digest)`
  }
  return NOTHING
}

const SET: Written<void> = { answer: undefined, events: [{ kind: 'settings' }] }

/** Returns the state; `undefined` if synchronization is not set up. */
export function readSync(db: ReadConnection): SyncState | undefined {
  const state = readRow<StateRow>(db)`
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

interface StateRow extends Pick<SyncState, 'device' | 'name' | 'folder' | 'account' | 'segment' | 'sent'> {
  paused: number
  clock: string
  after: number | null
  at: number | null
  covers: string
}

/** Starts to log changes, and marks everything in the library to be sent. */
export function startSync(
  db: WriteConnection,
  { device, name, folder, account }: Pick<SyncState, 'device' | 'name' | 'folder' | 'account'>
): Written<void> {
  stopSync(db)
  const { events } = removeSamples(db)
  run(db)`INSERT INTO sync_state (device, name, folder, account) VALUES (${device}, ${name}, ${folder}, ${account})`
  startSnapshot(db)
  return { answer: undefined, events: [...SET.events, ...events] }
}

/** Deletes all data of synchronization. The bookmarks stay. */
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
