import type { IncomingMessage } from 'node:http'
import { ENDPOINT_PATH } from '../contract/endpoint.ts'

/** Why a request goes no further. */
export interface Refusal {
  status: 400 | 403 | 405 | 414
  code: string
  message: string
}

/** The facts a request is let in by, as the socket and the parser give them. */
export type GateFacts = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'> & {
  socket: { remoteAddress?: string | undefined; localPort?: number | undefined }
}

/** Longest target taken, in characters. */
const MOST_TARGET = 2048

/**
 * Stands in front of everything. Web pages in a browser on this machine can reach the port, by a rebound name or across
 * origins; only our own page, and programs that are no browsers, get through. No answer ever carries a CORS header.
 *
 * @param dashboardHost the name of this machine that only the dashboard's browser knows
 * @returns why the request is refused, or `undefined` to let it in
 */
export function gate(
  { socket, method, url = '', rawHeaders }: GateFacts,
  dashboardHost: string,
  headers = readHeaders(rawHeaders)
): Refusal | undefined {
  if (!isLoopback(socket.remoteAddress)) return forbidden('foreign-address', 'Earmark answers this machine only.')
  const host = headers.get('host')
  const { localPort } = socket
  if (headers.count('host') !== 1 || !isOurs(host, localPort, dashboardHost)) {
    return forbidden('foreign-host', `Call Earmark by its own address, http://127.0.0.1:${localPort}.`)
  }
  const origin = headers.get('origin')
  if (origin !== undefined && origin !== `http://${host}`) {
    return forbidden('foreign-origin', 'Pages of other sites may not call Earmark.')
  }
  if (!allowedSite(headers, method) && !isKeyedCall(headers, url))
    return forbidden('foreign-site', 'Pages of other sites may not call Earmark.')
  // A backslash reads as a slash to some: what is behind two of them would be a host.
  if (!url.startsWith('/') || url.includes('\\')) {
    return { status: 400, code: 'bad-target', message: 'The request target must be a path.' }
  }
  if (url.length > MOST_TARGET) return { status: 414, code: 'target-too-long', message: 'The address is too long.' }
  return undefined
}

/** Clients leave out the port that HTTP has when none is said (RFC 9110, section 4.2.1). */
function isOurs(host: string | undefined, port: number | undefined, dashboardHost: string): boolean {
  const end = port === 80 ? '' : `:${port}`
  return ['127.0.0.1', 'localhost', dashboardHost].some((name) => host === name + end)
}

/** Browsers say where a request comes from; other programs say nothing. A repeated header is joined, and so fits none. */
function allowedSite(headers: RequestHeaders, method: string | undefined): boolean {
  const site = headers.get('sec-fetch-site')
  if (site === undefined || site === 'same-origin') return true
  // Typed into the address bar, or a link clicked in another program.
  return site === 'none' && headers.get('sec-fetch-mode') === 'navigate' && method === 'GET'
}

/**
 * Electron's own `fetch`, as editors' main processes use it, sends `Sec-Fetch-Site: none` with every request. No page can:
 * a page that sets `x-api-key` or `Authorization` for another origin is asked for by a preflight, and says `cross-site`.
 */
function isKeyedCall(headers: RequestHeaders, url: string): boolean {
  const [path] = url.split('?')
  const fromProgram = headers.get('sec-fetch-site') === 'none' && headers.get('origin') === undefined
  const hasKey = headers.get('x-api-key') !== undefined || headers.get('authorization') !== undefined
  return fromProgram && path === ENDPOINT_PATH && hasKey
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address)
}

function forbidden(code: string, message: string): Refusal {
  return { status: 403, code, message }
}

/** A request's headers by lower-case name; every value that was sent, in order. */
export interface RequestHeaders {
  /** All values joined by a comma, as HTTP has it for repeated headers. */
  get(name: string): string | undefined
  /** How often it was sent. */
  count(name: string): number
}

/**
 * Reads the headers as they were sent, in one pass. Node's own `headers` drops the second Host and takes longer, and
 * every call of an agent pays for it.
 *
 * @param raw names and values in turn
 */
export function readHeaders(raw: string[]): RequestHeaders {
  const values: Record<string, string> = Object.create(null)
  let repeated: Record<string, number> | undefined
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase()
    const value = raw[at + 1] as string
    const before = values[name]
    if (before === undefined) values[name] = value
    else {
      values[name] = `${before}${name === 'cookie' ? ';' : ','} ${value}`
      repeated ??= Object.create(null) as Record<string, number>
      repeated[name] = (repeated[name] ?? 1) + 1
    }
  }
  return {
    get: (name) => values[name],
    count: (name) => (values[name] === undefined ? 0 : (repeated?.[name] ?? 1))
  }
}
