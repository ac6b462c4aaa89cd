import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { openService, type Service } from '../../src-main/service.ts'
import { type RawAnswer, rawRequest } from '../support/http.ts'
import { makeKey, noKeychain, testService } from '../support/service.ts'

/** From security.md; the content policy has a test of its own. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin'
}

type Ask = Parameters<typeof rawRequest>[1]

const JSON_TYPE = { 'content-type': 'application/json' }
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

/** Requests that get every kind of answer there is. `KEY` stands for a valid key. */
const ANSWERS: [string, number, Ask][] = [
  ['the dashboard', 200, { path: '/' }],
  ['the login page', 200, { path: '/login' }],
  ['nothing at this address', 404, { path: '/nothing' }],
  ['nothing below the API', 401, { path: '/api/nothing' }],
  [
    'a call of a tool',
    200,
    { path: '/api/tools/mcp', method: 'POST', headers: { ...JSON_TYPE, 'x-api-key': 'KEY' }, body: CALL }
  ],
  [
    'a notification',
    202,
    {
      path: '/api/tools/mcp',
      method: 'POST',
      headers: { ...JSON_TYPE, 'x-api-key': 'KEY' },
      body: '{"jsonrpc":"2.0","method":"notifications/initialized"}'
    }
  ],
  ['a call without a key', 401, { path: '/api/tools/mcp', method: 'POST', headers: JSON_TYPE, body: CALL }],
  ['a call with GET', 405, { path: '/api/tools/mcp', headers: { 'x-api-key': 'KEY' } }],
  [
    'a call of another type',
    415,
    { path: '/api/tools/mcp', method: 'POST', headers: { 'x-api-key': 'KEY' }, body: CALL }
  ],
  [
    'a call that is too large',
    413,
    {
      path: '/api/tools/mcp',
      method: 'POST',
      headers: { ...JSON_TYPE, 'x-api-key': 'KEY', 'content-length': '2000000' }
    }
  ],
  [
    'a call that is no JSON',
    400,
    { path: '/api/tools/mcp', method: 'POST', headers: { ...JSON_TYPE, 'x-api-key': 'KEY' }, body: '{' }
  ],
  ['an OAuth client', 404, { path: '/.well-known/oauth-authorization-server' }],
  ['a preflight', 401, { path: '/api/tools/mcp', method: 'OPTIONS' }],
  ['a login that failed', 401, { path: '/api/session', method: 'POST', headers: JSON_TYPE, body: '{"token":"wrong"}' }],
  ['a login that makes no sense', 400, { path: '/api/session', method: 'POST', headers: JSON_TYPE, body: '{}' }],
  ['a call without a session', 401, { path: '/api/status' }],
  ['a foreign host', 403, { path: '/', headers: { host: 'evil.example' } }],
  ['a foreign origin', 403, { path: '/', headers: { origin: 'https://evil.example' } }],
  ['a foreign site', 403, { path: '/', headers: { 'sec-fetch-site': 'cross-site' } }],
  ['a target that is too long', 414, { path: `/${'x'.repeat(2048)}` }],
  ['a target that is an address', 400, { path: 'http://evil.example/' }],
  ['a target with a backslash', 400, { path: '/\\evil.example/x' }],
  ['a target with backslashes', 400, { path: '/api\\..\\status' }],
  ['a method nobody knows', 404, { path: '/', method: 'PROPFIND' }]
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
    data,
    version: '0.0.0-test',
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

describe('every answer carries the security headers and opens nothing to other origins', () => {
  test.each(ANSWERS)('to %s (%i)', async (_, status, ask) => {
    const { url, key } = listening()
    const headers = Object.entries(ask?.headers ?? {}).map(([name, value]) => [name, value === 'KEY' ? key : value])
    const answer = await rawRequest(url, { ...ask, headers: Object.fromEntries(headers) })
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject(HEADERS)
    expect(policyOf(answer)).toMatchObject({ 'default-src': "'none'" })
    expectClosedToOthers(answer)
  })

  test('even to a page that asks whether it may', async () => {
    const { url } = listening()
    const answer = await rawRequest(url, {
      method: 'OPTIONS',
      path: '/api/tools/mcp',
      headers: {
        origin: url,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key',
        'access-control-request-private-network': 'true'
      }
    })
    expectClosedToOthers(answer)
  })
})

describe('what Node answers before we see the request', () => {
  test.each([
    ['headers over 8 KiB', 431, `GET / HTTP/1.1\r\nHost: HOST\r\nX-Long: ${'x'.repeat(8192)}\r\n\r\n`],
    ['what is no HTTP', 400, 'nonsense\r\n\r\n'],
    ['two lengths', 400, 'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      400,
      'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    ]
  ])('to %s is %i, opens nothing and tells nothing', async (_, status, text) => {
    const { port } = listening()
    const answer = await exchange(port, text.replace('HOST', `127.0.0.1:${port}`))
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer.toLowerCase()).not.toContain('access-control-')
    expect(answer.split('\r\n\r\n')[1]).toBe('')
  })

  test.each([
    [400, 'nonsense\r\n\r\n'],
    [431, `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(8192)}\r\n\r\n`],
    [417, 'GET / HTTP/1.1\r\nHost: HOST\r\nExpect: miracles\r\nConnection: close\r\n\r\n']
  ])('with %i carries the security headers too', async (_, text) => {
    const { port } = listening()
    const answer = await exchange(port, text.replace('HOST', `127.0.0.1:${port}`))
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff')
  })
})

describe('sizes', () => {
  test('headers of just under 8 KiB are taken', async () => {
    const { url } = listening()
    const answer = await rawRequest(url, { path: '/login', headers: { 'x-long': 'x'.repeat(7500) } })
    expect(answer.status).toBe(200)
  })

  test('a target of 2 KiB is taken, one character more is refused', async () => {
    const { url } = listening()
    const sizes = await Promise.all([2048, 2049].map((size) => rawRequest(url, { path: `/${'x'.repeat(size - 1)}` })))
    expect(sizes.map(({ status }) => status)).toEqual([404, 414])
  })
})

describe('the content policy', () => {
  test('allows our own page what it needs and nothing else', async () => {
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

describe('what may be kept', () => {
  test.each(['/', '/api/status', '/api/nothing', '/nothing'])('nothing of %s', async (path) => {
    const { url } = listening()
    expect((await rawRequest(url, { path })).headers['cache-control']).toBe('no-store')
  })

  test('for good, a script whose name changes with its content', async () => {
    const { url } = listening()
    const answer = await rawRequest(url, { path: '/assets/main-abc123.js' })
    expect(answer).toMatchObject({ status: 200, body: '// nothing', headers: HEADERS })
    expect(answer.headers['cache-control']).toContain('immutable')
  })

  test('nothing of a script that is not there', async () => {
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
  ])('are all there is: %s is not found', async (path) => {
    const { url } = listening()
    const { status } = await rawRequest(url, { path })
    expect([400, 404]).toContain(status)
  })
})

describe('the socket', () => {
  test('is this machine’s only', async () => {
    const { port } = listening()
    const others = [...(process.platform === 'linux' ? ['127.0.0.2'] : []), ...ownAddresses()]
    const outcomes = await Promise.all(others.map((host) => outcomeOf(host, port)))
    expect(await outcomeOf('127.0.0.1', port)).toBe('connected')
    expect(await outcomeOf('::1', port)).toMatch(/connected|EADDRNOTAVAIL|ENETUNREACH/)
    expect(outcomes).toEqual(others.map(() => expect.stringMatching(/ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH/)))
  })

  test('is cut after about five seconds where the headers do not end', { timeout: 15_000 }, async () => {
    const { port } = listening()
    const begun = performance.now()
    await exchange(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `, { end: false })
    const seconds = (performance.now() - begun) / 1000
    expect(seconds).toBeGreaterThan(4.5)
    expect(seconds).toBeLessThan(8)
  })

  test('of a port that another Earmark has says so, and no other port is used', async () => {
    const { port } = listening()
    const second = await testService()
    await expect(second.listen(port)).rejects.toMatchObject({
      name: 'Problem',
      code: 'port-taken',
      message: expect.stringMatching(new RegExp(`^Another Earmark, .* is running on port ${port}\\.`))
    })
  })

  test('is free again once the service is closed', async () => {
    const service = await testService()
    const { port, close } = await service.listen(0)
    await close()
    expect(await outcomeOf('127.0.0.1', port)).toBe('ECONNREFUSED')
    const again = await testService()
    expect((await again.listen(port)).port).toBe(port)
  })

  test.for(['127.0.0.1', '[::1]'])('leaves nobody connected on %s once the service is closed', async (host) => {
    const service = await testService()
    const { port, close } = await service.listen(0)
    const socket = connect(port, host.replace(/[[\]]/g, ''))
    const closed = new Promise((resolve) => socket.once('error', () => {}).once('close', resolve))
    // It was taken before one that is answered. Where the machine has no IPv6, it is closed already.
    await fetch(`http://${host}:${port}/`).catch(() => {})
    await close()
    await closed
  })

  test('waits for a request under way when the service is closed', async () => {
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
])('%s without a body and without its size is answered %i', async (target, status) => {
  const { port } = listening()
  const head = `host: 127.0.0.1:${port}\r\ncontent-type: application/json\r\nconnection: close\r\n`
  const text = await exchange(port, `${target} HTTP/1.1\r\n${head}\r\n`)
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

describe('a body that nobody reads', () => {
  const large = 'content-length: 100000000'
  const unknown = 'transfer-encoding: chunked'
  test.each([
    ['without a key', 'POST /api/tools/mcp', large, 401],
    ['without a key', 'POST /api/tools/mcp', unknown, 401],
    ['at no address', 'POST /api/tools/other', large, 404],
    ['at no address', 'POST /nothing', unknown, 404],
    ['without a session', 'POST /api/imports', large, 401],
    ['without a session', 'POST /api/keys', unknown, 401],
    ['of unknown size', 'POST /api/session', unknown, 411]
  ])('%s ends the connection: %s, %s, %i', async (_, target, size, status) => {
    const { port } = listening()
    const text = await exchange(port, `${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${size}\r\n\r\n`)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(text).toMatch(/^connection: close\r$/im)
  })

  test('is answered where it is still sent', async () => {
    const { port } = listening()
    const ask = `POST /api/tools/mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${large}\r\n\r\n`
    for (let times = 0; times < 10; times += 1) {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.setEncoding('latin1').on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => {})
      socket.write(ask)
      const piece = Buffer.alloc(65_536)
      const send = () => socket.writable && socket.write(piece) && setImmediate(send)
      socket.on('drain', send)
      send()
      const begun = performance.now()
      await once(socket, 'close')
      expect(text).toMatch(/^HTTP\/1.1 401 /)
      expect(performance.now() - begun).toBeLessThan(5000)
    }
  })

  test('ends the connection of who guesses keys', async () => {
    const { port } = await (await testService()).listen(0)
    const ask = `POST /api/tools/mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${large}\r\n\r\n`
    const answers = await Promise.all(Array.from({ length: 120 }, () => exchange(port, ask)))
    const refused = answers.filter((text) => text.startsWith('HTTP/1.1 429'))
    expect(refused.length).toBeGreaterThan(0)
    for (const text of refused) expect(text).toMatch(/^connection: close\r$/im)
  })

  test('of little size costs nobody the connection', async () => {
    const { port } = listening()
    const ask = `POST /api/tools/other HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 2\r\n`
    const text = await exchange(port, `${ask}\r\n{}${ask}connection: close\r\n\r\n{}`)
    expect(text.match(/HTTP\/1.1 404/g)).toHaveLength(2)
  })
})

describe('a request that asks whether it may go on', () => {
  const ask = (port: number, host: string) =>
    `POST /api/tools/other HTTP/1.1\r\nhost: ${host}:${port}\r\nexpect: 100-continue\r\nconnection: close\r\n` +
    'content-length: 2\r\n\r\n'

  test('is refused at the gate without being told to', async () => {
    const { port } = listening()
    expect(await exchange(port, ask(port, 'evil.example'))).toMatch(/^HTTP\/1.1 403 /)
  })

  test('goes on behind it', async () => {
    const { port } = listening()
    expect(await exchange(port, `${ask(port, '127.0.0.1')}{}`)).toMatch(/^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 404 /)
  })
})

test('a request with garbage behind it is answered', async () => {
  const { port, key } = listening()
  const head = `POST /api/tools/mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${key}\r\n`
  const good = `${head}content-type: application/json\r\ncontent-length: ${CALL.length}\r\n\r\n${CALL}`
  for (const garbage of ['\0\x01garbage\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n']) {
    const text = await exchange(port, good + garbage)
    expect(text).toMatch(/^HTTP\/1.1 200 /)
    expect(text).toContain('bookmarks.search')
  }
})

describe('two headers where there must be one', () => {
  test.each([
    ['Host', 403],
    ['Origin', 403]
  ])('%s are refused even if both are ours', async (name, status) => {
    const { port } = listening()
    const value = name === 'Host' ? `127.0.0.1:${port}` : `http://127.0.0.1:${port}`
    const host = name === 'Host' ? '' : `Host: 127.0.0.1:${port}\r\n`
    const text = `GET / HTTP/1.1\r\n${host}${name}: ${value}\r\n${name}: ${value}\r\nConnection: close\r\n\r\n`
    expect(await exchange(port, text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  test('x-api-key are refused even if both are valid', async () => {
    const { url, key } = listening()
    const headers = { ...JSON_TYPE, 'x-api-key': [key, key] }
    const answer = await rawRequest(url, { path: '/api/tools/mcp', method: 'POST', headers, body: CALL })
    expect(answer.status).toBe(401)
  })
})

/** The service of this file. */
function listening(): { url: string; port: number; key: string; service: Service } {
  if (!shared) throw new Error('the service runs only within tests')
  return shared
}

/** A dashboard of two files, with another file beside its folder. */
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

/** Sends these bytes and gives all that comes back until the socket closes. */
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
