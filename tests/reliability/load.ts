/**
 * The service under more load than it should bear: sixteen agents that search, sockets that never finish a request, bodies of
 * 100 MB, and 10,000 wrong keys, each time with an agent whose key is right.
 *
 * The planted fault is a service that is stopped (SIGSTOP) while the slow sockets are open.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { load, toolCall } from '../bench/load.ts'
import { callTool, makeKey } from '../support/earmark.ts'
import { type Figure, figure, options, percentile, report, rssOf, start, tempFolder } from './harness.ts'

const BOOKMARKS = options.n(100_000)
const isShort = BOOKMARKS < 100_000
const SLOW = isShort ? 300 : 9000
const WRONG = isShort ? 300 : 10_000

const data = tempFolder()
const key = await makeKey(data)
const service = await start(data)
const figures: Figure[] = []

await fill()
await search()
if (options.plant) service.child.kill('SIGSTOP')
await openSlowSockets()
service.child.kill('SIGCONT')
await sendLargeBodies()
await sendWrongKeys()
await service.end('SIGTERM')
report(figures)

async function fill(): Promise<void> {
  for (let saved = 0; saved < BOOKMARKS; saved += 500) {
    const urls = Array.from({ length: Math.min(500, BOOKMARKS - saved) }, (_, index) => {
      const number = saved + index
      return `https://site${number % 997}.example/topic${number % 5003}/${number}`
    })
    await callTool(service.url, key, 'bookmarks.insert', { urls })
  }
  figures.push(figure.atLeast('bookmarks', BOOKMARKS, 1))
}

async function search(): Promise<void> {
  const request = toolCall(service.port, key, 'bookmarks.search', { search: 'topic4242' })
  const loading = load({ port: service.port, request }, { connections: 16, milliseconds: isShort ? 1000 : 10_000 })
  const round = await Promise.race([loading, sleep(20_000)])
  const rate = round ? round.times.length / round.seconds : 0
  const p99 = round ? percentile(round.times, 0.99) : Number.POSITIVE_INFINITY
  figures.push(
    figure.atLeast('searches/s of 16 agents', Math.round(rate), 1000),
    figure.atMost('their p99', p99, 50, 'ms')
  )
}

async function openSlowSockets(): Promise<void> {
  let open = 0
  const openSocket = () => {
    const socket = connect(service.port, '127.0.0.1')
    open += 1
    socket.on('error', () => {}).on('close', () => (open -= 1))
    socket.on('connect', () => socket.write('POST /api/tools/mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: '))
    return socket.resume()
  }
  const sockets = []
  for (let number = 0; number < SLOW; number++) {
    sockets.push(openSocket())
    if (number % 500 === 0) await sleep(5)
  }
  const times: number[] = []
  for (const end = performance.now() + 9000; performance.now() < end; await sleep(100)) times.push(await timeToAnswer())
  figures.push(
    figure.atMost(`an agent beside ${SLOW} slow sockets, max`, Math.max(...times), 1000, 'ms'),
    figure.zero('slow sockets left', open)
  )
  for (const socket of sockets) socket.destroy()
}

/** Returns the time of a small request, in ms; infinity without an answer. */
async function timeToAnswer(): Promise<number> {
  const begun = performance.now()
  const signal = AbortSignal.timeout(5000)
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const init = { method: 'POST', headers, body, signal }
  const answer = await fetch(`${service.url}/api/tools/mcp`, init).catch(() => undefined)
  return answer?.status === 200 ? performance.now() - begun : Number.POSITIVE_INFINITY
}

async function sendLargeBodies(): Promise<void> {
  // The memory for what the first answer of each kind loads does not count.
  for (const hasLength of [true, false]) await timeToRefusal(hasLength)
  const times: number[] = []
  const growth: number[] = []
  // Two series: memory also grows by what the searches before them left to be collected, but only once.
  for (let series = 0; series < 2; series++) {
    const before = rssOf(service.child.pid)
    for (let number = 0; number < 10; number++) times.push(await timeToRefusal(number % 2 === 0))
    growth.push((rssOf(service.child.pid) - before) / 1_000_000)
  }
  figures.push(
    figure.atMost('413 for a body of 100 MB, max', Math.max(...times), 100, 'ms'),
    figure.atMost('memory for ten', Math.min(...growth), 20, 'MB')
  )
}

/** Sends a large body until the first byte of a 413 arrives. Returns the time, in ms. */
function timeToRefusal(hasLength: boolean): Promise<number> {
  return new Promise((resolve) => {
    const begun = performance.now()
    const socket = connect(service.port, '127.0.0.1')
    const size = hasLength ? 'content-length: 100000000' : 'transfer-encoding: chunked'
    const head = `POST /api/tools/mcp HTTP/1.1\r\nhost: 127.0.0.1:${service.port}\r\nx-api-key: ${key}\r\n`
    socket.on('error', () => resolve(Number.POSITIVE_INFINITY))
    socket.on('data', (chunk) => {
      resolve(String(chunk).startsWith('HTTP/1.1 413') ? performance.now() - begun : Number.POSITIVE_INFINITY)
      socket.destroy()
    })
    socket.write(`${head}content-type: application/json\r\n${size}\r\n\r\n`)
    const piece = Buffer.alloc(65_536, 'x')
    const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    const send = () => {
      if (socket.destroyed) return
      socket.write(hasLength ? piece : chunk)
      setImmediate(send)
    }
    send()
  })
}

async function sendWrongKeys(): Promise<void> {
  const bodies = new Set<string>()
  const send = async (wrong: string) => {
    const headers = { 'x-api-key': wrong, 'content-type': 'application/json' }
    const answer = await fetch(`${service.url}/api/tools/mcp`, { method: 'POST', headers, body: '{}' })
    const text = await answer.text()
    if (answer.status === 401) bodies.add(text)
  }
  let served = 0
  let tries = 0
  for (let number = 0; number < WRONG; number += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => send(`emk_${String(number + index).padStart(49, '0')}`)))
    tries += 1
    if (Number.isFinite(await timeToAnswer())) served += 1
  }
  figures.push(
    figure.all(`the right key beside ${WRONG} wrong ones`, served, tries),
    figure.equal('different bodies of 401', String(bodies.size), '1')
  )
}
