import { randomBytes } from 'node:crypto'
import { hashSecret } from './hash-secret.ts'

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
