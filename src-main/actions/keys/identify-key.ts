import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../contract/caller.ts'
import type { Ports } from '../../contract/ports.ts'
import { isWellFormedKey } from '../../core/key-format.ts'
import { hashSecret } from './hash-secret.ts'

/** Hashes of keys that were valid when last presented: hashing is the dearest part of a call. */
export type KnownHashes = Map<string, Uint8Array>

/** An owner has a handful of keys. */
const MOST_KNOWN = 64

/**
 * Who presents this key. `undefined` for a malformed, unknown, expired or revoked one, without saying which: the
 * library is asked each time, so a revoked key ends with the next request.
 */
export async function identifyKey(
  ports: Ports,
  secret: string,
  known: KnownHashes = new Map()
): Promise<(Caller & { keyId: number }) | undefined> {
  const hash = known.get(secret) ?? (isWellFormedKey(secret) ? hashSecret(secret) : undefined)
  if (!hash) return undefined
  const found = await ports.library.findKey(hash)
  const valid =
    found !== undefined &&
    timingSafeEqual(hash, found.hash) &&
    found.revokedAt === null &&
    (found.expiresAt === null || found.expiresAt > ports.now())
  if (!valid) {
    known.delete(secret)
    return undefined
  }
  if (known.size < MOST_KNOWN) known.set(secret, hash)
  return { owner: found.owner, readOnly: found.readOnly, keyId: found.rowId, tags: found.tags }
}
