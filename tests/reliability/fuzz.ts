/**
 * Sends the service what no client should: bytes that are not HTTP, broken JSON, JSON-RPC and arguments of any shape, anything
 * at every address of the dashboard, and broken files of every format. The same seed sends the same.
 *
 * The planted fault is a service that is stopped (SIGSTOP) in the middle.
 */
import { existsSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { apiRoutes } from '../../src-main/server/api.ts'
import type { ServerContext } from '../../src-main/server/context.ts'
import { bookmarkFiles } from '../support/bookmark-files.ts'
import { callTool, makeKey, toolRequest } from '../support/earmark.ts'
import { logIn } from '../support/http.ts'
import { figure, options, random, report, rssOf, start, tempFolder } from './harness.ts'

const INPUTS = options.n(200_000)
const WORKERS = 8
const TIMEOUT_MS = 2000
/** These read the whole library, here several at once, so they may take longer. */
const WHOLE_LIBRARY = /^\/api\/(backups|doctor)\b/
const WHOLE_LIBRARY_TIMEOUT_MS = 20_000
/** By then every table and thread that inputs need is loaded: about 45 MB, with some seeds only at input 130. */
const WARM_UP = 200
/** In shorter runs much of the growth is of modules and threads that load after the warm-up. */
const MIN_FOR_MEMORY = 2000
/** A partial request waits for more; the service's own limit is too long to wait for here. */
const FRAME_MS = 20

const data = tempFolder()
const key = await makeKey(data)
// With a small heap V8 collects garbage often, so that growth is what stays in use.
const service = await start(data, { NODE_OPTIONS: '--max-old-space-size=160' })
const session = await logIn(service)
const agent = new Agent({ keepAlive: true, maxSockets: WORKERS })
const knownPages = ['https://known.example/orchid', 'https://known.example/walrus']
await callTool(service.url, key, 'bookmarks.insert', { urls: knownPages })
const searchKnown = async () =>
  JSON.stringify((await callTool(service.url, key, 'bookmarks.search', { domain: 'known.example' })).payload)
const expected = await searchKnown()

const ROUTES = readRoutes()
const TEXTS = ['', 'a', '"', '\\', '\0', '\u202e', '\ud800', '日本', '*', 'NEAR(', "' OR 1=1"].concat([
  '-1',
  '1e400',
  '../',
  '%00',
  '{}'
])
const ARGUMENTS = ['search', 'tags', 'domain', 'type', 'visibility', 'page', 'limit', 'urls']
const NAMES = [
  ...ARGUMENTS,
  ...'name arguments id params __proto__ constructor toString title url content description ids change'.split(' '),
  ...'kind format query words from into'.split(' ')
]
const EXPORT = `{"format":"earmark","version":1,"createdAt":"2020-01-01T00:00:00.000Z"}
{"organization":{"name":"O","createdAt":"2020-01-01T00:00:00.000Z"}}
{"end":{"sha256":"0"}}
`
const FILES = [...bookmarkFiles.map(({ bytes }) => bytes), Buffer.from(EXPORT)]

const count = { sent: 0, failures: 0, hangs: 0, crashes: 0 }
let rssBefore = 0
service.child.once('exit', () => (count.crashes += 1))
await Promise.all(Array.from({ length: WORKERS }, work))
service.child.kill('SIGCONT')
const growth = (rssOf(service.child.pid) - rssBefore) / 1_000_000
const found = await searchKnown()
const hasLog = existsSync(join(data, 'earmark.log'))
service.child.removeAllListeners('exit')
await service.end('SIGTERM')

report([
  figure.atLeast('inputs', count.sent, INPUTS),
  figure.zero('crashes', count.crashes),
  figure.zero('hangs over 2 s, over 20 s for a backup or a check of the library', count.hangs),
  figure.zero('5xx', count.failures),
  ...(INPUTS >= MIN_FOR_MEMORY ? [figure.atMost('memory', growth, 50, 'MB')] : []),
  figure.equal('a known search', found === expected ? 'identical' : 'another', 'identical'),
  figure.equal('lines in the log of bugs', hasLog ? 'some' : '0', '0')
])

async function work(): Promise<void> {
  while (count.sent < INPUTS && count.crashes === 0 && count.hangs < 10) {
    count.sent += 1
    // What the service loads once does not count as growth.
    if (count.sent === Math.max(Math.floor(INPUTS / 4), Math.min(WARM_UP, INPUTS / 2)))
      rssBefore = rssOf(service.child.pid)
    if (options.plant && count.sent === Math.floor(INPUTS / 2)) service.child.kill('SIGSTOP')
    const kind = random.share()
    if (kind < 0.1) await sendFrame()
    else if (kind < 0.2) await sendToEndpoint(randomJson())
    else if (kind < 0.4) await sendToEndpoint(randomRpc())
    else if (kind < 0.7) await sendToEndpoint(randomToolCall())
    else if (kind < 0.95) await sendToRoute()
    else await importFile()
  }
}

function randomText(): string {
  const part = () => (random.share() < 0.05 ? 'x'.repeat(random.int(20_000)) : random.pick(TEXTS))
  return Array.from({ length: random.int(6) }, part).join('')
}

function randomValue(depth = 0): unknown {
  const kind = random.int(depth > 4 ? 5 : 8)
  if (kind < 2) return randomText()
  if (kind === 2) return random.pick([0, -1, 1.5, 1e21, 5, 2 ** 53, Number.MAX_VALUE, -0])
  if (kind === 3) return random.pick([null, true, false])
  if (kind === 4) {
    return random.pick(['https://a.example/', 'javascript:1', 'http://127.0.0.1/', `https://${randomText()}.example/`])
  }
  if (kind === 5) return Array.from({ length: random.int(5) }, () => randomValue(depth + 1))
  return Object.fromEntries(Array.from({ length: random.int(5) }, () => [random.pick(NAMES), randomValue(depth + 1)]))
}

function randomJson(): string {
  const text = random.share() < 0.05 ? '['.repeat(random.int(100_000)) : JSON.stringify(randomValue())
  const index = random.int(text.length)
  return random.share() < 0.5
    ? text.slice(0, index) + random.pick(['', '}', '"', ',', '\0']) + text.slice(index + 1)
    : text
}

function randomRpc(): string {
  return JSON.stringify({
    jsonrpc: random.share() < 0.9 ? '2.0' : randomValue(),
    id: random.share() < 0.8 ? 1 : randomValue(),
    method: random.pick(['initialize', 'tools/list', 'tools/call', 'ping', 'notifications/x', '', randomText()]),
    params: randomValue()
  })
}

function randomToolCall(): string {
  const args = Object.fromEntries(Array.from({ length: random.int(5) }, () => [random.pick(ARGUMENTS), randomValue(3)]))
  const name = random.pick(['bookmarks.search', 'bookmarks.search', 'bookmarks.insert', randomText()])
  return toolRequest(key, name, args).body
}

function sendToEndpoint(body: string): Promise<void> {
  return send('POST', '/api/tools/mcp', { 'content-type': 'application/json', 'x-api-key': key }, body)
}

function readRoutes(): { method: string; path: string }[] {
  // Routes are only listed, not called, so they need no real context.
  const context = {
    changes: { onChange() {}, onSessionEnd() {} },
    closing: new AbortController().signal,
    identification: {},
    ports: { now: () => 0 }
  }
  return apiRoutes(context as unknown as ServerContext).routes.filter(
    ({ method, path }) => method !== 'ALL' && path !== '/events' && path !== '/session'
  )
}

async function sendToRoute(): Promise<void> {
  const { method, path } = random.pick(ROUTES)
  const part = () => encodeURIComponent(randomText().toWellFormed().slice(0, 200))
  const filled = path.replaceAll(/:\w+/g, () => (random.share() < 0.5 ? '999999' : part()))
  const query = random.share() < 0.4 ? `?${random.pick(NAMES)}=${part()}` : ''
  const type = random.pick(['application/json', 'application/json', 'text/plain', 'multipart/form-data; boundary=x'])
  const body = ['POST', 'PATCH'].includes(method) ? randomJson() : undefined
  await send(method, `/api${filled}${query}`, { ...session, 'content-type': type }, body)
}

async function importFile(): Promise<void> {
  const bytes = Buffer.from(random.pick(FILES))
  for (let changes = random.int(4); changes > 0; changes--) bytes[random.int(bytes.length)] = random.int(256)
  const cut = random.share() < 0.3 ? bytes.subarray(0, random.int(bytes.length)) : bytes
  await send('POST', '/api/imports?dry-run=true', session, cut)
}

function send(method: string, path: string, headers: Record<string, string>, body?: string | Buffer): Promise<void> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const target = { host: '127.0.0.1', port: service.port, method, path: path.slice(0, 3000) }
  const timeout = WHOLE_LIBRARY.test(path) ? WHOLE_LIBRARY_TIMEOUT_MS : TIMEOUT_MS
  return new Promise((resolve) => {
    const sent = httpRequest({ ...target, headers: { ...headers, ...length }, agent, timeout }, (answer) => {
      if ((answer.statusCode ?? 0) >= 500) note('failures', `${method} ${path} ${answer.statusCode}`)
      answer.resume().on('close', resolve)
    })
    sent.on('timeout', () => {
      note('hangs', `${method} ${path} took over ${timeout / 1000} s${body ? `: ${body}` : ''}`)
      sent.destroy()
    })
    // A client that is refused early finds its connection closed.
    sent.on('error', () => resolve())
    sent.end(body)
  })
}

/** Sends bytes that may not be HTTP. */
function sendFrame(): Promise<void> {
  const host = `Host: 127.0.0.1:${service.port}`
  const good = `POST /api/tools/mcp HTTP/1.1\r\n${host}\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`
  const parts = [
    good,
    `${good}content-length: 2\r\n\r\n{}`,
    `${good}transfer-encoding: chunked\r\n\r\nffffffff\r\n`,
    'GET / HTTP/1.1\r\n',
    `GET /\\x HTTP/1.1\r\n${host}\r\n\r\n`,
    '\r\n\r\n',
    `${host}\r\n${host}\r\n`,
    'content-length: -1\r\n',
    '\0\xff',
    'PRI * HTTP/2.0\r\n\r\n',
    `GET //${randomText().replace(/[\r\n]/g, '')} HTTP/1.1\r\n${host}\r\n\r\n`,
    `x: ${'y'.repeat(random.int(9000))}\r\n`,
    'expect: 100-continue\r\n'
  ]
  const bytes = Buffer.from(Array.from({ length: 1 + random.int(4) }, () => random.pick(parts)).join(''), 'latin1')
  if (random.share() < 0.3) bytes[random.int(bytes.length)] = random.int(256)
  return new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (/HTTP\/1\.1 5/.test(answer)) note('failures', `frame ${JSON.stringify(bytes.toString('latin1'))}`)
      resolve()
    })
    socket.write(bytes)
    setTimeout(() => socket.destroy(), FRAME_MS)
  })
}

function note(kind: 'failures' | 'hangs', what: string): void {
  count[kind] += 1
  if (count.failures + count.hangs < 10) process.stderr.write(`${what.slice(0, 300)}\n`)
}
