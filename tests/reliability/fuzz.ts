/**
 * Sends the service what no client should: bytes that are no HTTP, JSON that is none, JSON-RPC and arguments of any
 * shape, anything at every address of the dashboard, and broken files of every format. The same seed sends the same.
 *
 * The planted fault is a service that is stopped (SIGSTOP) in the middle.
 */
import { existsSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { apiRoutes } from '../../src-main/server/app.ts'
import type { ServerContext } from '../../src-main/server/context.ts'
import { logIn } from '../support/log-in.ts'
import { randomFrom } from '../support/random.ts'
import { below, call, type Figure, makeKey, options, report, rssOf, start, tempFolder, tried } from './support.ts'

const INPUTS = options.n(200_000)
const WORKERS = 8
const PATIENCE_MS = 2000
const next = randomFrom(options.seed)
const below_ = (count: number) => Math.floor(next() * count)
const pick = <T>(all: readonly T[]): T => all[below_(all.length)] as T

const data = tempFolder()
const key = makeKey(data)
// With little room V8 collects what nobody needs any more, and what grows is what is kept.
const service = await start(data, { env: { NODE_OPTIONS: '--max-old-space-size=160' } })
const session = await logIn(service)
const agent = new Agent({ keepAlive: true, maxSockets: WORKERS })
await call(service.url, key, 'bookmarks.insert', {
  urls: ['https://known.example/orchid', 'https://known.example/walrus']
})
const KNOWN = JSON.stringify((await call(service.url, key, 'bookmarks.search', { domain: 'known.example' })).payload)

let failures = 0
let hangs = 0
let crashes = 0
let sent = 0
let before = 0
service.child.once('exit', () => (crashes += 1))
const ROUTES = routes()
const TEXTS = [
  '',
  'a',
  '"',
  '\\',
  '\0',
  '\u202e',
  '\ud800',
  '日本',
  '*',
  'NEAR(',
  "' OR 1=1",
  '-1',
  '1e400',
  '../',
  '%00',
  '{}'
]

const NAMES =
  'search tags domain type visibility page limit urls name arguments id params __proto__ constructor toString'
    .concat(' title url content description ids change kind format query words from into')
    .split(' ')

/** One file of every format that is imported. */
const FILES = [
  '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><H3 ADD_DATE="1">F</H3>\n<DL><p>\n<DT><A HREF="https://a.example/" TAGS="x,y">A</A>\n<DD>d\n</DL><p></DL>',
  '{"version":1,"roots":{"bookmark_bar":{"children":[{"name":"A","type":"url","url":"https://a.example/","date_added":"13245678900123456"}],"name":"B","type":"folder"}}}',
  '{"guid":"root________","typeCode":2,"children":[{"typeCode":1,"uri":"https://a.example/","title":"A","index":0,"tags":"x,y"}]}',
  'title,url,time_added,tags,status\nA,https://a.example/,1,x|y,unread\n',
  'id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n1,A,"n\nm",e,https://a.example/,A/B,"x, y",2020-01-01T00:00:00Z,,,false\n',
  '{"bookmarks":[{"createdAt":1,"title":"A","tags":["x"],"lists":[],"content":{"type":"link","url":"https://a.example/"},"note":null,"archived":false}],"lists":[]}',
  '{"collections":[{"id":1,"name":"C","parentId":null,"links":[{"name":"A","url":"https://a.example/","description":"","tags":[{"name":"x"}],"createdAt":"2020-01-01T00:00:00Z"}]}]}',
  '[{"is_archived":0,"is_starred":1,"tags":["x"],"title":"A","url":"https://a.example/","content":"c","created_at":"2020-01-01T00:00:00+00:00"}]',
  'https://a.example/ | A | B\nhttps://b.example/\n# c\n',
  '{"format":"earmark","version":1,"createdAt":"2020-01-01T00:00:00.000Z"}\n{"organization":{"name":"O","createdAt":"2020-01-01T00:00:00.000Z"}}\n{"end":{"sha256":"0"}}\n',
  'mozLz40\0\x08\0\0\0\x80{"a":1}',
  'PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0\x05\0\0\0\x05\0\0\0a.csvhello'
].map((file) => Buffer.from(file, 'latin1'))

await Promise.all(Array.from({ length: WORKERS }, work))
service.child.kill('SIGCONT')
const more = (rssOf(service.child.pid) - before) / 1_000_000
const known = JSON.stringify((await call(service.url, key, 'bookmarks.search', { domain: 'known.example' })).payload)
const hasLog = existsSync(join(data, 'earmark.log'))
service.child.removeAllListeners('exit')
await service.end('SIGTERM')

const none = (what: string, count: number): Figure => ({ what, value: String(count), target: '0', met: count === 0 })
report('fuzz', [
  tried('inputs', sent, INPUTS),
  none('crashes', crashes),
  none('hangs over 2 s', hangs),
  none('5xx', failures),
  below('memory', more, 50, 'MB'),
  {
    what: 'a known search',
    value: known === KNOWN ? 'identical' : 'another',
    target: 'identical',
    met: known === KNOWN
  },
  { what: 'lines in the log of bugs', value: hasLog ? 'some' : '0', target: '0', met: !hasLog }
])

async function work(): Promise<void> {
  while (sent < INPUTS && crashes === 0 && hangs < 10) {
    sent += 1
    // What is loaded and kept once is not what grows.
    if (sent === Math.floor(INPUTS / 4)) before = rssOf(service.child.pid)
    if (options.plant && sent === Math.floor(INPUTS / 2)) service.child.kill('SIGSTOP')
    const kind = next()
    if (kind < 0.1) await frame()
    else if (kind < 0.2) await endpoint(json())
    else if (kind < 0.4) await endpoint(rpc())
    else if (kind < 0.7) await endpoint(toolCall())
    else if (kind < 0.95) await route()
    else await importFile()
  }
}

function text(): string {
  return Array.from({ length: below_(6) }, () => (next() < 0.05 ? 'x'.repeat(below_(20_000)) : pick(TEXTS))).join('')
}

function value(depth = 0): unknown {
  const kind = below_(depth > 4 ? 5 : 8)
  if (kind < 2) return text()
  if (kind === 2) return pick([0, -1, 1.5, 1e21, 5, 2 ** 53, Number.MAX_VALUE, -0])
  if (kind === 3) return pick([null, true, false])
  if (kind === 4) return pick(['https://a.example/', 'javascript:1', 'http://127.0.0.1/', `https://${text()}.example/`])
  if (kind === 5) return Array.from({ length: below_(5) }, () => value(depth + 1))
  return Object.fromEntries(Array.from({ length: below_(5) }, () => [pick(NAMES), value(depth + 1)]))
}

function json(): string {
  const written = next() < 0.05 ? '['.repeat(below_(100_000)) : JSON.stringify(value())
  const at = below_(written.length)
  return next() < 0.5 ? written.slice(0, at) + pick(['', '}', '"', ',', '\0']) + written.slice(at + 1) : written
}

function rpc(): string {
  return JSON.stringify({
    jsonrpc: next() < 0.9 ? '2.0' : value(),
    id: next() < 0.8 ? 1 : value(),
    method: pick(['initialize', 'tools/list', 'tools/call', 'ping', 'notifications/x', '', text()]),
    params: value()
  })
}

function toolCall(): string {
  const names = ['search', 'tags', 'domain', 'type', 'visibility', 'page', 'limit', 'urls']
  const args = Object.fromEntries(Array.from({ length: below_(5) }, () => [pick(names), value(3)]))
  const name = pick(['bookmarks.search', 'bookmarks.search', 'bookmarks.insert', text()])
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
}

function endpoint(body: string): Promise<void> {
  return send('POST', '/api/tools/mcp', { 'content-type': 'application/json', 'x-api-key': key }, body)
}

function routes(): { method: string; path: string }[] {
  const nothing = {
    changes: { onChange() {}, onSessionEnd() {} },
    onClose() {},
    identification: {},
    ports: { now: () => 0 }
  }
  return apiRoutes(nothing as unknown as ServerContext)
    .routes.filter(({ method, path }) => method !== 'ALL' && path !== '/events' && path !== '/session')
    .map(({ method, path }) => ({ method, path }))
}

async function route(): Promise<void> {
  const { method, path } = pick(ROUTES)
  const filled = path.replaceAll(/:\w+/g, () =>
    encodeURIComponent(next() < 0.5 ? '999999' : text().toWellFormed().slice(0, 200))
  )
  const query = next() < 0.4 ? `?${pick(NAMES)}=${encodeURIComponent(text().toWellFormed().slice(0, 200))}` : ''
  const type = pick(['application/json', 'application/json', 'text/plain', 'multipart/form-data; boundary=x'])
  const body = ['POST', 'PATCH'].includes(method) ? json() : undefined
  await send(method, `/api${filled}${query}`, { ...session, 'content-type': type }, body)
}

async function importFile(): Promise<void> {
  const bytes = Buffer.from(pick(FILES))
  for (let times = below_(4); times > 0 && bytes.length > 0; times--) bytes[below_(bytes.length)] = below_(256)
  const cut = next() < 0.3 ? bytes.subarray(0, below_(bytes.length)) : bytes
  await send('POST', '/api/imports?dry-run=true', session, cut)
}

function send(method: string, path: string, headers: Record<string, string>, body?: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    const asked = httpRequest(
      {
        port: service.port,
        host: '127.0.0.1',
        method,
        path: path.slice(0, 3000),
        headers,
        agent,
        timeout: PATIENCE_MS
      },
      (answer) => {
        if ((answer.statusCode ?? 0) >= 500) noteFailure(`${method} ${path} ${answer.statusCode}`)
        answer.resume().on('close', resolve)
      }
    )
    asked.on('timeout', () => {
      hangs += 1
      note(`${method} ${path} took over 2 s${body ? `: ${body}` : ''}`)
      asked.destroy()
    })
    // Who is refused early finds the connection closed.
    asked.on('error', () => resolve())
    if (body === undefined) asked.end()
    else asked.setHeader('content-length', Buffer.byteLength(body)) && asked.end(body)
  })
}

function noteFailure(what: string): void {
  failures += 1
  note(what)
}

function note(what: string): void {
  if (failures + hangs < 10) process.stderr.write(`${what.slice(0, 300)}\n`)
}

/** Bytes that may be no HTTP. */
function frame(): Promise<void> {
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
    `GET //${text().replace(/[\r\n]/g, '')} HTTP/1.1\r\n${host}\r\n\r\n`,
    `x: ${'y'.repeat(below_(9000))}\r\n`,
    'expect: 100-continue\r\n'
  ]
  const bytes = Buffer.from(Array.from({ length: 1 + below_(4) }, () => pick(parts)).join(''), 'latin1')
  if (next() < 0.3) bytes[below_(bytes.length)] = below_(256)
  return new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (/HTTP\/1\.1 5/.test(answer)) noteFailure(`frame ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}`)
      resolve()
    })
    socket.write(bytes)
    // What is incomplete waits for more: the service gives it up by itself, later than can be waited for here.
    setTimeout(() => socket.destroy(), 20)
  })
}
