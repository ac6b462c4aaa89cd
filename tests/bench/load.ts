import { connect, type Socket } from 'node:net'

/** What one round of requests took. Times are in milliseconds. */
export interface Round {
  requests: number
  seconds: number
  times: Float64Array
}

/**
 * Sends the same request over keep-alive connections, one at a time on each, for a while. The client reads no more of
 * an answer than its length, so that what is measured is the server.
 */
export async function load(
  target: { port: number; request: Buffer },
  { connections, milliseconds }: { connections: number; milliseconds: number }
): Promise<Round> {
  const times: number[] = []
  const begun = performance.now()
  const end = begun + milliseconds
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(target.port)))
  await Promise.all(sockets.map((socket) => repeat(socket, target.request, end, times)))
  const seconds = (performance.now() - begun) / 1000
  for (const socket of sockets) socket.destroy()
  return { requests: times.length, seconds, times: Float64Array.from(times) }
}

/** Sends each of these requests once, in turn, from as many clients as are asked for. */
export async function loadEach(port: number, requests: Buffer[], clients: number): Promise<Round> {
  const times: number[] = []
  const begun = performance.now()
  let next = 0
  const one = async () => {
    const socket = await open(port)
    for (let index = next++; index < requests.length; index = next++) {
      const request = requests[index]
      if (request) await repeat(socket, request, 0, times)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: clients }, one))
  return { requests: times.length, seconds: (performance.now() - begun) / 1000, times: Float64Array.from(times) }
}

/** The request as bytes, ready to send again and again. */
export function post(port: number, path: string, headers: Record<string, string>, body: string): Buffer {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-length': String(Buffer.byteLength(body)),
    ...headers
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`)
}

/** @param share between 0 and 1 */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

function repeat(socket: Socket, request: Buffer, end: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let missing: number | 'until the last chunk' | undefined
    const send = () => {
      sentAt = performance.now()
      socket.write(request)
    }
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      missing ??= lengthOf(chunk)
      if (typeof missing === 'number') {
        missing -= chunk.length
        if (missing > 0) return
      } else if (!chunk.subarray(-5).equals(LAST_CHUNK)) return
      missing = undefined
      const now = performance.now()
      times.push(now - sentAt)
      if (now < end) send()
      else {
        socket.removeAllListeners()
        resolve()
      }
    })
    send()
  })
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Length of the whole answer, by its head, which arrives in one piece on loopback. */
function lengthOf(first: Buffer): number | 'until the last chunk' {
  const head = first.toString('latin1')
  const end = head.indexOf('\r\n\r\n')
  if (end < 0 || head.slice(9, 12) !== '200') throw new Error(`unexpected answer: ${head.slice(0, 200)}`)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  return length === undefined ? 'until the last chunk' : end + 4 + Number(length)
}
