import type { ApiKey, KeyCredential, KeychainOutcome, NewKey } from '../../contract/key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, readValues, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import { publicId } from '../public-id.ts'

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

/** Revokes a key and creates another in its place; `undefined` when there is no such key or it was revoked before. */
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

/** Revokes a key; false when there is no such key. */
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
