import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNodeProcess } from '../../src-main/host/own-program.ts'
import { openService, type Service } from '../../src-main/service.ts'
import { type RawAnswer, rawRequest } from '../support/http.ts'
import { makeKey, noKeychain, testHost, testService } from '../support/service.ts'

/** Headers of every answer; the content security policy has a test of its own. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin'
}

type Ask = NonNullable<Parameters<typeof rawRequest>[1]>

const JSON_TYPE = { 'content-type': 'application/json' }
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const NOTIFICATION = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
const withKey = { ...JSON_TYPE, 'x-api-key': 'KEY' }

const toEndpoint = (headers: Record<string, string>, body?: string): Ask => {
  return { path: '/api/tools/mcp', method: 'POST', headers, ...(body !== undefined && { body }) }
}

/** Requests that get each kind of answer. `KEY` stands for a valid key. */
const ANSWERS: [status: number, name: string, ask: Ask][] = [
  [200, 'the dashboard', { path: '/' }],
  [404, 'an unknown address', { path: '/nothing' }],
  [401, 'an unknown call of the API', { path: '/api/nothing' }],
  [200, 'a call of a tool', toEndpoint(withKey, CALL)],
  [202, 'a notification', toEndpoint(withKey, NOTIFICATION)],
  [401, 'a call without a key', toEndpoint(JSON_TYPE, CALL)],
  [405, 'a call with GET', { path: '/api/tools/mcp', headers: { 'x-api-key': 'KEY' } }],
  [415, 'a call without a content type', toEndpoint({ 'x-api-key': 'KEY' }, CALL)],
  [413, 'a call that is too large', toEndpoint({ ...withKey, 'content-length': '2000000' })],
  [400, 'a call that is not JSON', toEndpoint(withKey, '{')],
  [404, 'an OAuth client', { path: '/.well-known/oauth-authorization-server' }],
  [401, 'a preflight', { path: '/api/tools/mcp', method: 'OPTIONS' }],
  [401, 'a failed login', { path: '/api/session', method: 'POST', headers: JSON_TYPE, body: '{"token":"wrong"}' }],
  [400, 'a malformed login', { path: '/api/session', method: 'POST', headers: JSON_TYPE, body: '{}' }],
  [403, 'a foreign host', { path: '/', headers: { host: 'evil.example' } }],
  [403, 'a foreign origin', { path: '/', headers: { origin: 'https://evil.example' } }],
  [414, 'a target that is too long', { path: `/${'x'.repeat(2048)}` }],
  [400, 'a target that is an address', { path: 'http://evil.example/' }],
  [400, 'a target with backslashes', { path: '/api\\..\\status' }],
  [404, 'an unknown method', { path: '/', method: 'PROPFIND' }]
]

const bugs: unknown[] = []
let folder = ''
let shared: ReturnType<typeof listening> | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earmark-listen-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const dashboard = makeDashboard()
  const onBug = (error: unknown) => bugs.push(error)
  const service = await openService({
    ...testHost,
    data,
    dashboard,
    keychain: noKeychain,
    startProcess: startNodeProcess,
    onBug
  })
  const { port } = await service.listen(0)
  shared = { service, url: `http://127.0.0.1:${port}`, port, key: await makeKey(service) }
})
afterAll(async () => {
  await shared?.service.close()
  rmSync(folder, { recursive: true, force: true })
  expect(bugs).toEqual([])
})

describe('the security headers', () => {
  test.each(ANSWERS)('are in the %i for %s, which opens nothing to other origins', async (status, _, ask) => {
    const { url, key } = listening()
    const headers = Object.entries(ask.headers ?? {}).map(([name, value]) => [name, value === 'KEY' ? key : value])
    const answer = await rawRequest(url, { ...ask, headers: Object.fromEntries(headers) })
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject(HEADERS)
    expect(policyOf(answer)).toMatchObject({ 'default-src': "'none'" })
    expectClosedToOthers(answer)
  })

  test('open nothing to a page that sends a preflight', async () => {
    const { url } = listening()
    const headers = {
      origin: url,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
      'access-control-request-private-network': 'true'
    }
    expectClosedToOthers(await rawRequest(url, { method: 'OPTIONS', path: '/api/tools/mcp', headers }))
  })
})

describe('an answer by Node itself', () => {
  test.each([
    [431, 'headers over 8 KiB', `GET / HTTP/1.1\r\nHost: HOST\r\nX-Long: ${'x'.repeat(8192)}\r\n\r\n`],
    [400, 'a request that is not HTTP', 'nonsense\r\n\r\n'],
    [400, 'two lengths', 'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      400,
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    ]
  ])('with %i for %s has security headers and no body', async (status, _, text) => {
    const { port } = listening()
    const answer = await exchange(port, text.replace('HOST', `127.0.0.1:${port}`))
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff')
    expect(answer.toLowerCase()).not.toContain('access-control-')
    expect(answer.split('\r\n\r\n')[1]).toBe('')
  })

  test('is replaced for an unknown Expect, with the security headers', async () => {
    const { port } = listening()
    const ask = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nExpect: miracles\r\nConnection: close\r\n\r\n`
    expect((await exchange(port, ask)).toLowerCase()).toMatch(/^http\/1\.1 417 [\s\S]*x-content-type-options: nosniff/)
  })

  test('is not given to headers of just under 8 KiB', async () => {
    const { url } = listening()
    const answer = await rawRequest(url, { path: '/login', headers: { 'x-long': 'x'.repeat(7500) } })
    expect(answer.status).toBe(200)
  })
})

describe('the content security policy', () => {
  test('allows the dashboard its own scripts, styles, images and calls', async () => {
    const { url } = listening()
    const policy = policyOf(await rawRequest(url, { path: '/' }))
    const { 'style-src': style, 'img-src': images, ...rest } = policy
    expect(rest).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'"
    })
    expect(style).toBe("'self' 'unsafe-inline'")
    expect(images?.split(' ').every((source) => ["'self'", 'data:', 'blob:'].includes(source))).toBe(true)
  })
})

describe('caching', () => {
  test.each(['/', '/api/status', '/api/nothing', '/nothing'])('is off for %s', async (path) => {
    const { url } = listening()
    expect((await rawRequest(url, { path })).headers['cache-control']).toBe('no-store')
  })

  test('is permanent for a script whose name changes with its content', async () => {
    const { url } = listening()
    const answer = await rawRequest(url, { path: '/assets/main-abc123.js' })
    expect(answer).toMatchObject({ status: 200, body: '// nothing', headers: HEADERS })
    expect(answer.headers['cache-control']).toContain('immutable')
  })

  test('is off for a missing script', async () => {
    const { url } = listening()
    const answer = await rawRequest(url, { path: '/assets/main-old.js' })
    expect(answer).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
  })
})

describe('the dashboard’s files', () => {
  test.each([
    '/assets/../../outside.txt',
    '/assets/%2e%2e/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/assets/..%5c..%5coutside.txt',
    '/assets//etc/passwd',
    '/../outside.txt',
    '/outside.txt',
    '/assets/%00',
    '/assets/%',
    '/assets'
  ])('do not include %s', async (path) => {
    const { url } = listening()
    const { status } = await rawRequest(url, { path })
    expect([400, 404]).toContain(status)
  })
})

describe('the socket', () => {
  test('accepts connections from this machine only', async () => {
    const { port } = listening()
    const others = [...(process.platform === 'linux' ? ['127.0.0.2'] : []), ...ownAddresses()]
    const outcomes = await Promise.all(others.map((host) => outcomeOf(host, port)))
    expect(await outcomeOf('127.0.0.1', port)).toBe('connected')
    expect(await outcomeOf('::1', port)).toMatch(/connected|EADDRNOTAVAIL|ENETUNREACH/)
    expect(outcomes).toEqual(others.map(() => expect.stringMatching(/ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH/)))
  })

  test('is closed after about five seconds without the end of the headers', { timeout: 15_000 }, async () => {
    const { port } = listening()
    const begun = performance.now()
    await exchange(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `, { end: false })
    const seconds = (performance.now() - begun) / 1000
    expect(seconds).toBeGreaterThan(4.5)
    expect(seconds).toBeLessThan(8)
  })

  test('fails on a port that is taken instead of using another port', async () => {
    const { port } = listening()
    const second = await testService()
    await expect(second.listen(port)).rejects.toMatchObject({
      name: 'Problem',
      code: 'port-taken',
      message: expect.stringMatching(new RegExp(`^Port ${port} is taken .* received the keys .* --port`))
    })
  })

  test('is free after the service closes', async () => {
    const service = await testService()
    const { port, close } = await service.listen(0)
    await close()
    expect(await outcomeOf('127.0.0.1', port)).toBe('ECONNREFUSED')
    const again = await testService()
    expect((await again.listen(port)).port).toBe(port)
  })

  test.for(['127.0.0.1', '[::1]'])('closes its connections on %s with the service', async (host) => {
    const service = await testService()
    const { port, close } = await service.listen(0)
    const socket = connect(port, host.replace(/[[\]]/g, ''))
    const closed = new Promise((resolve) => socket.once('error', () => {}).once('close', resolve))
    // It was accepted before one that is answered. Without IPv6 it is closed already.
    await fetch(`http://${host}:${port}/`).catch(() => {})
    await close()
    await closed
  })

  test('waits for a running request when the service closes', async () => {
    const service = await testService()
    const { port, close } = await service.listen(0)
    const key = await makeKey(service)
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'bookmarks.insert', arguments: { urls: 'https://a.example/' } }
    })
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const lines = [
      'POST /api/tools/mcp HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `x-api-key: ${key}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'expect: 100-continue'
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    const [underWay] = await once(socket, 'data')
    expect(underWay).toContain('100 Continue')
    const closed = close()
    socket.write(body)
    const [answer] = await once(socket, 'data')
    expect(answer).toContain('HTTP/1.1 200')
    await closed
  })
})

test.each([
  ['POST /api/tools;mcp', 401],
  ['POST /api/status', 401],
  ['PATCH /api/settings', 401],
  ['POST /api/session', 400]
])('%s without a body and its length gets %i', async (target, status) => {
  const { port } = listening()
  const head = `host: 127.0.0.1:${port}\r\ncontent-type: application/json\r\nconnection: close\r\n`
  const text = await exchange(port, `${target} HTTP/1.1\r\n${head}\r\n`)
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

describe('a body that is not read', () => {
  const large = 'content-length: 100000000'
  const unknown = 'transfer-encoding: chunked'
  const REFUSED: [what: string, target: string, head: string, status: number][] = [
    ['without a key', 'POST /api/tools/mcp', large, 401],
    ['without a key', 'POST /api/tools/mcp', unknown, 401],
    ['that is too large', 'POST /api/tools/mcp', `${large}\r\ncontent-type: application/json\r\nx-api-key: KEY`, 413],
    ['at an unknown address', 'POST /api/tools/other', large, 404],
    ['at an unknown address', 'POST /nothing', unknown, 404],
    ['without a session', 'POST /api/imports', large, 401],
    ['without a session', 'POST /api/keys', unknown, 401],
    ['that is too large', 'POST /api/session', large, 413],
    ['of unknown size', 'POST /api/session', unknown, 411],
    ['of a foreign page', 'POST /api/session', `${large}\r\norigin: https://evil.example`, 403]
  ]

  test.each(REFUSED)('%s is answered although it never arrives: %s, %s, %i', async (_, target, head, status) => {
    const { port, key } = listening()
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    socket.write(`${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${head.replace('KEY', key)}\r\n\r\n`)
    const [text] = await once(socket, 'data')
    socket.destroy()
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test.each(REFUSED.filter(([, , head]) => head.startsWith(large)))(
    '%s of 100 MB is answered while the client sends it: %s, %s, %i',
    async (_, target, head, status) => {
      const { port, key } = listening()
      const ask = `${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${head.replace('KEY', key)}\r\n\r\n`
      for (let times = 0; times < 5; times += 1) {
        const socket = connect(port, '127.0.0.1').on('error', () => {})
        const answer = once(socket.setEncoding('latin1'), 'data')
        socket.write(ask)
        const piece = Buffer.alloc(65_536)
        let sent = 0
        const send = () => {
          while (socket.writable && sent < 100_000_000) {
            sent += piece.length
            if (!socket.write(piece)) return
          }
        }
        socket.on('drain', send)
        send()
        expect(String(await answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
        socket.destroy()
      }
    }
  )

  test('of a few bytes keeps the connection open', async () => {
    const { port } = listening()
    const ask = `POST /api/tools/other HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 2\r\n`
    const text = await exchange(port, `${ask}\r\n{}${ask}connection: close\r\n\r\n{}`)
    expect(text.match(/HTTP\/1.1 404/g)).toHaveLength(2)
  })
})

describe('a request with Expect: 100-continue', () => {
  const ask = (port: number, host: string) =>
    `POST /api/tools/other HTTP/1.1\r\nhost: ${host}:${port}\r\nexpect: 100-continue\r\nconnection: close\r\n` +
    'content-length: 2\r\n\r\n'

  test('is refused by the gate without a 100', async () => {
    const { port } = listening()
    expect(await exchange(port, ask(port, 'evil.example'))).toMatch(/^HTTP\/1.1 403 /)
  })

  test('gets a 100 after the gate', async () => {
    const { port } = listening()
    expect(await exchange(port, `${ask(port, '127.0.0.1')}{}`)).toMatch(/^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 404 /)
  })
})

test('a request is answered although garbage follows it', async () => {
  const { port, key } = listening()
  const head = `POST /api/tools/mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${key}\r\n`
  const good = `${head}content-type: application/json\r\ncontent-length: ${CALL.length}\r\n\r\n${CALL}`
  for (const garbage of ['\0\x01garbage\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n']) {
    const text = await exchange(port, good + garbage)
    expect(text).toMatch(/^HTTP\/1.1 200 /)
    expect(text).toContain('bookmarks.search')
  }
})

/** The service of this file. */
function listening(): { url: string; port: number; key: string; service: Service } {
  if (!shared) throw new Error('the service runs only within tests')
  return shared
}

/** A dashboard of two files, and another file next to its folder. */
function makeDashboard(): string {
  const dashboard = join(folder, 'dashboard')
  mkdirSync(join(dashboard, 'assets'), { recursive: true })
  writeFileSync(join(dashboard, 'index.html'), '<!doctype html><script src="/assets/main-abc123.js"></script>')
  writeFileSync(join(dashboard, 'assets/main-abc123.js'), '// nothing')
  writeFileSync(join(folder, 'outside.txt'), 'secret')
  return dashboard
}

function policyOf({ headers }: RawAnswer): Record<string, string> {
  const text = String(headers['content-security-policy'])
  return Object.fromEntries(text.split(';').map((part) => part.trim().split(/ (.*)/s).slice(0, 2)))
}

function expectClosedToOthers({ headers }: RawAnswer): void {
  expect(Object.keys(headers).filter((name) => /^access-control-|^strict-transport/.test(name))).toEqual([])
}

/** Sends these bytes and returns all bytes received until the socket closes. */
function exchange(port: number, text: string, { end = true } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: !end }).setEncoding('latin1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('end', () => {
      socket.destroy()
      resolve(answer)
    })
    socket.write(text, 'latin1')
  })
}

function outcomeOf(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    socket.on('connect', () => {
      socket.destroy()
      resolve('connected')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
}
