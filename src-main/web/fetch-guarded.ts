import { type Agent, type Dispatcher, parseCookie, request } from 'undici'
import { asFault, type Body, readBody, WebFault } from './site-answer.ts'
import { challengeInHeaders } from './walls.ts'

/** A site's answer, after redirects. */
export interface Answer extends Body {
  redirects: Redirect[]
  /** The last address. */
  url: string
  /** Lower case, without parameters. */
  contentType: string
  /** The encoding named by the header Content-Type. */
  charset: string | undefined
  /** The header Refresh, which redirects a browser like `<meta http-equiv="refresh">`. */
  refresh: string
}

interface Redirect {
  status: number
  to: string
}

export interface FetchOptions {
  agent: Agent
  /** Limits requests to one at a time for each host. */
  hostLocks: HostLocks
  userAgent: string
  /** Maximum time for all requests of a fetch, in ms, without waits for other requests to the same host. */
  patience: number
  /** Maximum size of a PDF, if it is larger than the maximum for other bodies. */
  maxPdfBytes?: number
  /** The method of a request whose answer’s body is not read. */
  unread?: 'HEAD' | 'GET'
}

/** As in browsers: fetch.spec.whatwg.org, "HTTP-redirect fetch", step 8. */
const MAX_REDIRECTS = 20

/** The remaining limits of one fetch, and its cookies, which no other fetch uses. */
export interface FetchState {
  redirects: Redirect[]
  cookies: Cookies
  remainingMs: number
}

export function startFetch({ patience }: FetchOptions): FetchState {
  return { redirects: [], cookies: createCookies(), remainingMs: patience }
}

/**
 * Fetches an address of the public web: http and https on their default ports. Every redirect is checked like the first
 * address.
 *
 * @param state the state of a fetch that continues after a page has redirected it
 * @throws WebFault; the signal’s reason if it is aborted
 */
export async function fetchGuarded(
  address: string,
  options: FetchOptions,
  signal: AbortSignal,
  state = startFetch(options)
): Promise<Answer> {
  let url = checked(address)
  for (;;) {
    const unlock = await options.hostLocks.lock(url.host)
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
      unlock()
      state.remainingMs -= performance.now() - begin
    }
  }
}

/** @throws WebFault `redirects` if there were too many */
export function addRedirect({ redirects }: FetchState, redirect: Redirect): void {
  if (redirects.length === MAX_REDIRECTS) throw new WebFault('redirects')
  redirects.push(redirect)
}

/** Maximum number of 1xx answers before the final answer, for example `103 Early Hints`. */
const MAX_INFORMATIONAL = 20

async function once(
  url: URL,
  { agent, userAgent, unread, maxPdfBytes }: FetchOptions,
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
    // Each request has a separate connection, because closing it early must not end another request.
    reset: true,
    headers: {
      'user-agent': userAgent,
      accept: 'text/html,application/xhtml+xml,image/*;q=0.9,*/*;q=0.8',
      'accept-encoding': 'gzip, br',
      'accept-language': 'en;q=0.8, *;q=0.5',
      ...cookies.headerFor(url)
    }
  })
  // If a header is repeated, the last one counts, as Content-Type in browsers (fetch.spec.whatwg.org, "extract a MIME
  // type").
  const header = (name: string) => String([headers[name] ?? ''].flat().at(-1))
  const setCookies = [headers['set-cookie'] ?? []].flat()
  cookies.keep(url, setCookies)
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    await discard(body, signal)
    return { status: statusCode, location: escapeBytes(header('location')) }
  }
  const isChallenge = challengeInHeaders(statusCode, header, setCookies)
  if (isChallenge || statusCode < 200 || statusCode > 299) {
    await discard(body, signal)
    if (isChallenge) throw new WebFault('wall', false, { status: statusCode })
    throw refusal(statusCode, header('retry-after'))
  }
  const [contentType = '', ...parameters] = header('content-type').split(';')
  if (unread) body.on('error', () => {}).destroy()
  const charset = /charset\s*=\s*["']?([^\s"';,]+)/i.exec(parameters.join(';'))?.[1]
  return {
    ...(unread ? UNREAD : await readBody(body, header('content-encoding'), maxPdfBytes)),
    url: url.href,
    contentType: contentType.trim().toLowerCase(),
    charset,
    refresh: escapeBytes(header('refresh'))
  }
}

const UNREAD: Body = { bytes: new Uint8Array(), truncated: false }

/** Ends a body that is not read, and ignores its errors. */
async function discard(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<void> {
  await body.dump({ limit: 65_536, signal }).catch(() => {})
}

/**
 * Percent-encodes the bytes of an address in a header as browsers do, whether they are UTF-8 or not
 * (github.com/whatwg/fetch/issues/883, Chromium’s `HttpResponseHeaders::IsRedirect`). undici returns each byte as one
 * character.
 */
function escapeBytes(header: string): string {
  return header.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** @throws WebFault `address` */
function checked(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new WebFault('address')
  const url = new URL(address, base)
  // The port is empty if it is the scheme’s default.
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

/** @param retryAfter the header Retry-After: seconds, or a date */
function waitOf(retryAfter: string): number | undefined {
  const wait = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return wait > 0 ? wait : undefined
}

/** Maximum number of cookies of one fetch. RFC 6265 requires room for 50 per host. */
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
 * Creates the cookies of one fetch, as in RFC 6265. But each cookie is sent only to the host that set it, whatever its
 * `Domain`, because only a list of public suffixes shows whether unrelated sites share a domain.
 */
function createCookies() {
  const cookies = new Map<string, Cookie>()

  function keepCookie({ protocol, hostname, pathname }: URL, header: string): void {
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
      for (const header of headers) keepCookie(url, header)
    },
    /** Returns the header Cookie for a request, if there are cookies for it. */
    headerFor({ protocol, hostname, pathname }: URL): { cookie?: string } {
      const matching = [...cookies.values()].filter(({ host, path, secure }) => {
        const isBelow = pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
        return host === hostname && isBelow && (!secure || protocol === 'https:')
      })
      return matching.length === 0 ? {} : { cookie: matching.map(({ name, value }) => `${name}=${value}`).join('; ') }
    }
  }
}

/** Creates locks by name. Each name has one holder at a time, in the order of the requests. */
export function createHostLocks() {
  const last = new Map<string, Promise<void>>()
  return {
    /** Waits until the name is free. The caller must call the returned function to free it again. */
    async lock(name: string): Promise<() => void> {
      const previous = last.get(name)
      let end = () => {}
      const turn = new Promise<void>((resolve) => {
        end = resolve
      })
      last.set(name, turn)
      await previous
      return () => {
        if (last.get(name) === turn) last.delete(name)
        end()
      }
    }
  }
}

type HostLocks = ReturnType<typeof createHostLocks>
