import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TestWire } from '../../src-main/web/guarded-agent.ts'

/** An address of the public internet for hosts of the test web; nobody is ever called there. */
export const PUBLIC_ADDRESS = '93.184.216.34'

/** What an address of the test web answers. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A web of our own: every host there is, on one port of this machine. */
export interface TestWeb {
  wire: TestWire
  /** Requests so far, as `host/path`. */
  asked: string[]
  connections(): number
  /** The most requests that were under way at once: of all hosts, and of one. */
  busiest(): { all: number; host: number }
  close(): Promise<void>
}

/**
 * @param find the answer for `host/path?query`, or `undefined` for 404
 * @param resolve a host's addresses
 */
export async function startTestWeb(
  find: (target: string) => Answering | undefined,
  resolve: (host: string) => string[] = () => [PUBLIC_ADDRESS],
  afterwards: (close: () => Promise<void>) => void = onTestFinished
): Promise<TestWeb> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const running = new Map<string, number>()
  const most = { all: 0, host: 0 }
  let connections = 0

  const server = createServer((request, response) => {
    const host = request.headers.host ?? ''
    asked.push(`${host}${request.url}`)
    const now = (running.get(host) ?? 0) + 1
    running.set(host, now)
    most.host = Math.max(most.host, now)
    most.all = Math.max(
      most.all,
      [...running.values()].reduce((sum, one) => sum + one, 0)
    )
    response.once('close', () => running.set(host, (running.get(host) ?? 1) - 1))
    const answer = find(`${host}${request.url}`)
    if (answer) answer(request, response)
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Not here</title>')
  })
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const web: TestWeb = {
    wire: { port: (server.address() as AddressInfo).port, resolve },
    asked,
    connections: () => connections,
    busiest: () => most,
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => closed())
      })
  }
  afterwards(web.close)
  return web
}

/** Answers with a page. */
export function page(html: string | Uint8Array, headers: Record<string, string> = {}, status = 200): Answering {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html)
  }
}

/** Answers with a redirect. */
export function redirect(to: string, status = 302): Answering {
  return (_, response) => {
    // Node takes a header's bytes as characters.
    response.writeHead(status, { location: Buffer.from(to).toString('latin1') }).end('moved')
  }
}

/** Never answers. */
export const silence: Answering = () => {}
