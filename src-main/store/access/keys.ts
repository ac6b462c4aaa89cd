import type { CallRecord } from '../../contract/call.ts'
import type { ApiKey, KeyCredential, KeychainOutcome, NewKey } from '../../contract/key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readRows, readValues, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import { publicId } from '../public-id.ts'
import { addCall, forgetCalls, setCallBytes } from './calls.ts'

export function createKey(db: WriteConnection, key: NewKey): Written<{ id: string; rowId: number }> {
  const id = publicId()
  const { lastInsertRowid } = run(
    db,
    `INSERT INTO api_keys (public_id, name, prefix, hash, organization_id, read_only, tags, created_at,
       expires_at)
     VALUES (@id, @name, @prefix, @hash, @owner, @readOnly, @tags, @createdAt, @expiresAt)`,
    { ...key, id, readOnly: Number(key.readOnly), tags: JSON.stringify(key.tags) }
  )
  return { answer: { id, rowId: Number(lastInsertRowid) }, events: [{ kind: 'keys' }] }
}

/** Revokes a key and creates another in its place; `undefined` if there is no such key or it was revoked before. */
export function replaceKey(
  db: WriteConnection,
  id: string,
  key: NewKey
): Written<{ id: string; rowId: number } | undefined> {
  const revoked = run(db)`
    UPDATE api_keys SET revoked_at = ${key.createdAt} WHERE public_id = ${id} AND revoked_at IS NULL`
  return revoked.changes > 0 ? createKey(db, key) : { answer: undefined, events: [{ kind: 'keys' }] }
}

/** Revokes all keys of an organization and returns their ids. */
export function revokeKeysOf(db: WriteConnection, organization: number, at: number): Written<string[]> {
  const ids = readValues<string>(db)`
    UPDATE api_keys SET revoked_at = ${at}
      WHERE organization_id = ${organization} AND revoked_at IS NULL RETURNING public_id`
  return { answer: ids, events: ids.length > 0 ? [{ kind: 'keys' }] : [] }
}

export function setKeychainOutcome(db: WriteConnection, rowId: number, outcome: KeychainOutcome): Written<void> {
  run(db)`UPDATE api_keys SET keychain = ${outcome} WHERE id = ${rowId}`
  return { answer: undefined, events: [{ kind: 'keys' }] }
}

/** Revokes a key. Returns false if there is no such key. */
export function revokeKey(db: WriteConnection, id: string, at: number): Written<boolean> {
  const { changes } = run(db)`UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${at}) WHERE public_id = ${id}`
  return { answer: changes > 0, events: [{ kind: 'keys' }] }
}

type KeyRow = Omit<ApiKey, 'readOnly' | 'tags' | 'organization'> & {
  readOnly: number
  tags: string
  organization: string | null
  organizationId: string | null
}

export function listKeys(db: ReadConnection): ApiKey[] {
  const rows = readRows<KeyRow>(db)`
    SELECT k.id AS rowId, k.public_id AS id, k.name, k.prefix, k.organization_id AS owner, o.name AS organization,
      o.public_id AS organizationId, k.read_only AS readOnly, k.tags, k.keychain, k.created_at AS createdAt,
      k.expires_at AS expiresAt, k.revoked_at AS revokedAt, k.last_used_at AS lastUsedAt,
      k.last_client AS lastClient,
      k.calls_day AS callsDay, k.calls_on_day AS callsOnDay
    FROM api_keys k LEFT JOIN organizations o ON o.id = k.organization_id ORDER BY k.id`
  return rows.map(({ organizationId, organization, readOnly, tags, ...row }) => ({
    ...row,
    organization: organizationId === null ? null : { id: organizationId, name: organization ?? '' },
    readOnly: readOnly === 1,
    tags: JSON.parse(tags)
  }))
}

type CredentialRow = Omit<KeyCredential, 'readOnly' | 'tags'> & { readOnly: number; tags: string }

/** Returns the key with this SHA-256, revoked or not. */
export function findKey(db: ReadConnection, hash: Uint8Array): KeyCredential | undefined {
  const row = readRow<CredentialRow>(db)`
    SELECT id AS rowId, hash, organization_id AS owner, read_only AS readOnly, tags, expires_at AS expiresAt,
      revoked_at AS revokedAt
    FROM api_keys WHERE hash = ${hash}`
  return row && { ...row, readOnly: row.readOnly === 1, tags: JSON.parse(row.tags) }
}

/** Returns a hash as text, for use as a cache key. */
export function hashName(hash: Uint8Array): string {
  return Buffer.from(hash).toString('latin1')
}

/** Times are milliseconds since 1970. */
export interface StoredSession {
  createdAt: number
  seenAt: number
}

/**
 * The last use of a key or a session, a call that saved no bookmark, or the size of the answer to a call that saved
 * bookmarks.
 */
export type UseRecord =
  | { kind: 'key'; rowId: number; at: number; client: string | null }
  | { kind: 'session'; hash: Uint8Array; at: number }
  | { kind: 'call'; call: CallRecord }
  | { kind: 'answer'; callId: number; bytes: number }

/**
 * Sessions that were created before `createdAt` or last used before `seenAt` are expired. Calls before `calledAt` are
 * deleted.
 */
export interface ExpiryTimes {
  createdAt: number
  seenAt: number
  calledAt: number
}

export function createSession(
  db: WriteConnection,
  hash: Uint8Array,
  at: number,
  client: string | null = null
): Written<void> {
  run(db)`INSERT INTO sessions (hash, created_at, seen_at, client) VALUES (${hash}, ${at}, ${at}, ${client})`
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
      // The key is missing if a backup was restored that is older than the key.
      if (exists(db)`SELECT 1 FROM api_keys WHERE id = ${record.call.keyId}`) addCall(db, record.call)
      return
    default:
      setCallBytes(db, record.callId, record.bytes)
  }
}

/** Returns all sessions that did not end. The session that was used last is first. */
export function listSessions(db: ReadConnection): (StoredSession & { hash: Uint8Array; client: string | null })[] {
  return readRows<StoredSession & { hash: Uint8Array; client: string | null }>(db)`
    SELECT hash, client, created_at AS createdAt, seen_at AS seenAt FROM sessions ORDER BY seen_at DESC`
}

export function findSession(db: ReadConnection, hash: Uint8Array): StoredSession | undefined {
  return readRow<StoredSession>(
    db
  )`SELECT created_at AS createdAt, seen_at AS seenAt FROM sessions WHERE hash = ${hash}`
}
