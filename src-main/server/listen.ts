import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { ENDPOINT_PATH } from '../contract/endpoint.ts'
import { errorBody, Problem } from '../contract/problem.ts'
import { gate, type Refusal } from './gate.ts'

export interface Listening {
  port: number
  /** Whether another program listens at this port of `[::1]`. Browsers and editors may connect to it for `localhost`. */
  neighbour: boolean
  /** The end of the last request, in ms since 1970; `undefined` while a request is in progress. */
  quietSince(): number | undefined
  close(): Promise<void>
}

interface Handlers {
  /** The name of this machine that only the dashboard's browser knows. */
  dashboardHost: string
  fetch(request: Request, env: object): Promise<Response>
  onBug(error: unknown): void
}

/** Maximum time that running requests may take when the service stops, in ms. */
const CLOSE_MS = 1000

/**
 * Serves on 127.0.0.1, and also on `[::1]` if the system has it, and nowhere else. The gate checks each request.
 * Browsers try both addresses for a name below `localhost`, so another program on `[::1]` would receive the session's
 * cookie.
 *
 * @param port 0 for any free port
 * @throws Problem `port-taken`; the port is never changed silently
 */
export async function listen(port: number, { dashboardHost, fetch, onBug }: Handlers): Promise<Listening> {
  const respond = getRequestListener(fetch, {
    errorHandler: (error) => {
      onBug(error)
      return Response.json(errorBody('internal', 'Earmark failed unexpectedly.'), { status: 500 })
    }
  })
  const connections = new Set<Duplex>()
  const lastResponses = new WeakMap<Duplex, ServerResponse>()
  let open = 0
  let lastEnd = Date.now()

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    open++
    response.once('close', () => {
      open--
      lastEnd = Date.now()
    })
    lastResponses.set(request.socket, response)
    const refusal = gate(request, dashboardHost)
    if (refusal) return refuse(response, refusal)
    if (request.headers.expect !== undefined) response.writeContinue()
    setHeaders(response, isEndpoint(request.url) ? API_HEADERS : DASHBOARD_HEADERS)
    void respond(request, response)
  }

  const server = createServer(LIMITS, answer)
  server.maxConnections = 16_000
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('checkContinue', answer)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = lastResponses.get(socket)
    const isAnswering = response?.req.complete === true && !response.writableEnded
    // A complete request is answered even if invalid bytes follow it.
    if (!isAnswering || !error.code?.startsWith('HPE_')) answerUnreadable(error, socket)
    else if (!response.headersSent) response.setHeader('connection', 'close')
  })
  server.on('checkExpectation', (_, response) => {
    refuse(response, { status: 417, code: 'expectation-failed', message: 'Send the request without Expect.' })
  })
  const ipv6 = createNetServer(SOCKET_OPTIONS, (socket) => server.emit('connection', socket))
  const bound = await bindBoth(server, ipv6, port)
  return {
    ...bound,
    quietSince: () => (open === 0 ? lastEnd : undefined),
    async close() {
      const closing = Promise.all([server, ipv6].map(closed))
      // Unused connections are closed at once, because browsers open them in advance.
      for (const socket of connections) if (lastResponses.get(socket)?.writableFinished !== false) socket.destroy()
      const limit = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
      await closing
      clearTimeout(limit)
    }
  }
}

const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 5000,
  requireHostHeader: false // the gate checks it
}

/** The options that `http.createServer` sets for its own sockets. */
const SOCKET_OPTIONS = { allowHalfOpen: true, noDelay: true }

/** Headers of every answer that is not a page. They forbid browsers to load, frame, sniff or store it. */
const API_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store'
}

const DASHBOARD_HEADERS = {
  ...API_HEADERS,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

function setHeaders(response: ServerResponse, headers: Record<string, string>): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '')
}

function isEndpoint(url: string | undefined): boolean {
  return url === ENDPOINT_PATH || url?.startsWith(`${ENDPOINT_PATH}?`) === true
}

/** Refuses a request. Node reads and drops its body, so that a sender of a large body can read the answer. */
function refuse(
  response: ServerResponse,
  { status, code, message }: Omit<Refusal, 'status'> & { status: number }
): void {
  setHeaders(response, API_HEADERS)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(errorBody(code, message)))
}

/** Answers an invalid, slow or too large HTTP request, for which Node has no request object. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = UNREADABLE[error.code ?? ''] ?? 400
  const headers = { ...API_HEADERS, 'content-length': '0', connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}

const UNREADABLE: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Maximum number of free ports of 127.0.0.1 that are tried, until a port is free on `[::1]` too. */
const MAX_PORTS_TRIED = 10

async function bindBoth(
  server: Server,
  ipv6: NetServer,
  requested: number
): Promise<Pick<Listening, 'port' | 'neighbour'>> {
  for (let tries = 1; ; tries++) {
    await bind(server, requested)
    const { port } = server.address() as AddressInfo
    const neighbour = await isTaken(ipv6, port)
    if (!neighbour || requested !== 0 || tries === MAX_PORTS_TRIED) return { port, neighbour }
    await closed(server)
  }
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(bindProblem(error, port)))
    server.listen(port, '127.0.0.1', resolve)
  })
}

function bindProblem(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EACCES') return new Problem('port-taken', `Port ${port} may not be used. Choose another.`)
  if (error.code !== 'EADDRINUSE') return error
  return new Problem(
    'port-taken',
    `Port ${port} is taken by another program. Earmark does not switch to another port by itself, because your editors ` +
      'would keep sending their keys to that program. It may have received the keys used since Earmark last ran: if you ' +
      'do not know it, revoke them. Stop that program and start Earmark again, or use --port and change the address in ' +
      'your editors.'
  )
}

/** Binds `[::1]`, if there is IPv6, and returns whether another program has the port there. */
function isTaken(server: NetServer, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'))
    server.listen({ port, host: '::1', ipv6Only: true }, () => resolve(false))
  })
}

/** Resolves when the server has closed, or if it never listened. */
function closed(server: NetServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
