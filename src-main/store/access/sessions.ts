import type { CallRecord } from '../../contract/call.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, readRow, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import { addCall, forgetCalls, setCallBytes } from './calls.ts'

/** Times are milliseconds since 1970. */
export interface StoredSession {
  createdAt: number
  seenAt: number
}

/** When a key or a session was last used, a call that saved nothing, and the size of the answer to one that did. */
export type UseRecord =
  | { kind: 'key'; rowId: number; at: number; client: string | null }
  | { kind: 'session'; hash: Uint8Array; at: number }
  | { kind: 'call'; call: CallRecord }
  | { kind: 'answer'; callId: number; bytes: number }

/** Sessions that began or were last seen before these times have ended; calls before theirs are forgotten. */
export interface ExpiryTimes {
  createdAt: number
  seenAt: number
  calledAt: number
}

export function createSession(db: WriteConnection, hash: Uint8Array, at: number): Written<void> {
  run(db)`INSERT INTO sessions (hash, created_at, seen_at) VALUES (${hash}, ${at}, ${at})`
  return { answer: undefined, events: [] }
}

export function endSession(db: WriteConnection, hash: Uint8Array): Written<void> {
  run(db)`DELETE FROM sessions WHERE hash = ${hash}`
  return { answer: undefined, events: [{ kind: 'session-end', hash }] }
}

/** Records the use of keys and sessions and all calls, and deletes expired sessions. */
export function recordUse(db: WriteConnection, use: UseRecord[], expired: ExpiryTimes): Written<void> {
  for (const record of use) writeUse(db, record)
  run(db)`DELETE FROM sessions WHERE created_at < ${expired.createdAt} OR seen_at < ${expired.seenAt}`
  const keys = new Set(use.flatMap((record) => (record.kind === 'call' ? record.call.keyId : [])))
  forgetCalls(db, keys, expired.calledAt)
  return { answer: undefined, events: use.some(({ kind }) => kind !== 'session') ? [{ kind: 'calls' }] : [] }
}

function writeUse(db: WriteConnection, record: UseRecord): void {
  switch (record.kind) {
    case 'key':
      run(db)`
        UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ${record.at}),
          last_client = coalesce(${record.client}, last_client)
        WHERE id = ${record.rowId}`
      return
    case 'session':
      run(db)`UPDATE sessions SET seen_at = max(seen_at, ${record.at}) WHERE hash = ${record.hash}`
      return
    case 'call':
      // The key may be unknown: a backup from before it may have been restored.
      if (exists(db)`SELECT 1 FROM api_keys WHERE id = ${record.call.keyId}`) addCall(db, record.call)
      return
    default:
      setCallBytes(db, record.callId, record.bytes)
  }
}

export function findSession(db: ReadConnection, hash: Uint8Array): StoredSession | undefined {
  return readRow<StoredSession>(
    db
  )`SELECT created_at AS createdAt, seen_at AS seenAt FROM sessions WHERE hash = ${hash}`
}
