import { timingSafeEqual } from 'node:crypto'
import { parse } from 'hono/utils/cookie'
import { extensionTokenOf, hashSecret, identifyKey, proofOf } from '../actions/keys/identify-key.ts'
import type { OwnTests } from '../actions/keys/own-tests.ts'
import type { UseRecorder } from '../actions/keys/record-use.ts'
import { identifySession } from '../actions/keys/session.ts'
import type { Ports } from '../actions/ports.ts'
import type { HeaderReader } from '../contract/caller.ts'
import { type Caller, PROFILE } from '../contract/caller.ts'
import { SESSION_COOKIE, SESSION_HEADER } from '../contract/endpoint.ts'
import { cleanText } from '../core/clean-text.ts'

/** Longest name of a client that is kept, in UTF-16 code units. */
const LONGEST_CLIENT = 80

/** How a request on `/api` proved to be the owner's. */
export type OwnerProof = { kind: 'session'; secret: string } | { kind: 'command-line' } | { kind: 'ticket' }

/** The parts of a request that say who sent it. */
export interface Credentials {
  method: string
  /** Host and port. */
  host: string
  header: HeaderReader
}

/** Finds out who sent a request. */
export interface Identification {
  /** For the endpoint: an API key, or the dashboard's session. */
  caller(request: Credentials): Promise<Caller | undefined>
  /** For what the browser extension may do, and nothing else: whether the program that speaks for it sent this. */
  isExtension(request: Credentials): boolean
  /** For everything else under `/api`: the session, or the command line's token. */
  owner(request: Credentials): Promise<OwnerProof | undefined>
  /** Shows that this process knows the command line's token, without showing the token. */
  prove(nonce: string): string
}

/**
 * @param commandToken what the command line presents, from the service file only the owner can read
 * @param dashboardHost where alone a cookie is taken: one of `127.0.0.1` is sent to every program that listens there
 */
export function createIdentification(
  ports: Ports,
  use: UseRecorder,
  ownTests: OwnTests,
  commandToken: string,
  dashboardHost: string
): Identification {
  const commandHash = hashSecret(commandToken)
  const extensionHash = hashSecret(extensionTokenOf(commandToken))

  async function sessionOf({ method, host, header }: Credentials): Promise<string | undefined> {
    const atDashboard = host.replace(/:\d+$/, '') === dashboardHost
    const secret = atDashboard ? parse(header('cookie') ?? '', SESSION_COOKIE)[SESSION_COOKIE] : header(SESSION_HEADER)
    if (!secret) return undefined
    // The gate lets no foreign Origin through; what changes something must also name ours.
    if (method !== 'GET' && method !== 'HEAD' && !header('origin')) return undefined
    const hash = await identifySession(ports, secret)
    if (!hash) return undefined
    use.session(hash)
    return secret
  }

  return {
    prove: (nonce) => proofOf(commandToken, nonce),
    async caller(request) {
      const key = keyOf(request)
      const noted = (keyId: number, why: string) => {
        if (!ownTests.isOne(request.header)) use.refusal({ keyId, client: programOf(request), why })
      }
      const caller = key === undefined ? undefined : await identifyKey(ports, key, noted)
      if (caller) return caller
      return (await sessionOf(request)) === undefined ? undefined : PROFILE
    },
    isExtension(request) {
      const bearer = bearerOf(request)
      return bearer !== undefined && timingSafeEqual(hashSecret(bearer), extensionHash)
    },
    async owner(request) {
      const bearer = bearerOf(request)
      if (bearer !== undefined) {
        return timingSafeEqual(hashSecret(bearer), commandHash) ? { kind: 'command-line' } : undefined
      }
      const secret = await sessionOf(request)
      return secret === undefined ? undefined : { kind: 'session', secret }
    }
  }
}

/** Returns the name that a program gives itself in its requests. */
function programOf({ header }: Credentials): string | null {
  return cleanText(header('user-agent') ?? '', LONGEST_CLIENT) || null
}

/**
 * Returns the API key of a request: from `x-api-key`, or as a bearer token (RFC 6750, section 2.1), because several hosts
 * can send nothing else. Two keys that differ are none; an empty header, as clients send for a setting that is not filled in,
 * is not given. A header sent twice arrives joined by a comma, which no key has.
 */
function keyOf(request: Credentials): string | undefined {
  const key = request.header('x-api-key') || undefined
  const bearer = bearerOf(request)
  return key !== undefined && bearer !== undefined && key !== bearer ? '' : (key ?? bearer)
}

function bearerOf({ header }: Credentials): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1]
}

/** The credentials of a request that came by way of fetch. */
export function credentialsOf(request: Request): Credentials {
  return {
    method: request.method,
    host: new URL(request.url).host,
    header: (name) => request.headers.get(name) ?? undefined
  }
}

/** Wrong keys answered in a row before callers are told to wait, and how many more each second brings. */
const BURST = 50
const PER_SECOND = 10

/**
 * Slows down whoever guesses keys. Only failures draw on it: a valid key always passes, and no address is ever locked
 * out, because every caller here is 127.0.0.1.
 *
 * @returns a function that takes one failure and says how many seconds to wait, 0 when it may be answered
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
