import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Ports } from '../../contract/ports.ts'
import { hashSecret } from './hash-secret.ts'

/** A session ends 12 hours after it was last used, and 7 days after it began. */
const SESSION_IDLE_MS = 12 * 3_600_000
export const SESSION_MS = 7 * 86_400_000

/** A session's two secrets: its cookie's, and the one that only the tab which logged in has. */
export interface NewSession {
  secret: string
  /**
   * Needed for all the dashboard does. Cookies ignore ports, so the browser sends ours to any program on this machine
   * that it visits; this it does not.
   */
  tabToken: string
}

/** Begins a session of the profile's. */
export async function beginSession(ports: Ports): Promise<NewSession> {
  const [secret, tabToken] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  await ports.library.createSession(hashSecret(secret), hashSecret(tabToken), ports.now())
  return { secret, tabToken }
}

/** Whether a request of this session comes from a tab that was given its token. */
export async function provesTab(ports: Ports, secret: string, tabToken: string): Promise<boolean> {
  const tabHash = (await ports.library.findSession(hashSecret(secret)))?.tabHash
  return tabHash ? timingSafeEqual(tabHash, hashSecret(tabToken)) : false
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
