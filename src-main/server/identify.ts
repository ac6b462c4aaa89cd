import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { parse } from 'hono/utils/cookie'
import { extensionToken, hashSecret, identifySession, proofOf } from '../actions/keys/credentials.ts'
import type { UseRecorder } from '../actions/keys/record-use.ts'
import type { Ports } from '../actions/ports.ts'
import { type Caller, PROFILE } from '../contract/caller.ts'
import { SESSION_COOKIE, SESSION_HEADER } from '../contract/endpoint.ts'
import type { KeyCredential } from '../contract/key.ts'
import type { OwnProgram } from '../contract/own-program.ts'
import { Problem } from '../contract/problem.ts'
import { cleanText } from '../core/clean-text.ts'
import { isWellFormedKey } from '../core/key-format.ts'
import { replaceFile } from '../integrations/files.ts'
import type { ServerContext } from './context.ts'

/** Longest stored name of a client, in UTF-16 code units. */
const MAX_CLIENT_LENGTH = 80

/** How a request on `/api` proved to be the owner's. */
export type OwnerProof = { kind: 'session'; secret: string } | { kind: 'command-line' } | { kind: 'ticket' }

export interface OwnerEnv {
  Variables: { proof: OwnerProof }
}

export type Identification = ReturnType<typeof createIdentification>

/**
 * Finds out who sent a request.
 *
 * @param commandToken the command line's token, from the service file that only the owner can read
 * @param dashboardHost the only host whose cookie is accepted: a cookie of `127.0.0.1` is sent to programs on other ports
 */
export function createIdentification(ports: Ports, use: UseRecorder, commandToken: string, dashboardHost: string) {
  const commandHash = hashSecret(commandToken)
  const extensionHash = hashSecret(extensionToken(commandToken))

  async function findSession(request: Request): Promise<string | undefined> {
    const { method, headers, url } = request
    const { hostname, pathname, searchParams } = new URL(url)
    const isRead = method === 'GET' || method === 'HEAD'
    // Elements of a page cannot send a header, so the addresses of pictures and live events have the session.
    const isElement = isRead && /^\/api\/(events$|pictures\/)/.test(pathname)
    const secret =
      hostname === dashboardHost
        ? parse(headers.get('cookie') ?? '', SESSION_COOKIE)[SESSION_COOKIE]
        : ((isElement ? searchParams.get('session') : null) ?? headers.get(SESSION_HEADER))
    if (!secret) return undefined
    // The gate refuses foreign origins; a request that changes something must also send ours.
    if (!isRead && !headers.get('origin')) return undefined
    const hash = await identifySession(ports, secret)
    if (!hash) return undefined
    use.session(hash)
    return secret
  }

  return {
    /** Proves that this process knows the command line's token, without revealing it. */
    prove: (nonce: string) => proofOf(commandToken, nonce),

    /** For the endpoint: an API key, or the dashboard's session. */
    async caller(request: Request): Promise<Caller | undefined> {
      const key = readKey(request)
      const client = () => cleanText(request.headers.get('user-agent') ?? '', MAX_CLIENT_LENGTH) || null
      const onEnded = (keyId: number, why: string) => use.refusal({ keyId, client: client(), why })
      const caller = key === undefined ? undefined : await identifyKey(ports, key, onEnded)
      if (caller) return caller
      return (await findSession(request)) === undefined ? undefined : PROFILE
    },

    /** For the extension's routes: whether the native host sent this. */
    isExtension(request: Request): boolean {
      const bearer = readBearer(request)
      return bearer !== undefined && timingSafeEqual(hashSecret(bearer), extensionHash)
    },

    /** For everything else under `/api`: the session, or the command line's token. */
    async owner(request: Request): Promise<OwnerProof | undefined> {
      const bearer = readBearer(request)
      if (bearer !== undefined) {
        return timingSafeEqual(hashSecret(bearer), commandHash) ? { kind: 'command-line' } : undefined
      }
      const secret = await findSession(request)
      return secret === undefined ? undefined : { kind: 'session', secret }
    }
  }
}

/** Allows the dashboard's session and the command line; an API key opens only the endpoint. */
export function ownerOnly({ identification, exportTickets, program }: ServerContext): MiddlewareHandler<OwnerEnv> {
  return async (c, next) => {
    const ticket = c.req.path === '/api/exports' ? c.req.query('ticket') : undefined
    const proof = ticket === undefined ? await identification.owner(c.req.raw) : redeem(ticket)
    if (!proof) throw loggedOut(program)
    c.set('proof', proof)
    await next()
  }

  /** A download link sends no headers of ours, so its ticket stands for the session that requested it. */
  function redeem(ticket: string): OwnerProof {
    if (exportTickets.redeem(ticket)) return { kind: 'ticket' }
    throw new Problem('expired', 'This download link was already used or is too old. Export again.')
  }
}

function loggedOut(program: OwnProgram): Problem {
  return new Problem('unauthorized', `Log in first: ${howToLogIn(program)}.`)
}

/** How to get a new session, without paths of this machine: the sender may be anybody. */
export function howToLogIn({ packaged }: OwnProgram): string {
  return packaged ? 'open Earmark’s window' : 'open a login link from npm run -s earmark -- login'
}

/**
 * Returns the API key of a request: from `x-api-key`, or as a bearer token (RFC 6750, section 2.1), because several hosts
 * can send nothing else. Clients send an empty header for a setting that is not filled in. Two different keys, or a
 * repeated header, whose values are joined by a comma, are no valid key.
 */
function readKey(request: Request): string | undefined {
  const key = request.headers.get('x-api-key') || undefined
  const bearer = readBearer(request)
  return key !== undefined && bearer !== undefined && key !== bearer ? '' : (key ?? bearer)
}

function readBearer({ headers }: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
}

/** Hashes of valid keys that are cached; an owner has a handful. */
const _MAX_HASHES = 64

/**
 * Returns the caller that this key belongs to; `undefined` for a malformed, unknown, expired or revoked key, without
 * revealing which. The library is asked each time, so a key that is revoked is refused with the next request.
 *
 * @param onEnded called with the key that is no longer valid and the reason, which only the owner may see
 */
export async function identifyKey(
  ports: Ports,
  secret: string,
  onEnded: (keyId: number, why: string) => void = () => {}
): Promise<(Caller & { keyId: number }) | undefined> {
  if (!isWellFormedKey(secret)) return undefined
  const secretHash = hashSecret(secret)
  const key = await ports.library.findKey(secretHash)
  if (key === undefined || !timingSafeEqual(secretHash, key.hash)) return undefined
  const ended = whyEnded(key, ports.now())
  if (ended !== undefined) {
    onEnded(key.rowId, ended)
    return undefined
  }
  return { owner: key.owner, readOnly: key.readOnly, keyId: key.rowId, tags: key.tags }
}

function whyEnded({ revokedAt, expiresAt }: KeyCredential, now: number): string | undefined {
  if (revokedAt !== null) return 'The key is revoked.'
  return expiresAt !== null && expiresAt <= now ? 'The key has expired.' : undefined
}

/** Failures that are answered in a row before callers must wait, and how many more each second allows. */
const BURST = 50
const PER_SECOND = 10

/**
 * Slows down guessing of keys. Only failures count: a valid key always passes, and no address is ever locked out, because
 * every caller here is 127.0.0.1.
 *
 * @returns a function that counts one failure and returns the seconds to wait; 0 if it may be answered
 */
export function createWrongKeyBucket(now: () => number): () => number {
  let tokens = BURST
  let filledAt = now()
  return () => {
    const time = now()
    tokens = Math.min(BURST, tokens + (Math.max(0, time - filledAt) / 1000) * PER_SECOND)
    filledAt = time
    if (tokens < 1) return Math.ceil((1 - tokens) / PER_SECOND)
    tokens -= 1
    return 0
  }
}

/**
 * Returns the name of this machine under which browsers find the dashboard: 128 random bits below `localhost`, which
 * resolves to this machine alone (RFC 6761, section 6.3). Cookies ignore ports, so only a name that nobody else can guess
 * keeps the session's from programs on other ports. A data folder keeps its name, because browsers store the dashboard's
 * data by it; if the file cannot be written, the name lasts for this run.
 */
export async function dashboardHostIn(dataFolder: string): Promise<string> {
  const file = join(dataFolder, 'dashboard-host')
  const stored = await readFile(file, 'utf8').catch(() => '')
  if (/^[\da-f]{32}\.localhost$/.test(stored)) return stored
  const created = `${randomBytes(16).toString('hex')}.localhost`
  await replaceFile(file, created, 0o600).catch(() => {})
  return created
}
