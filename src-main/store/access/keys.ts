import type { ApiKey, KeyCredential, KeychainOutcome, NewKey } from '../../contract/key.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family } from '../family.ts'
import { publicId } from '../public-id.ts'
import type { Memoize } from '../read-memo.ts'

/** API keys. */
export const keys = family({
  here: (db, _, memoize) => keyReads(db, memoize),
  writes: keyWrites,
  emits: {
    createKey: () => [{ kind: 'keys' }],
    replaceKey: () => [{ kind: 'keys' }],
    revokeKeysOf: (ids) => (ids.length > 0 ? [{ kind: 'keys' }] : []),
    setKeychainOutcome: () => [{ kind: 'keys' }],
    revokeKey: () => [{ kind: 'keys' }]
  },
  despiteDamage: ['revokeKey']
})

/** What the writing thread can do to API keys. */
function keyWrites(db: WriteConnection) {
  const insert = db.prepare(
    `INSERT INTO api_keys (public_id, name, prefix, hash, organization_id, read_only, tags, created_at,
       expires_at)
     VALUES (@id, @name, @prefix, @hash, @owner, @readOnly, @tags, @createdAt, @expiresAt)`
  )
  const setOutcome = db.prepare('UPDATE api_keys SET keychain = ? WHERE id = ?')
  const revoke = db.prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE public_id = ?')
  const revokeLiving = db.prepare('UPDATE api_keys SET revoked_at = ? WHERE public_id = ? AND revoked_at IS NULL')
  const revokeAllOf = db
    .prepare<[number, number], string>(
      'UPDATE api_keys SET revoked_at = ? WHERE organization_id = ? AND revoked_at IS NULL RETURNING public_id'
    )
    .pluck()

  function createKey(key: NewKey): { id: string; rowId: number } {
    const id = publicId()
    const { lastInsertRowid } = insert.run({
      ...key,
      id,
      readOnly: Number(key.readOnly),
      tags: JSON.stringify(key.tags)
    })
    return { id, rowId: Number(lastInsertRowid) }
  }

  return {
    createKey,
    replaceKey: db.transaction((id: string, key: NewKey): { id: string; rowId: number } | undefined =>
      revokeLiving.run(key.createdAt, id).changes > 0 ? createKey(key) : undefined
    ),
    revokeKeysOf: (organization: number, at: number): string[] => revokeAllOf.all(at, organization),
    setKeychainOutcome(rowId: number, outcome: KeychainOutcome): void {
      setOutcome.run(outcome, rowId)
    },
    revokeKey(id: string, at: number): boolean {
      return revoke.run(at, id).changes > 0
    }
  }
}

/** What can be asked about API keys. */
export function keyReads(db: ReadConnection, memoize: Memoize) {
  const list = db.prepare(
    `SELECT k.id AS rowId, k.public_id AS id, k.name, k.prefix, k.organization_id AS owner, o.name AS organization,
       o.public_id AS organizationId, k.read_only AS readOnly, k.tags, k.keychain, k.created_at AS createdAt,
       k.expires_at AS expiresAt, k.revoked_at AS revokedAt, k.last_used_at AS lastUsedAt, k.last_client AS lastClient,
       k.calls_day AS callsDay, k.calls_on_day AS callsOnDay
     FROM api_keys k LEFT JOIN organizations o ON o.id = k.organization_id ORDER BY k.id`
  )
  const find = db.prepare(
    `SELECT id AS rowId, hash, organization_id AS owner, read_only AS readOnly, tags, expires_at AS expiresAt,
       revoked_at AS revokedAt
     FROM api_keys WHERE hash = ?`
  )
  return {
    listKeys(): ApiKey[] {
      return (list.all() as ListRow[]).map(({ organizationId, organization, readOnly, tags, ...row }) => ({
        ...row,
        organization: organizationId === null ? null : { id: organizationId, name: organization ?? '' },
        readOnly: readOnly === 1,
        tags: JSON.parse(tags) as string[]
      }))
    },
    /** Every call of an agent asks for one: read anew it is a tenth of a call at the endpoint. */
    findKey: memoize(
      (hash: Uint8Array) => Buffer.from(hash).toString('latin1'),
      (hash): KeyCredential | undefined => {
        const row = find.get(hash) as CredentialRow | undefined
        return row && { ...row, readOnly: row.readOnly === 1, tags: JSON.parse(row.tags) as string[] }
      }
    )
  }
}

type ListRow = Omit<ApiKey, 'readOnly' | 'tags' | 'organization'> & {
  readOnly: number
  tags: string
  organization: string | null
  organizationId: string | null
}
type CredentialRow = Omit<KeyCredential, 'readOnly' | 'tags'> & { readOnly: number; tags: string }
