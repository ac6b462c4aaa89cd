import { type Agent, type Dispatcher, request } from 'undici'
import { type Body, readBody } from './read-body.ts'
import type { Turns } from './turns.ts'
import { WebFault } from './web-fault.ts'

/** What a site answered, redirects followed. */
export interface Answer extends Body {
  /** Where it came from in the end. */
  url: string
  /** Lower case, without parameters. */
  contentType: string
  /** What the header Content-Type says of the encoding. */
  charset: string | undefined
}

export interface FetchOptions {
  agent: Agent
  /** One request at a time to a host. */
  turns: Turns
  userAgent: string
  /** How long all of it may take, in milliseconds; waiting for a host's turn aside. */
  patience: number
}

/** A redirect to a redirect is usual; more than this is a game. */
const MOST_REDIRECTS = 5

/**
 * Fetches what lies at an address of the public web: http and https on their own ports, every redirect checked like the
 * first address.
 *
 * @throws WebFault saying why there is nothing; what the signal says when it is aborted
 */
export async function fetchGuarded(address: string, options: FetchOptions, signal: AbortSignal): Promise<Answer> {
  let url = checked(address)
  let left = options.patience
  for (let redirects = 0; ; redirects++) {
    const endTurn = await options.turns.take(url.host)
    const begin = performance.now()
    try {
      signal.throwIfAborted()
      const answer = await once(
        url,
        options,
        AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.round(left)))])
      )
      if ('bytes' in answer) return answer
      if (redirects === MOST_REDIRECTS) throw new WebFault('redirects')
      url = checked(answer.location, url)
    } catch (error) {
      signal.throwIfAborted()
      throw asFault(error)
    } finally {
      endTurn()
    }
    left -= performance.now() - begin
  }
}

async function once(
  url: URL,
  { agent, userAgent }: FetchOptions,
  signal: AbortSignal
): Promise<Answer | { location: string }> {
  const { statusCode, headers, body } = await request(url, {
    dispatcher: agent,
    signal,
    // A connection each: one that a site, or we, let go of halfway takes no other request along.
    reset: true,
    headers: {
      'user-agent': userAgent,
      accept: 'text/html,application/xhtml+xml,image/*;q=0.9,*/*;q=0.8',
      'accept-encoding': 'gzip, br',
      'accept-language': 'en;q=0.8, *;q=0.5'
    }
  })
  const one = (name: string) => String(headers[name] ?? '')
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    await leave(body, signal)
    return { location: one('location') }
  }
  if (statusCode < 200 || statusCode > 299) {
    await leave(body, signal)
    throw refusal(statusCode, one('cf-mitigated') !== '', one('retry-after'))
  }
  const [contentType = '', ...parameters] = one('content-type').split(';')
  const charset = /charset\s*=\s*["']?([^\s"';,]+)/i.exec(parameters.join(';'))?.[1]
  return {
    ...(await readBody(body, one('content-encoding'))),
    url: url.href,
    contentType: contentType.trim().toLowerCase(),
    charset
  }
}

/** The body of an answer that nobody reads; how it ends is of no interest. */
async function leave(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<void> {
  await body.dump({ limit: 65_536, signal }).catch(() => {})
}

/** @throws WebFault `address` */
function checked(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new WebFault('address')
  const url = new URL(address, base)
  // The port is empty where it is the scheme's own.
  const allowed = (url.protocol === 'http:' || url.protocol === 'https:') && ['', '80', '443'].includes(url.port)
  if (!allowed) throw new WebFault('address')
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

function refusal(status: number, challenged: boolean, retryAfter: string): WebFault {
  if (challenged) return new WebFault('wall')
  if (status === 404 || status === 410) return new WebFault('gone')
  if (status === 429 || status >= 500) return new WebFault('busy', true, waitOf(retryAfter))
  if (status === 401 || status === 407) return new WebFault('login')
  return new WebFault('refused')
}

/** Seconds, or a date. */
function waitOf(retryAfter: string): number | undefined {
  const wait = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return wait > 0 ? wait : undefined
}

/** What the network and the site did is a fault; anything else is a bug and stays one. */
function asFault(error: unknown): unknown {
  if (error instanceof WebFault) return error
  if (error instanceof Error && error.cause instanceof WebFault) return error.cause
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error
  const { name, code = '' } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return new WebFault('slow', true)
  return new WebFault(UNREACHED.has(code) ? 'unreachable' : 'unreadable', true)
}

const UNREACHED = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT'
])
