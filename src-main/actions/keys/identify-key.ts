import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../contract/caller.ts'
import { EXTENSION_TOKEN } from '../../contract/extension-id.ts'
import type { KeyCredential } from '../../contract/key.ts'
import { isWellFormedKey } from '../../core/key-format.ts'
import type { Ports } from '../ports.ts'

/** Hashes of keys that were valid when last presented: hashing is the dearest part of a call. */
export type KnownHashes = Map<string, Uint8Array>

/** An owner has a handful of keys. */
const MOST_KNOWN = 64

/**
 * Returns the caller that this key belongs to. `undefined` for a malformed, unknown, expired or revoked key, without
 * saying which: the library is asked each time, so a revoked key ends with the next request.
 *
 * @param onEnded told, for the owner's eyes only, which key is no longer valid and why
 */
export async function identifyKey(
  ports: Ports,
  secret: string,
  known: KnownHashes = new Map(),
  onEnded: (keyId: number, why: string) => void = () => {}
): Promise<(Caller & { keyId: number }) | undefined> {
  const hash = known.get(secret) ?? (isWellFormedKey(secret) ? hashSecret(secret) : undefined)
  if (!hash) return undefined
  const found = await ports.library.findKey(hash)
  const whose = found !== undefined && timingSafeEqual(hash, found.hash) ? found : undefined
  const ended = whose && endOf(whose, ports.now())
  if (!whose || ended !== undefined) {
    known.delete(secret)
    if (whose && ended !== undefined) onEnded(whose.rowId, ended)
    return undefined
  }
  if (known.size < MOST_KNOWN) known.set(secret, hash)
  return { owner: whose.owner, readOnly: whose.readOnly, keyId: whose.rowId, tags: whose.tags }
}

/** Why a key is no longer valid; `undefined` where it is. */
function endOf({ revokedAt, expiresAt }: KeyCredential, now: number): string | undefined {
  if (revokedAt !== null) return 'The key is revoked.'
  return expiresAt !== null && expiresAt <= now ? 'The key has expired.' : undefined
}

/**
 * SHA-256 of a key's or a session's secret: all that is kept of it. A fast hash is right for 256 random bits, where a
 * slow one would only slow every call.
 */
export function hashSecret(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer')
}

/**
 * Returns the answer to a nonce that only a service with this token can give: so the command line can tell it from a
 * stranger on its port.
 */
export function proofOf(token: string, nonce: string): string {
  return createHmac('sha256', token).update(nonce).digest('base64url')
}

/**
 * Returns the token of the browser extension's program, made from the command line's token. It allows only the
 * extension's calls, and the command line's token cannot be computed from it.
 */
export function extensionTokenOf(token: string): string {
  return hash('sha256', `${EXTENSION_TOKEN} ${token}`, 'base64url')
}
