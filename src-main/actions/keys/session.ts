import { randomBytes } from 'node:crypto'
import type { Ports } from '../ports.ts'
import { hashSecret } from './identify-key.ts'

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

/** How long a login link can be used. */
export const LOGIN_MS = 10 * 60_000

/** How long the ticket for an exported file can be used. */
export const TICKET_MS = 60_000

/** Tokens that live in this process only; each is good once and for a while. */
export interface OneTimeTokens {
  mint(): string
  /** True the first time a live token is given; the token is then used up. */
  redeem(token: string): boolean
}

/** @param lifetime of each, in milliseconds */
export function createOneTimeTokens(now: () => number, lifetime: number): OneTimeTokens {
  const endings = new Map<string, number>()
  const nameOf = (token: string) => Buffer.from(hashSecret(token)).toString('base64')
  return {
    mint() {
      for (const [name, end] of endings) if (end <= now()) endings.delete(name)
      const token = randomBytes(32).toString('base64url')
      endings.set(nameOf(token), now() + lifetime)
      return token
    },
    redeem(token) {
      const name = nameOf(token)
      const end = endings.get(name)
      endings.delete(name)
      return end !== undefined && end > now()
    }
  }
}
