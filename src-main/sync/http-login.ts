import { createHash, randomBytes } from 'node:crypto'

/** Hash functions of Digest authentication, the best first. */
const HASHES: Record<string, string> = { 'sha-512-256': 'sha512-256', 'sha-256': 'sha256', md5: 'md5' }

interface Challenge {
  scheme: string
  fields: Map<string, string>
}

/** A challenge that is being answered. One client nonce serves all answers, which `-sess` needs. */
interface Session extends Challenge {
  clientNonce: string
  count: number
}

/**
 * Proves a user name and a password to one server, as that asks for it: by Digest (RFC 7616), or else by Basic (RFC 7617).
 * Names and passwords beyond ASCII are sent as UTF-8.
 */
export function createLogin(user: string, password: string, newNonce = () => randomBytes(16).toString('hex')) {
  let session: Session | undefined
  return {
    /** Returns the header `Authorization` of a request; `undefined` before the server has asked for one. */
    header(method: string, path: string): string | undefined {
      if (!session) return undefined
      if (session.scheme === 'basic') return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
      session.count += 1
      return digest(session, { method, path, user: asBytes(user), password: asBytes(password) })
    },
    /**
     * Takes the header `WWW-Authenticate` of an answer with the status 401.
     *
     * @returns whether an answer to it was not refused yet
     */
    challenge(header: string, isAnswered: boolean): boolean {
      const next = choose(header)
      const isRefused = isAnswered && (next.scheme === 'basic' || next.fields.get('stale')?.toLowerCase() !== 'true')
      session = { ...next, clientNonce: newNonce(), count: 0 }
      return user !== '' && !isRefused
    }
  }
}

/** Returns the best supported challenge of a header, or Basic if none is supported. */
function choose(header: string): Challenge {
  const usable = challengesIn(header).filter(
    ({ scheme, fields }) =>
      scheme === 'digest' && hashOf(fields) !== undefined && /^$|\bauth\b(?!-)/i.test(fields.get('qop') ?? '')
  )
  const rank = ({ fields }: Challenge) => Object.values(HASHES).indexOf(hashOf(fields) ?? '')
  return usable.sort((one, other) => rank(one) - rank(other))[0] ?? { scheme: 'basic', fields: new Map() }
}

/** Reads `Digest realm="x", nonce="y", Basic realm="x"`: a word without a value begins a challenge. */
function challengesIn(header: string): Challenge[] {
  const challenges: Challenge[] = []
  for (const [, name = '', quoted, plain] of header.matchAll(
    /([\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g
  )) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), fields: new Map() })
    else challenges.at(-1)?.fields.set(name.toLowerCase(), value)
  }
  return challenges
}

function hashOf(fields: Challenge['fields']): string | undefined {
  return HASHES[(fields.get('algorithm') ?? 'MD5').toLowerCase().replace(/-sess$/, '')]
}

interface Proof {
  method: string
  path: string
  user: string
  password: string
}

function digest({ fields, clientNonce, count }: Session, { method, path, user, password }: Proof): string {
  const hash = hashOf(fields) ?? 'md5'
  const of = (...parts: string[]) => createHash(hash).update(parts.join(':'), 'latin1').digest('hex')
  const [realm = '', nonce = '', opaque, algorithm] = ['realm', 'nonce', 'opaque', 'algorithm'].map((name) =>
    fields.get(name)
  )
  const own = of(user, realm, password)
  const secret = algorithm?.toLowerCase().endsWith('-sess') ? of(own, nonce, clientNonce) : own
  const request = of(method, path)
  const nc = count.toString(16).padStart(8, '0')
  const hasQop = (fields.get('qop') ?? '') !== ''
  const response = hasQop ? of(secret, nonce, nc, clientNonce, 'auth', request) : of(secret, nonce, request)
  return [
    `Digest username=${quote(user)}, realm=${quote(realm)}, nonce=${quote(nonce)}, uri=${quote(path)}`,
    `response="${response}"`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
    ...(hasQop ? [`qop=auth, nc=${nc}, cnonce="${clientNonce}"`] : [])
  ].join(', ')
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** Headers are strings of bytes. */
function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}
