import type { IncomingMessage } from 'node:http'
import { ENDPOINT_PATH } from '../contract/endpoint.ts'

export interface Refusal {
  status: 400 | 403 | 405 | 414
  code: string
  message: string
}

/** The facts about a request by which the gate decides. */
export type GateFacts = Pick<IncomingMessage, 'method' | 'url' | 'headersDistinct'> & {
  socket: { remoteAddress?: string | undefined; localPort?: number | undefined }
}

type Headers = IncomingMessage['headersDistinct']

/** Maximum length of a request target, in characters. */
const MAX_TARGET_LENGTH = 2048

/**
 * Checks a request before all other code. Web pages in a browser on this machine can reach the port through DNS
 * rebinding or from another origin. Only Earmark's own page and programs other than browsers are allowed. No answer has
 * a CORS header.
 *
 * @param dashboardHost the name of this machine that only the dashboard's browser knows
 * @returns the refusal; `undefined` if the request is allowed
 */
export function gate(
  { socket, method, url = '', headersDistinct: headers }: GateFacts,
  dashboardHost: string
): Refusal | undefined {
  if (!isLoopback(socket.remoteAddress)) return forbidden('foreign-address', 'Earmark answers this machine only.')
  // Node's `headers` drops a second Host.
  const { host: [host, ...moreHosts] = [], origin } = headers
  const { localPort } = socket
  if (moreHosts.length > 0 || !isOwnHost(host, localPort, dashboardHost)) {
    return forbidden('foreign-host', `Call Earmark by its own address, http://127.0.0.1:${localPort}.`)
  }
  if (origin !== undefined && !isOnly(origin, `http://${host}`)) {
    return forbidden('foreign-origin', 'Pages of other sites may not call Earmark.')
  }
  if (!isAllowedSite(headers, method) && !isKeyedCall(headers, url))
    return forbidden('foreign-site', 'Pages of other sites may not call Earmark.')
  // Some parsers read a backslash as a slash, so that text after two backslashes would be a host.
  if (!url.startsWith('/') || url.includes('\\')) {
    return { status: 400, code: 'bad-target', message: 'The request target must be a path.' }
  }
  if (url.length > MAX_TARGET_LENGTH) {
    return { status: 414, code: 'target-too-long', message: 'The address is too long.' }
  }
  return undefined
}

/** Clients leave out the port if it is HTTP's default (RFC 9110, section 4.2.1). */
function isOwnHost(host: string | undefined, port: number | undefined, dashboardHost: string): boolean {
  const end = port === 80 ? '' : `:${port}`
  return ['127.0.0.1', 'localhost', dashboardHost].some((name) => host === name + end)
}

/**
 * Whether a request comes from Earmark's own page, a typed address or a program that is not a browser. Browsers send
 * `Sec-Fetch-Site`, other programs do not.
 */
function isAllowedSite(headers: Headers, method: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined || isOnly(site, 'same-origin')) return true
  // The address was typed, or a link was clicked in another program.
  return isOnly(site, 'none') && isOnly(headers['sec-fetch-mode'], 'navigate') && method === 'GET'
}

/**
 * Whether a request with a key comes from an editor's main process. Electron's own `fetch` sends `Sec-Fetch-Site: none`
 * with every request. A web page cannot send such a request: if it sets `x-api-key` or `Authorization` for another
 * origin, the browser sends a preflight first, and `cross-site`.
 */
function isKeyedCall(headers: Headers, url: string): boolean {
  const [path] = url.split('?')
  const isByProgram = isOnly(headers['sec-fetch-site'], 'none') && headers.origin === undefined
  const hasKey = headers['x-api-key'] !== undefined || headers.authorization !== undefined
  return isByProgram && path === ENDPOINT_PATH && hasKey
}

/** Whether a header was sent once, with this value. */
function isOnly(values: string[] | undefined, value: string): boolean {
  return values?.length === 1 && values[0] === value
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address)
}

function forbidden(code: string, message: string): Refusal {
  return { status: 403, code, message }
}
