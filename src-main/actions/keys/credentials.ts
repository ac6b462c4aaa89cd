/** The secrets of keys, sessions, one-time tokens and the command line. The library stores only hashes. */
import { createHmac, hash, randomBytes } from 'node:crypto'
import { EXTENSION_TOKEN } from '../../contract/extension-id.ts'
import type { KeychainOutcome } from '../../contract/key.ts'
import type { Ports } from '../ports.ts'

/** Returns the SHA-256 of a secret. A fast hash is enough for 256 random bits; a slow one would delay every call. */
export function hashSecret(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer')
}

/** A new key's secret, before it is stored. */
interface NewSecret {
  id: string
  rowId: number
  key: string
}

export async function storeInKeychain(ports: Ports, { id, rowId, key }: NewSecret): Promise<KeychainOutcome> {
  if (!(await ports.keychain.store(keychainAccount(id), key))) return 'shown-once'
  await ports.library.setKeychainOutcome(rowId, 'stored')
  return 'stored'
}

/** Writes the secret into a file that only the owner's account can read, and returns its path. */
export async function storeInFile(ports: Ports, { id, rowId, key }: NewSecret): Promise<string> {
  const file = await ports.keyFiles.write(id, key)
  await ports.library.setKeychainOutcome(rowId, 'file')
  return file
}

/** Removes a key's secret from the keychain and from its file, if possible. */
export async function removeSecret(ports: Ports, id: string): Promise<void> {
  await Promise.all([ports.keychain.remove(keychainAccount(id)), ports.keyFiles.remove(id)])
}

export function keychainAccount(id: string): string {
  return `api-key:${id}`
}

/** A session ends 30 days after it was last used, and 90 days after it began. */
const SESSION_IDLE_MS = 30 * 86_400_000
export const SESSION_MS = 90 * 86_400_000

/** Begins a session of the profile and returns its secret: 256 bits in base64url. */
export async function beginSession(ports: Ports, client: string | null = null): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await ports.library.createSession(hashSecret(secret), ports.now(), client)
  return secret
}

/** Returns the hash of a live session's secret; `undefined` for an unknown or ended session. */
export async function identifySession(ports: Ports, secret: string): Promise<Uint8Array | undefined> {
  const secretHash = hashSecret(secret)
  const session = await ports.library.findSession(secretHash)
  if (!session) return undefined
  const { createdAt, seenAt } = sessionsExpiredBefore(ports.now())
  return session.createdAt > createdAt && session.seenAt > seenAt ? secretHash : undefined
}

/** Returns two times. Sessions that began before `createdAt`, or were last used before `seenAt`, have ended. */
export function sessionsExpiredBefore(now: number): { createdAt: number; seenAt: number } {
  return { createdAt: now - SESSION_MS, seenAt: now - SESSION_IDLE_MS }
}

/** How long a login link is valid, in ms. */
export const LOGIN_MS = 10 * 60_000

/** How long the ticket for an exported file is valid, in ms. */
export const TICKET_MS = 60_000

export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>

/**
 * Tokens that exist only in this process. Each can be used once, within a limited time.
 *
 * @param lifetime of each token, in ms
 */
export function createOneTimeTokens(now: () => number, lifetime: number) {
  const endings = new Map<string, number>()
  const nameOf = (token: string) => hash('sha256', token, 'base64')
  return {
    mint(): string {
      for (const [name, end] of endings) if (end <= now()) endings.delete(name)
      const token = randomBytes(32).toString('base64url')
      endings.set(nameOf(token), now() + lifetime)
      return token
    },
    /** Uses up a token. True if it was valid. */
    redeem(token: string): boolean {
      const name = nameOf(token)
      const end = endings.get(name)
      endings.delete(name)
      return end !== undefined && end > now()
    }
  }
}

/** Returns the answer to a nonce that only a service with this token can give. */
export function computeProof(token: string, nonce: string): string {
  return createHmac('sha256', token).update(nonce).digest('base64url')
}

/**
 * Returns the token of the native host. It allows only the extension's calls, and the command line's token, which
 * permits much more, cannot be computed from it.
 */
export function extensionToken(token: string): string {
  return hash('sha256', `${EXTENSION_TOKEN} ${token}`, 'base64url')
}
