import type { IncomingMessage } from 'node:http'

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
 * @returns why the request is refused, or `undefined` to let it in
 */
export function gate({ socket, method, url = '', rawHeaders }: GateFacts): Refusal | undefined {
  if (!isLoopback(socket.remoteAddress)) return forbidden('foreign-address', 'Earmark answers this machine only.')
  const hosts = valuesOf(rawHeaders, 'host')
  const [host] = hosts
  const ours = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`]
  if (hosts.length !== 1 || host === undefined || !ours.includes(host)) {
    return forbidden('foreign-host', `Call Earmark by its own address, http://${ours[0]}.`)
  }
  const origins = valuesOf(rawHeaders, 'origin')
  if (origins.length > 1 || (origins[0] !== undefined && origins[0] !== `http://${host}`)) {
    return forbidden('foreign-origin', 'Pages of other sites may not call Earmark.')
  }
  if (!allowedSite(valuesOf(rawHeaders, 'sec-fetch-site'), valuesOf(rawHeaders, 'sec-fetch-mode'), method)) {
    return forbidden('foreign-site', 'Pages of other sites may not call Earmark.')
  }
  if (!url.startsWith('/')) return { status: 400, code: 'bad-target', message: 'The request target must be a path.' }
  if (url.length > MOST_TARGET) return { status: 414, code: 'target-too-long', message: 'The address is too long.' }
  return undefined
}

/** Browsers say where a request comes from; other programs say nothing. */
function allowedSite(sites: string[], modes: string[], method: string | undefined): boolean {
  if (sites.length === 0) return true
  if (sites.length > 1) return false
  if (sites[0] === 'same-origin') return true
  // Typed into the address bar, or a link clicked in another program.
  return sites[0] === 'none' && modes.length === 1 && modes[0] === 'navigate' && method === 'GET'
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address)
}

/** Every value of a header, as sent: Node drops the second Host and joins others with a comma. */
function valuesOf(rawHeaders: string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

function forbidden(code: string, message: string): Refusal {
  return { status: 403, code, message }
}
