import { type Agent, type Dispatcher, request } from 'undici'
import type { LinkFault } from '../contract/link-check.ts'
import { type Body, readBody } from './read-body.ts'
import type { Turns } from './turns.ts'
import { WebFault } from './web-fault.ts'

/** A site's answer, after redirects. */
export interface Answer extends Body {
  /** The redirects on the way, with the status of each. */
  redirects: { status: number; to: string }[]
  /** Where it came from in the end. */
  url: string
  /** Lower case, without parameters. */
  contentType: string
  /** The encoding named by the header Content-Type. */
  charset: string | undefined
}

export interface FetchOptions {
  agent: Agent
  /** One request at a time to a host. */
  turns: Turns
  userAgent: string
  /** How long all of it may take, in milliseconds; waiting for a host's turn aside. */
  patience: number
  /** The largest PDF, in bytes; without it, none is larger than other bodies. */
  mostPdf?: number
  /** Only whether there is an answer is of interest: it is asked for like this, and not read. */
  unread?: 'HEAD' | 'GET'
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
  for (const redirects: Answer['redirects'] = []; ; ) {
    const endTurn = await options.turns.take(url.host)
    const begin = performance.now()
    try {
      signal.throwIfAborted()
      const answer = await once(
        url,
        options,
        AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.round(left)))])
      )
      if ('bytes' in answer) return { ...answer, redirects }
      if (redirects.length === MOST_REDIRECTS) throw new WebFault('redirects')
      const next = checked(answer.location, url)
      redirects.push({ status: answer.status, to: next.href + new URL(answer.location, url).hash })
      url = next
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
  { agent, userAgent, unread, mostPdf }: FetchOptions,
  signal: AbortSignal
): Promise<Omit<Answer, 'redirects'> | { status: number; location: string }> {
  const { statusCode, headers, body } = await request(url, {
    method: unread ?? 'GET',
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
    return { status: statusCode, location: one('location') }
  }
  if (statusCode < 200 || statusCode > 299) {
    await leave(body, signal)
    throw refusal(statusCode, one('cf-mitigated') !== '', one('retry-after'))
  }
  const [contentType = '', ...parameters] = one('content-type').split(';')
  if (unread) body.on('error', () => {}).destroy()
  const charset = /charset\s*=\s*["']?([^\s"';,]+)/i.exec(parameters.join(';'))?.[1]
  return {
    ...(unread ? UNREAD : await readBody(body, one('content-encoding'), mostPdf)),
    url: url.href,
    contentType: contentType.trim().toLowerCase(),
    charset
  }
}

const UNREAD: Body = { bytes: new Uint8Array(), truncated: false }

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
  if (challenged) return new WebFault('wall', false, { status })
  if (status === 404 || status === 410) return new WebFault('gone', false, { status })
  if (status === 429 || status >= 500) return new WebFault('busy', true, { wait: waitOf(retryAfter), status })
  if (status === 401 || status === 407) return new WebFault('login', false, { status })
  return new WebFault('refused', false, { status })
}

/** Seconds, or a date. */
function waitOf(retryAfter: string): number | undefined {
  const wait = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return wait > 0 ? wait : undefined
}

/** Turns an error of the network or the site into a fault; anything else is a bug and stays one. */
function asFault(error: unknown): unknown {
  if (error instanceof WebFault) return error
  if (error instanceof Error && error.cause instanceof WebFault) return error.cause
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error
  const { name, code = '' } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return new WebFault('slow', true)
  const link = linkFaultOf(code)
  return new WebFault(UNREACHED.has(code) ? 'unreachable' : 'unreadable', true, link && { link })
}

/** Returns what a failed connection says of the site, if the site caused the failure. */
function linkFaultOf(code: string): LinkFault | undefined {
  if (code === 'ENOTFOUND') return 'no-host'
  if (code === 'ECONNREFUSED') return 'no-answer'
  return CERTIFICATE.test(code) ? 'certificate' : undefined
}

// As OpenSSL and Node name what is wrong with a certificate or a handshake.
const CERTIFICATE = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/

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
