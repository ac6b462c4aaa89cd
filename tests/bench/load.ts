import { connect, type Socket } from 'node:net'
import { toolRequest } from '../support/earmark.ts'

/** A round of requests. Times are in ms. */
export interface Round {
  seconds: number
  times: number[]
}

/**
 * Sends the same request again and again over keep-alive connections, one at a time on each. The client reads no more of a
 * response than its length, so that it measures the server.
 */
export async function load(
  { port, request }: { port: number; request: Buffer },
  { connections, milliseconds }: { connections: number; milliseconds: number }
): Promise<Round> {
  const end = performance.now() + milliseconds
  return measureClients(port, connections, async (send) => {
    do await send(request)
    while (performance.now() < end)
  })
}

/** Sends each request once. Each client takes the next one when its last is answered. */
export function loadEach(port: number, requests: Buffer[], clients: number): Promise<Round> {
  const remaining = requests.values()
  return measureClients(port, clients, async (send) => {
    for (const request of remaining) await send(request)
  })
}

async function measureClients(
  port: number,
  clients: number,
  work: (send: (request: Buffer) => Promise<void>) => Promise<void>
): Promise<Round> {
  const times: number[] = []
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const socket = await open(port)
      await work(async (request) => void times.push(await timeRequest(socket, request)))
      socket.destroy()
    })
  )
  return { seconds: (performance.now() - begun) / 1000, times }
}

/** A tool call as bytes. */
export function toolCall(
  port: number,
  key: string,
  name: string,
  args: object,
  more: Record<string, string> = {}
): Buffer {
  const { headers, body } = toolRequest(key, name, args)
  return post(port, '/api/tools/mcp', { ...headers, ...more }, body)
}

/** A request as bytes. */
export function post(port: number, path: string, headers: Record<string, string>, body: string): Buffer {
  const all = { host: `127.0.0.1:${port}`, 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Returns the time until the whole response is there, in ms. */
function timeRequest(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let missing: number | 'until the last chunk' | undefined
    socket.removeAllListeners()
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      missing ??= lengthOf(chunk)
      if (missing === 'until the last chunk') {
        if (chunk.subarray(-5).equals(LAST_CHUNK)) resolve(performance.now() - begun)
      } else {
        missing -= chunk.length
        if (missing <= 0) resolve(performance.now() - begun)
      }
    })
    const begun = performance.now()
    socket.write(request)
  })
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Reads the length of a response from its head, which arrives in one piece on loopback. */
function lengthOf(first: Buffer): number | 'until the last chunk' {
  const head = first.toString('latin1')
  const end = head.indexOf('\r\n\r\n')
  if (end < 0 || head.slice(9, 12) !== '200') throw new Error(`unexpected answer: ${head.slice(0, 200)}`)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  return length === undefined ? 'until the last chunk' : end + 4 + Number(length)
}
