import { hash } from 'node:crypto'

/**
 * SHA-256 of a key's or a session's secret: all that is kept of it. A fast hash is right for 256 random bits, where a
 * slow one would only slow every call.
 */
export function hashSecret(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer')
}
