import { type Agent, type Dispatcher, parseCookie, request } from 'undici'
import { type Body, readBody } from './read-body.ts'
import { challengeInHeaders } from './walls.ts'
import { asFault, WebFault } from './web-fault.ts'

/** A site's answer, after redirects. */
export interface Answer extends Body {
  /** The redirects on the way, with the status of each. */
  redirects: Redirect[]
  /** Where it came from in the end. */
  url: string
  /** Lower case, without parameters. */
  contentType: string
  /** The encoding named by the header Content-Type. */
  charset: string | undefined
  /** The header Refresh, which sends a reader on as `<meta http-equiv="refresh">` does. */
  refresh: string
}

interface Redirect {
  status: number
  to: string
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

/** As many as browsers follow: fetch.spec.whatwg.org, "HTTP-redirect fetch", step 8. */
const MAX_REDIRECTS = 20

/** The limits that one fetch has left, and the cookies it was given. They end with it. */
export interface FetchState {
  redirects: Redirect[]
  cookies: Cookies
  remainingMs: number
}

export function startFetch({ patience }: FetchOptions): FetchState {
  return { redirects: [], cookies: createCookies(), remainingMs: patience }
}

/**
 * Fetches what lies at an address of the public web: http and https on their own ports, every redirect checked like the
 * first address.
 *
 * @param state of the fetch that is continued, after a page sent it on
 * @throws WebFault saying why there is nothing; what the signal says when it is aborted
 */
export async function fetchGuarded(
  address: string,
  options: FetchOptions,
  signal: AbortSignal,
  state = startFetch(options)
): Promise<Answer> {
  let url = checked(address)
  for (;;) {
    const endTurn = await options.turns.take(url.host)
    const begin = performance.now()
    try {
      signal.throwIfAborted()
      const timeout = AbortSignal.timeout(Math.max(1, Math.round(state.remainingMs)))
      const answer = await once(url, options, state.cookies, AbortSignal.any([signal, timeout]))
      if ('bytes' in answer) return { ...answer, redirects: state.redirects }
      const next = checked(answer.location, url)
      addRedirect(state, { status: answer.status, to: next.href + new URL(answer.location, url).hash })
      url = next
    } catch (error) {
      signal.throwIfAborted()
      throw asFault(error)
    } finally {
      endTurn()
      state.remainingMs -= performance.now() - begin
    }
  }
}

/** @throws WebFault `redirects` when it is one too many */
export function addRedirect({ redirects }: FetchState, redirect: Redirect): void {
  if (redirects.length === MAX_REDIRECTS) throw new WebFault('redirects')
  redirects.push(redirect)
}

/** Answers with a status of 1xx before the answer itself: browsers know `103 Early Hints`, and a server may send others. */
const MAX_INFORMATIONAL = 20

async function once(
  url: URL,
  { agent, userAgent, unread, mostPdf }: FetchOptions,
  cookies: Cookies,
  signal: AbortSignal
): Promise<Omit<Answer, 'redirects'> | { status: number; location: string }> {
  const early = new AbortController()
  let informational = 0
  const { statusCode, headers, body } = await request(url, {
    method: unread ?? 'GET',
    dispatcher: agent,
    signal: AbortSignal.any([signal, early.signal]),
    onInfo() {
      informational += 1
      if (informational > MAX_INFORMATIONAL) early.abort(new WebFault('unreadable'))
    },
    // A connection each: one that a site, or we, let go of halfway takes no other request along.
    reset: true,
    headers: {
      'user-agent': userAgent,
      accept: 'text/html,application/xhtml+xml,image/*;q=0.9,*/*;q=0.8',
      'accept-encoding': 'gzip, br',
      'accept-language': 'en;q=0.8, *;q=0.5',
      ...cookies.headerFor(url)
    }
  })
  // Of a header that is sent twice, the last counts, as for Content-Type in browsers (fetch.spec.whatwg.org, "extract a
  // MIME type").
  const one = (name: string) => String([headers[name] ?? ''].flat().at(-1))
  const setCookies = [headers['set-cookie'] ?? []].flat()
  cookies.keep(url, setCookies)
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    await leave(body, signal)
    return { status: statusCode, location: escapeBytes(one('location')) }
  }
  const isChallenge = challengeInHeaders(statusCode, one, setCookies)
  if (isChallenge || statusCode < 200 || statusCode > 299) {
    await leave(body, signal)
    if (isChallenge) throw new WebFault('wall', false, { status: statusCode })
    throw refusal(statusCode, one('retry-after'))
  }
  const [contentType = '', ...parameters] = one('content-type').split(';')
  if (unread) body.on('error', () => {}).destroy()
  const charset = /charset\s*=\s*["']?([^\s"';,]+)/i.exec(parameters.join(';'))?.[1]
  return {
    ...(unread ? UNREAD : await readBody(body, one('content-encoding'), mostPdf)),
    url: url.href,
    contentType: contentType.trim().toLowerCase(),
    charset,
    refresh: escapeBytes(one('refresh'))
  }
}

const UNREAD: Body = { bytes: new Uint8Array(), truncated: false }

/** The body of an answer that nobody reads; how it ends is of no interest. */
async function leave(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<void> {
  await body.dump({ limit: 65_536, signal }).catch(() => {})
}

/**
 * undici gives each byte of a header as one character. An address keeps its bytes, UTF-8 or not, as in Chromium
 * (`HttpResponseHeaders::IsRedirect`) and as browsers do in general (github.com/whatwg/fetch/issues/883).
 */
function escapeBytes(header: string): string {
  return header.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
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

function refusal(status: number, retryAfter: string): WebFault {
  if (status === 404 || status === 410) return new WebFault('gone', false, { status })
  if (status === 429 || (status >= 500 && status < 600)) {
    return new WebFault('busy', true, { wait: waitOf(retryAfter), status })
  }
  if (status === 401 || status === 407) return new WebFault('login', false, { status })
  return new WebFault('refused', false, { status })
}

/** Seconds, or a date. */
function waitOf(retryAfter: string): number | undefined {
  const wait = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return wait > 0 ? wait : undefined
}

/** Cookies kept for one fetch: RFC 6265 asks for room for 50 a host. */
const MAX_COOKIES = 50

interface Cookie {
  host: string
  path: string
  name: string
  value: string
  secure: boolean
}

type Cookies = ReturnType<typeof createCookies>

/**
 * The cookies of one fetch, as in RFC 6265, but each is sent only to the host that set it, whatever its `Domain` says:
 * which domains strangers share cannot be known without a list of them.
 */
function createCookies() {
  const cookies = new Map<string, Cookie>()

  function keepOne({ protocol, hostname, pathname }: URL, header: string): void {
    const { name = '', value = '', path, secure = false, maxAge, expires } = parseCookie(header) ?? {}
    if (name === '' || (secure && protocol !== 'https:')) return
    const folder = pathname.slice(0, pathname.lastIndexOf('/')) || '/'
    const cookie = { host: hostname, path: path ?? folder, name, value, secure }
    const key = JSON.stringify([cookie.host, cookie.path, name])
    const endsAt = maxAge === undefined ? Number(expires ?? Number.NaN) : Date.now() + maxAge * 1000
    if (endsAt <= Date.now()) cookies.delete(key)
    else cookies.set(key, cookie)
    const [oldest] = cookies.keys()
    if (cookies.size > MAX_COOKIES && oldest !== undefined) cookies.delete(oldest)
  }

  return {
    keep(url: URL, headers: string[]): void {
      for (const header of headers) keepOne(url, header)
    },
    /** The header Cookie for a request; nothing if no cookie goes there. */
    headerFor({ protocol, hostname, pathname }: URL): { cookie?: string } {
      const fitting = [...cookies.values()].filter(({ host, path, secure }) => {
        const isBelow = pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
        return host === hostname && isBelow && (!secure || protocol === 'https:')
      })
      return fitting.length === 0 ? {} : { cookie: fitting.map(({ name, value }) => `${name}=${value}`).join('; ') }
    }
  }
}

/** Lets one at a time have each name, in the order they asked. */
export function createTurns() {
  const last = new Map<string, Promise<void>>()
  return {
    /** Waits until the name is free. The caller ends its turn with what it gets. */
    async take(name: string): Promise<() => void> {
      const before = last.get(name)
      let end = () => {}
      const turn = new Promise<void>((resolve) => {
        end = resolve
      })
      last.set(name, turn)
      await before
      return () => {
        if (last.get(name) === turn) last.delete(name)
        end()
      }
    }
  }
}

type Turns = ReturnType<typeof createTurns>
