/**
 * The service under more than it should bear: sixteen agents that search, sockets that never finish a request, bodies
 * of 100 MB, and 10,000 wrong keys, each with an agent beside it whose key is right.
 *
 * The planted fault is a service that is stopped (SIGSTOP) beside the slow sockets.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { load, post, percentile as share } from '../bench/load.ts'
import { below, call, type Figure, makeKey, options, report, rssOf, start, tempFolder, tried } from './support.ts'

const BOOKMARKS = options.n(100_000)
const isShort = BOOKMARKS < 100_000
const SLOW = isShort ? 300 : 9000
const WRONG = isShort ? 300 : 10_000

const data = tempFolder()
const key = makeKey(data)
const service = await start(data)
const figures: Figure[] = []

await fill()
await search()
if (options.plant) service.child.kill('SIGSTOP')
await slowSockets()
service.child.kill('SIGCONT')
await largeBodies()
await wrongKeys()
await service.end('SIGTERM')
report('load', figures)

async function fill(): Promise<void> {
  for (let at = 0; at < BOOKMARKS; at += 500) {
    const urls = Array.from({ length: Math.min(500, BOOKMARKS - at) }, (_, index) => {
      return `https://site${(at + index) % 997}.example/topic${(at + index) % 5003}/${at + index}`
    })
    await call(service.url, key, 'bookmarks.insert', { urls })
  }
  figures.push(tried('bookmarks', BOOKMARKS, 1))
}

async function search(): Promise<void> {
  const params = { name: 'bookmarks.search', arguments: { search: 'topic4242' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const request = post(service.port, '/api/tools/mcp', headers, body)
  const loading = load({ port: service.port, request }, { connections: 16, milliseconds: isShort ? 1000 : 10_000 })
  const round = await Promise.race([loading, setTimeout(20_000)])
  const rate = round ? round.requests / round.seconds : 0
  const p99 = round ? share(round.times.toSorted(), 0.99) : Number.POSITIVE_INFINITY
  figures.push(
    {
      what: 'searches/s of 16 agents',
      value: String(Math.round(rate)),
      target: '>= 1000',
      met: rate >= 1000
    },
    below('their p99', p99, 50, 'ms')
  )
}

async function slowSockets(): Promise<void> {
  const sockets: Socket[] = []
  let open = 0
  for (let number = 0; number < SLOW; number++) {
    const socket = connect(service.port, '127.0.0.1')
    socket
      .on('error', () => {})
      .on('close', () => {
        open -= 1
      })
    socket.resume()
    socket.on('connect', () => socket.write('POST /api/tools/mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: '))
    open += 1
    sockets.push(socket)
    if (number % 500 === 0) await setTimeout(5)
  }
  const times: number[] = []
  for (const end = performance.now() + 9000; performance.now() < end; await setTimeout(100))
    times.push(await answered())
  figures.push(below(`an agent beside ${SLOW} slow sockets, max`, Math.max(...times), 1000, 'ms'), {
    what: 'slow sockets left',
    value: String(open),
    target: '0',
    met: open === 0
  })
  for (const socket of sockets) socket.destroy()
}

async function answered(): Promise<number> {
  const begun = performance.now()
  const signal = AbortSignal.timeout(5000)
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const answer = await fetch(`${service.url}/api/tools/mcp`, { method: 'POST', headers, body, signal }).catch(
    () => undefined
  )
  return answer?.status === 200 ? performance.now() - begun : Number.POSITIVE_INFINITY
}

async function largeBodies(): Promise<void> {
  // What a first answer of each kind loads is no body's memory.
  for (const saysLength of [true, false]) await refused(saysLength)
  const times: number[] = []
  const growth: number[] = []
  // Two series: memory also grows by what the searches before them left to be collected, but only once.
  for (let series = 0; series < 2; series++) {
    const before = rssOf(service.child.pid)
    for (let number = 0; number < 10; number++) times.push(await refused(number % 2 === 0))
    growth.push((rssOf(service.child.pid) - before) / 1_000_000)
  }
  figures.push(
    below('413 for a body of 100 MB, max', Math.max(...times), 100, 'ms'),
    below('memory for ten', Math.min(...growth), 20, 'MB')
  )
}

/** Until the first byte of a 413 arrives. */
function refused(saysLength: boolean): Promise<number> {
  return new Promise((resolve) => {
    const begun = performance.now()
    const socket = connect(service.port, '127.0.0.1')
    const size = saysLength ? 'content-length: 100000000' : 'transfer-encoding: chunked'
    const head = `POST /api/tools/mcp HTTP/1.1\r\nhost: 127.0.0.1:${service.port}\r\nx-api-key: ${key}\r\n`
    socket.on('error', () => resolve(Number.POSITIVE_INFINITY))
    socket.on('data', (chunk) => {
      resolve(String(chunk).startsWith('HTTP/1.1 413') ? performance.now() - begun : Number.POSITIVE_INFINITY)
      socket.destroy()
    })
    socket.write(`${head}content-type: application/json\r\n${size}\r\n\r\n`)
    const piece = Buffer.alloc(65_536, 'x')
    const send = () => {
      if (socket.destroyed) return
      if (!saysLength) socket.write(`${piece.length.toString(16)}\r\n`)
      socket.write(piece)
      if (!saysLength) socket.write('\r\n')
      setImmediate(send)
    }
    send()
  })
}

async function wrongKeys(): Promise<void> {
  const bodies = new Set<string>()
  let served = 0
  let tries = 0
  const ask = async (wrong: string) => {
    const headers = { 'x-api-key': wrong, 'content-type': 'application/json' }
    const answer = await fetch(`${service.url}/api/tools/mcp`, { method: 'POST', headers, body: '{}' })
    const text = await answer.text()
    if (answer.status === 401) bodies.add(text)
  }
  for (let number = 0; number < WRONG; number += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => ask(`emk_${String(number + index).padStart(49, '0')}`)))
    tries += 1
    if (Number.isFinite(await answered())) served += 1
  }
  figures.push(
    {
      what: `the right key beside ${WRONG} wrong ones`,
      value: `${served} of ${tries}`,
      target: 'all',
      met: served === tries
    },
    { what: 'different bodies of 401', value: String(bodies.size), target: '1', met: bodies.size === 1 }
  )
}
