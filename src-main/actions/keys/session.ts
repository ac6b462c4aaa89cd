import { randomBytes } from 'node:crypto'
import type { Ports } from '../ports.ts'
import { hashSecret } from './hash-secret.ts'

/** A session ends 12 hours after it was last used, and 7 days after it began. */
const SESSION_IDLE_MS = 12 * 3_600_000
export const SESSION_MS = 7 * 86_400_000

/** Begins a session of the profile's. @returns its secret: 256 bits in base64url */
export async function beginSession(ports: Ports): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await ports.library.createSession(hashSecret(secret), ports.now())
  return secret
}

/** The live session with this secret, named by its hash; `undefined` for an unknown or ended one. */
export async function identifySession(ports: Ports, secret: string): Promise<Uint8Array | undefined> {
  const hash = hashSecret(secret)
  const found = await ports.library.findSession(hash)
  if (!found) return undefined
  const { createdAt, seenAt } = sessionsExpiredBefore(ports.now())
  return found.createdAt > createdAt && found.seenAt > seenAt ? hash : undefined
}

export async function endSession(ports: Ports, secret: string): Promise<void> {
  await ports.library.endSession(hashSecret(secret))
}

/** The times of beginning and of last use before which a session has ended. */
export function sessionsExpiredBefore(now: number): { createdAt: number; seenAt: number } {
  return { createdAt: now - SESSION_MS, seenAt: now - SESSION_IDLE_MS }
}
