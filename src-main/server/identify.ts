import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { parse } from 'hono/utils/cookie'
import { computeProof, extensionToken, hashSecret, identifySession } from '../actions/keys/credentials.ts'
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

/** Maximum length of a client's name, in UTF-16 code units. */
const MAX_CLIENT_LENGTH = 80

/** The proof that a request on `/api` is the owner's. */
export type OwnerProof = { kind: 'session'; secret: string } | { kind: 'command-line' } | { kind: 'ticket' }

export interface OwnerEnv {
  Variables: { proof: OwnerProof }
}

export type Identification = ReturnType<typeof createIdentification>

/**
 * Identifies the senders of requests.
 *
 * @param commandToken the command line's token, from the service file that only the owner can read
 * @param dashboardHost the only host whose cookie is accepted, because a cookie of `127.0.0.1` is also sent to programs
 *   on other ports
 */
export function createIdentification(ports: Ports, use: UseRecorder, commandToken: string, dashboardHost: string) {
  const commandHash = hashSecret(commandToken)
  const extensionHash = hashSecret(extensionToken(commandToken))

  async function findSession(request: Request): Promise<string | undefined> {
    const { method, headers, url } = request
    const { hostname, pathname, searchParams } = new URL(url)
    const isRead = method === 'GET' || method === 'HEAD'
    // HTML elements cannot send headers, so the addresses of pictures, copies and events contain the session.
    const isElement = isRead && /^\/api\/(events$|pictures\/|bookmarks\/[^/]+\/copy$)/.test(pathname)
    const secret =
      hostname === dashboardHost
        ? parse(headers.get('cookie') ?? '', SESSION_COOKIE)[SESSION_COOKIE]
        : ((isElement ? searchParams.get('session') : null) ?? headers.get(SESSION_HEADER))
    if (!secret) return undefined
    // The gate refuses foreign origins. A request that changes data must also send the dashboard's origin.
    if (!isRead && !headers.get('origin')) return undefined
    const hash = await identifySession(ports, secret)
    if (!hash) return undefined
    // The event stream of an open page does not show that a person uses the session.
    if (pathname !== '/api/events') use.session(hash)
    return secret
  }

  return {
    /** Returns the proof that this process has the command line's token, without revealing the token. */
    prove: (nonce: string) => computeProof(commandToken, nonce),

    /** Identifies the sender of a request to the MCP endpoint, by an API key or the dashboard's session. */
    async caller(request: Request): Promise<Caller | undefined> {
      const key = readKey(request)
      const client = () => cleanText(request.headers.get('user-agent') ?? '', MAX_CLIENT_LENGTH) || null
      const onEnded = (keyId: number, why: string) => use.refusal({ keyId, client: client(), why })
      const caller = key === undefined ? undefined : await identifyKey(ports, key, onEnded)
      if (caller) return caller
      return (await findSession(request)) === undefined ? undefined : PROFILE
    },

    /** Whether the native host sent a request, on the extension's routes. */
    isExtension(request: Request): boolean {
      const bearer = readBearer(request)
      return bearer !== undefined && timingSafeEqual(hashSecret(bearer), extensionHash)
    },

    /** Identifies the owner on all other routes, by the session or the command line's token. */
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

/** Allows the dashboard's session and the command line. An API key is valid only at the MCP endpoint. */
export function ownerOnly({ identification, exportTickets, program }: ServerContext): MiddlewareHandler<OwnerEnv> {
  return async (c, next) => {
    const ticket = c.req.path === '/api/exports' ? c.req.query('ticket') : undefined
    const proof = ticket === undefined ? await identification.owner(c.req.raw) : redeem(ticket)
    if (!proof) throw loggedOut(program)
    c.set('proof', proof)
    await next()
  }

  /** A download link cannot send a header, so a ticket replaces the session that requested it. */
  function redeem(ticket: string): OwnerProof {
    if (exportTickets.redeem(ticket)) return { kind: 'ticket' }
    throw new Problem('expired', 'This download link was already used or is too old. Export again.')
  }
}

function loggedOut(program: OwnProgram): Problem {
  return new Problem('unauthorized', `Log in first: ${howToLogIn(program)}.`)
}

/** Returns the way to log in, without paths of this machine, because the sender is unknown. */
export function howToLogIn({ packaged }: OwnProgram): string {
  return packaged ? 'open Earmark’s window' : 'open a login link from npm run -s earmark -- login'
}

/**
 * Returns the API key of a request: from `x-api-key`, or as a bearer token (RFC 6750, section 2.1), because some hosts
 * cannot send `x-api-key`. An empty header counts as none, because clients send one for an empty setting. Two different
 * keys are no valid key, and neither is a repeated header, whose values are joined by a comma.
 */
function readKey(request: Request): string | undefined {
  const key = request.headers.get('x-api-key') || undefined
  const bearer = readBearer(request)
  return key !== undefined && bearer !== undefined && key !== bearer ? '' : (key ?? bearer)
}

function readBearer({ headers }: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
}

/**
 * Returns the caller of a key; `undefined` for a malformed, unknown, expired or revoked key, without revealing which.
 * The key is read from the library for each request, so a revoked key is refused at its next request.
 *
 * @param onEnded called with the id of a key that is expired or revoked, and the reason, which only the owner may see
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

/** Number of failures in a row before callers must wait, and number of further failures that each second allows. */
const BURST = 50
const PER_SECOND = 10

/**
 * Slows down guessing of keys. Only failures are limited, so that a valid key always passes. Addresses are not locked
 * out, because all callers have the address 127.0.0.1.
 *
 * @returns a function that counts a failure and returns the seconds to wait; 0 if the request may be answered
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
 * resolves to this machine alone (RFC 6761, section 6.3). Browsers send cookies to all ports of a name, so only a name
 * that nobody can guess protects the session's cookie from programs on other ports. The name of a data folder does not
 * change, because browsers store the dashboard's data under it. If the file cannot be written, the name is valid until
 * Earmark ends.
 */
export async function dashboardHostIn(dataFolder: string): Promise<string> {
  const file = join(dataFolder, 'dashboard-host')
  const stored = await readFile(file, 'utf8').catch(() => '')
  if (/^[\da-f]{32}\.localhost$/.test(stored)) return stored
  const created = `${randomBytes(16).toString('hex')}.localhost`
  await replaceFile(file, created, 0o600).catch(() => {})
  return created
}
