/** A web of our own: every host, on one port of this machine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startNodeProcess } from '../../src-main/host/own-program.ts'
import { createDecoder, type Decoder } from '../../src-main/web/decoder.ts'
import type { TestWire } from '../../src-main/web/guarded-agent.ts'
import { callTool, startWebService } from './earmark.ts'
import { tempFolder } from './temp-folder.ts'

/** A public address for the hosts of the test web. Nothing ever connects to it. */
export const PUBLIC_ADDRESS = '93.184.216.34'

/** How a page of the test web answers. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => void

export interface TestWeb {
  wire: TestWire
  /** Requests so far, as `host/path`. */
  asked: string[]
  connections(): number
  /** The largest number of simultaneous requests: to all hosts, and to one. */
  busiest(): { all: number; host: number }
  close(): Promise<void>
}

/**
 * @param find returns the answer for `host/path?query`, or `undefined` for 404
 * @param resolve returns the addresses of a host
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
    const { host = '' } = request.headers
    asked.push(`${host}${request.url}`)
    const now = (running.get(host) ?? 0) + 1
    running.set(host, now)
    most.host = Math.max(most.host, now)
    most.all = Math.max(
      most.all,
      [...running.values()].reduce((sum, count) => sum + count, 0)
    )
    response.once('close', () => running.set(host, (running.get(host) ?? 1) - 1))
    const answer = find(`${host}${request.url}`) ?? page('<title>Not here</title>', {}, 404)
    answer(request, response)
  })
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((closed) => server.close(() => closed()))
  }
  afterwards(close)
  const wire = { port: (server.address() as AddressInfo).port, resolve }
  return { wire, asked, connections: () => connections, busiest: () => most, close }
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
    // Node writes each character of a header as one byte.
    response.writeHead(status, { location: Buffer.from(to).toString('latin1') }).end('moved')
  }
}

/** Never answers. */
export const silence: Answering = () => {}

/** The real decoder with its process, closed after the test. */
export function testDecoder(
  { folder, patience }: { folder?: string; patience?: number } = {},
  afterwards: (close: () => void | Promise<void>) => void = onTestFinished
): Decoder {
  const decoder = createDecoder(startNodeProcess, folder ?? tempFolder(afterwards), patience)
  afterwards(decoder.close)
  return decoder
}

/**
 * Runs a service whose whole web is these pages, by host and path, until the work is done. The work may change the pages.
 */
export async function withServedWeb(
  pages: Record<string, Answering>,
  work: (service: { login: string; insert(urls: string[]): Promise<void> }) => Promise<void>
): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'earmark-web-'))
  const web = await startTestWeb(
    (target) => pages[target],
    undefined,
    () => {}
  )
  const service = await startWebService(data, web.wire.port, { afterwards: () => {} })
  try {
    const insert = async (urls: string[]) =>
      void (await callTool(service.url, service.key, 'bookmarks.insert', { urls }))
    await work({ login: service.login, insert })
  } finally {
    await service.end('SIGKILL')
    await web.close()
    await rm(data, { recursive: true, force: true })
  }
}
