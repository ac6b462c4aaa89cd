import { createServer, type IncomingMessage, request, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { ENDPOINT_PATH } from '../contract/endpoint.ts'
import { errorBody, Problem } from '../contract/problem.ts'
import { limitBodyTime } from './body.ts'
import { gate, type RequestHeaders, readHeaders } from './gate.ts'

/** Where the service answers. */
export interface Listening {
  port: number
  /** Whether another program has this port on `[::1]`: browsers, and editors told `localhost`, may go there. */
  neighbour: boolean
  /** Since when nothing is asked, in milliseconds since 1970; `undefined` while something is. */
  quietSince(): number | undefined
  close(): Promise<void>
}

/** Answers one request; its headers are read already. */
type DirectHandler = (request: IncomingMessage, response: ServerResponse, headers: RequestHeaders) => void

/** The functions that answer requests. */
export interface Handlers {
  /** The name of this machine that only the dashboard's browser knows. */
  dashboardHost: string
  fetch(request: Request, env: object): Response | Promise<Response>
  /** Takes calls of this path straight from the socket, without the cost of a fetch handler. */
  direct: { path: string; handle: DirectHandler }
  onBug(error: unknown): void
}

/** How long requests under way may take to finish once the service is told to stop. */
const CLOSE_MS = 1000

/**
 * Serves on 127.0.0.1, and on `[::1]` where that is to be had, and nowhere else, with the gate in front. Browsers try both
 * for a name below `localhost`; whoever had the other one would be sent the session's cookie.
 *
 * @param port 0 takes any free one
 * @throws Problem `port-taken`; the port is never changed silently
 */
export async function listen(port: number, { dashboardHost, fetch, direct, onBug }: Handlers): Promise<Listening> {
  // Loaded with the first request that needs it, as what is behind it.
  let listener: Promise<(request: IncomingMessage, response: ServerResponse) => unknown> | undefined
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    listener ??= import('@hono/node-server').then(({ getRequestListener }) =>
      getRequestListener(fetch, {
        overrideGlobalObjects: false,
        errorHandler: (error) => {
          onBug(error)
          return Response.json(errorBody('internal', 'Earmark failed unexpectedly.'), { status: 500 })
        }
      })
    )
    return (await listener)(request, response)
  }
  const connections = new Set<Duplex>()
  const answering = new WeakMap<Duplex, ServerResponse>()
  const lingering = new WeakSet<Duplex>()

  let open = 0
  let lastEnd = Date.now()

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    open++
    response.once('close', () => {
      open--
      lastEnd = Date.now()
    })
    const headers = readHeaders(request.rawHeaders)
    if (lingering.has(request.socket)) return request.socket.destroy()
    answering.set(request.socket, response)
    if (mayBeLarge(headers)) closeUnlessRead(request, response, lingering)
    const refusal = gate(request, dashboardHost, headers)
    if (refusal) return refuse(response, refusal)
    if (headers.get('expect') !== undefined) response.writeContinue()
    if (isPath(request.url, direct.path)) return direct.handle(request, response, headers)
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
    limitBodyTime(request)
    void serve(request, response)
  }

  const server = createServer(LIMITS, answer)
  server.maxConnections = 16_000
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('checkContinue', answer)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = answering.get(socket)
    const isUnderWay = response?.req.complete === true && !response.writableEnded
    if (isUnderWay && error.code?.startsWith('HPE_')) closeAfter(response)
    else answerUnreadable(error, socket)
  })
  server.on('checkExpectation', (_, response) => {
    refuse(response, { status: 417, code: 'expectation-failed', message: 'Send the request without Expect.' })
  })
  const beside = createNetServer(AS_HTTP_DOES, (socket) => server.emit('connection', socket))
  const bound = await bindBoth(server, beside, port)
  return {
    ...bound,
    quietSince: () => (open === 0 ? lastEnd : undefined),
    async close() {
      const shut = Promise.all([server, beside].map(closed))
      // Browsers keep some open that have not asked anything yet.
      for (const socket of connections) if (answering.get(socket)?.writableFinished !== false) socket.destroy()
      const limit = setTimeout(() => connections.forEach((socket) => void socket.destroy()), CLOSE_MS)
      await shut
      clearTimeout(limit)
    }
  }
}

const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 0, // bodies have their own limit, and imports none but of silence
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 5000,
  requireHostHeader: false // the gate answers for it
}

/** On every answer that is no page: nothing in it may be loaded, framed, sniffed or kept. */
export const API_SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store'
}

/** On the dashboard's answers. */
const SECURITY_HEADERS = {
  ...API_SECURITY_HEADERS,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

function isPath(url: string | undefined, path: string): boolean {
  return url === path || url?.startsWith(`${path}?`) === true
}

function refuse(response: ServerResponse, refusal: { status: number; code: string; message: string }): void {
  const body = JSON.stringify(errorBody(refusal.code, refusal.message))
  response
    .writeHead(refusal.status, { ...API_SECURITY_HEADERS, 'content-type': 'application/json', connection: 'close' })
    .end(body)
}

/** Bytes of a body that are read past its answer to keep the connection. */
const MOST_UNREAD = 1_048_576

function mayBeLarge(headers: RequestHeaders): boolean {
  return headers.get('transfer-encoding') !== undefined || Number(headers.get('content-length') ?? 0) > MOST_UNREAD
}

/** How long the rest of a refused body is still taken, in milliseconds, so that its sender can read the answer. */
const LINGER_MS = 1000

/**
 * Closes the connection if the answer was sent before the body has arrived, which would otherwise be read to its end
 * for nothing. Not at once: closed with something unread, TCP resets it, and takes the answer back.
 */
function closeUnlessRead(request: IncomingMessage, response: ServerResponse, lingering: WeakSet<Duplex>): void {
  const writeHead = response.writeHead
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    response.writeHead = writeHead
    if (!request.complete) {
      response.setHeader('connection', 'close')
      const { socket } = request
      socket.destroySoon = () => linger(request, lingering)
    }
    return response.writeHead(...head)
  }) as typeof writeHead
}

/** Ends our side of the connection, and lets pass what still comes. */
function linger(request: IncomingMessage, lingering: WeakSet<Duplex>): void {
  const { socket } = request
  lingering.add(socket)
  socket.end()
  request.resume()
  const limit = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(limit))
}

/** Closes the connection after this answer, because the bytes that follow the request cannot be read. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

/** For what is no HTTP, or too much of it: Node has no request to answer, only a socket. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = UNREADABLE[error.code ?? ''] ?? 400
  const headers = { ...API_SECURITY_HEADERS, 'content-length': '0', connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}

const UNREADABLE: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** As `http.createServer` makes its own. */
const AS_HTTP_DOES = { allowHalfOpen: true, noDelay: true }

/** How many free ports of 127.0.0.1 are tried for one that is free on `[::1]` too. */
const MOST_PORTS = 10

async function bindBoth(
  server: Server,
  beside: NetServer,
  asked: number
): Promise<Pick<Listening, 'port' | 'neighbour'>> {
  for (let tries = 1; ; tries++) {
    await bind(server, asked)
    const { port } = server.address() as AddressInfo
    const neighbour = await isTaken(beside, port)
    if (!neighbour || asked !== 0 || tries === MOST_PORTS) return { port, neighbour }
    await closed(server)
  }
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') void portTaken(port).then(reject)
      else if (error.code === 'EACCES')
        reject(new Problem('port-taken', `Port ${port} may not be used. Choose another.`))
      else reject(error)
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}

/** Binds `[::1]`, where there is one. @returns whether another program has the port there */
function isTaken(server: NetServer, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'))
    server.listen({ port, host: '::1', ipv6Only: true }, () => resolve(false))
  })
}

async function portTaken(port: number): Promise<Problem> {
  if (await isEarmark(port)) {
    return new Problem(
      'port-taken',
      `Another Earmark, with another data folder, is running on port ${port}. Stop it and start again, or use --port and ` +
        'change the address in the editors of this one.'
    )
  }
  return new Problem(
    'port-taken',
    `Port ${port} is taken by another program. Earmark does not switch to another port by itself, because your editors ` +
      'would keep sending their keys to that program. It may have received the keys used since Earmark last ran: if you ' +
      `do not know it, revoke them. Stop that program and start Earmark again, or use --port and change the address in your editors.`
  )
}

/** How long a program may take to say what it is, in milliseconds. */
const WHO_MS = 1000

/** Whether what listens there refuses a call without a key as Earmark does. */
async function isEarmark(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request(
      { host: '127.0.0.1', port, path: ENDPOINT_PATH, method: 'POST', signal: AbortSignal.timeout(WHO_MS) },
      (response) => {
        response.destroy()
        resolve(/realm="Earmark"/.test(response.headers['www-authenticate'] ?? ''))
      }
    )
    asking.once('error', () => resolve(false)).end()
  })
}

/** Resolves when the server takes no more connections and has none left. It may not have listened at all. */
function closed(server: NetServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
