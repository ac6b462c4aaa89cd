import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../contract/caller.ts'
import { EXTENSION_TOKEN } from '../../contract/extension-id.ts'
import type { KeyCredential } from '../../contract/key.ts'
import { isWellFormedKey } from '../../core/key-format.ts'
import type { Ports } from '../ports.ts'

/**
 * Returns the caller that this key belongs to. `undefined` for a malformed, unknown, expired or revoked key, without
 * saying which. The library is asked each time, so a revoked key ends with the next request.
 *
 * @param onEnded called with a key that is no longer valid, and why; only the owner may see this
 */
export async function identifyKey(
  ports: Ports,
  secret: string,
  onEnded: (keyId: number, why: string) => void = () => {}
): Promise<(Caller & { keyId: number }) | undefined> {
  if (!isWellFormedKey(secret)) return undefined
  const hash = hashSecret(secret)
  const key = await ports.library.findKey(hash)
  if (key === undefined || !timingSafeEqual(hash, key.hash)) return undefined
  const ended = endOf(key, ports.now())
  if (ended !== undefined) {
    onEnded(key.rowId, ended)
    return undefined
  }
  return { owner: key.owner, readOnly: key.readOnly, keyId: key.rowId, tags: key.tags }
}

/** Why a key is no longer valid; `undefined` if it is valid. */
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
