import type { CallRecord } from '../../contract/call.ts'
import type { ExpiryTimes, StoredSession, UseRecord } from '../../contract/library/access.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family, noEvents } from '../family.ts'
import { callLedger } from './calls.ts'

/** Sessions, and what was used when. */
export const sessions = family({
  here: sessionReads,
  writes: sessionWrites,
  emits: {
    createSession: noEvents,
    endSession: (_, hash) => [{ kind: 'session-end', hash }],
    recordUse: (_, use) => (use.some(({ kind }) => kind !== 'session') ? [{ kind: 'calls' }] : [])
  },
  despiteDamage: ['createSession', 'endSession']
})

/** What the writing thread can do to sessions, and the notes of what was used when. */
function sessionWrites(db: WriteConnection) {
  const ledger = callLedger(db)
  const insert = db.prepare('INSERT INTO sessions (hash, created_at, seen_at) VALUES (?, ?, ?)')
  const end = db.prepare('DELETE FROM sessions WHERE hash = ?')
  const forget = db.prepare('DELETE FROM sessions WHERE created_at < ? OR seen_at < ?')
  const seen = db.prepare('UPDATE sessions SET seen_at = max(seen_at, ?) WHERE hash = ?')
  const used = db.prepare(
    `UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), @at), last_client = coalesce(@client, last_client)
     WHERE id = @rowId`
  )
  const hasKey = db.prepare('SELECT 1 FROM api_keys WHERE id = ?').pluck()

  /** Leaves out what a key did that the library does not know: a backup from before it may have been restored. */
  function addCall(call: CallRecord): void {
    if (hasKey.get(call.keyId)) ledger.add(call)
  }

  return {
    createSession(hash: Uint8Array, at: number): void {
      insert.run(hash, at, at)
    },
    endSession(hash: Uint8Array): void {
      end.run(hash)
    },
    recordUse: db.transaction((use: UseRecord[], expired: ExpiryTimes): void => {
      for (const record of use) {
        if (record.kind === 'key') used.run({ at: record.at, client: record.client, rowId: record.rowId })
        else if (record.kind === 'session') seen.run(record.at, record.hash)
        else if (record.kind === 'call') addCall(record.call)
        else ledger.measure(record.callId, record.bytes)
      }
      forget.run(expired.createdAt, expired.seenAt)
      ledger.forgetBefore(expired.calledAt)
    })
  }
}

/** What can be asked about sessions. */
function sessionReads(db: ReadConnection) {
  const find = db.prepare('SELECT created_at AS createdAt, seen_at AS seenAt FROM sessions WHERE hash = ?')
  return {
    findSession: (hash: Uint8Array) => find.get(hash) as StoredSession | undefined
  }
}
