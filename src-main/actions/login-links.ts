import { randomBytes } from 'node:crypto'
import { hashSecret } from './hash-secret.ts'

/** How long a login link can be used. */
const LIFETIME_MS = 10 * 60_000

/** Tokens for login links. They live in this process only, each is good once and for ten minutes. */
export interface LoginLinks {
  mint(): string
  /** True the first time a live token is given; the token is then used up. */
  redeem(token: string): boolean
}

export function createLoginLinks(now: () => number): LoginLinks {
  const endings = new Map<string, number>()
  const nameOf = (token: string) => Buffer.from(hashSecret(token)).toString('base64')
  return {
    mint() {
      for (const [name, end] of endings) if (end <= now()) endings.delete(name)
      const token = randomBytes(32).toString('base64url')
      endings.set(nameOf(token), now() + LIFETIME_MS)
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
