import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHostLocks, type FetchOptions, fetchGuarded } from '../../src-main/web/fetch-guarded.ts'
import { guardedAgent } from '../../src-main/web/guarded-agent.ts'
import { MAX_BYTES, MAX_PDF_BYTES, WebFault } from '../../src-main/web/site-answer.ts'
import {
  type Answering,
  PUBLIC_ADDRESS,
  page,
  redirect,
  silence,
  startTestWeb,
  type TestWeb
} from '../support/test-web.ts'
import { PRIVATE_PAGES } from './private-addresses.ts'

/** Fetches over the test web; what is wrong comes as the fault's name. */
function fetcher(web: TestWeb, more: Partial<FetchOptions> = {}) {
  const agent = guardedAgent(web.wire)
  onTestFinished(() => agent.destroy())
  const options = { agent, hostLocks: createHostLocks(), userAgent: 'Earmark/test', patience: 10_000, ...more }
  return {
    get: (url: string, signal = new AbortController().signal) => fetchGuarded(url, options, signal),
    fault: async (url: string) => {
      const error = await fetchGuarded(url, options, new AbortController().signal).catch((caught) => caught)
      if (!(error instanceof WebFault)) throw new Error(`${url} was fetched, or failed unexpectedly: ${error}`)
      return error.fault
    }
  }
}

async function webOf(pages: Record<string, Answering>, resolve?: (host: string) => string[]): Promise<TestWeb> {
  return startTestWeb((target) => pages[target], resolve)
}

test('a private address is refused in every notation', async () => {
  expect(new Set(PRIVATE_PAGES).size).toBeGreaterThanOrEqual(40)
  const web = await startTestWeb(() => page('private'))
  const { fault } = fetcher(web)
  for (const address of PRIVATE_PAGES) expect([address, await fault(address)]).toEqual([address, 'address'])
  expect(web.connections()).toBe(0)
})

test('public host names and numeric addresses are reached', async () => {
  const web = await startTestWeb(() => page('here'))
  const { get } = fetcher(web)
  for (const address of ['http://a.example/', 'https://b.example/', 'http://8.8.8.8/', 'http://[2606:4700::1111]/']) {
    expect(Buffer.from((await get(address)).bytes).toString()).toBe('here')
  }
  expect(web.asked).toEqual(['a.example/', 'b.example/', '8.8.8.8/', '[2606:4700::1111]/'])
})

test.for([
  ['127.0.0.1'],
  ['::1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['::ffff:192.168.1.1'],
  [PUBLIC_ADDRESS, '127.0.0.1'],
  ['fd00::1', PUBLIC_ADDRESS]
])('a name that leads to %j is not connected to', async (addresses) => {
  const web = await webOf({ 'inside.example/': page('private') }, () => addresses)
  expect(await fetcher(web).fault('http://inside.example/')).toBe('address')
  expect(web.connections()).toBe(0)
})

test.for([
  ['192.0.2.7/24', ['8.8.8.8', '2606:4700::1111'], 'of another network', false],
  ['93.184.216.9/24', [PUBLIC_ADDRESS], 'of its IPv4 network', true],
  ['93.184.216.9/24', ['::ffff:93.184.216.34'], 'of its IPv4 network, mapped', true],
  ['93.184.216.9/24', ['64:ff9b::5db8:d822'], 'of its IPv4 network, by way of NAT64', true],
  ['93.184.216.9/24', ['2606:4700::1111', PUBLIC_ADDRESS], 'of its network and another', true],
  ['2001:4860:1:2::5/64', ['2001:4860:1:2::1'], 'of its IPv6 network', true],
  ['2001:4860:1:2::5/64', ['2001:4860:1:3::1'], 'of the IPv6 network beside it', true],
  ['2001:4860:1:2::5/128', ['2001:4860:1:2::1'], 'of its IPv6 network, where only its own address is told', true],
  ['2001:4860:1:2::5/64', ['2001:4860:2:2::1'], 'of another IPv6 site', false]
] as const)('in %s, of %j, an address %s is refused: %s', async ([network, addresses, , refused]) => {
  const web = await webOf({ 'router.example/': page('router') }, () => [...addresses])
  web.wire.networks = () => ['127.0.0.1/8', 'fe80::1/64', network]
  const { get, fault } = fetcher(web)
  const first = addresses[0]
  const figures = first.includes(':') ? `[${first}]` : first
  if (!refused) return expect((await get('http://router.example/')).bytes.length).toBe(6)
  expect(await fault('http://router.example/')).toBe('address')
  if (addresses.length === 1) expect(await fault(`http://${figures}/`)).toBe('address')
  expect(web.connections()).toBe(0)
})

test('this machine’s networks are looked up for each connection', async () => {
  const web = await webOf({ 'a.example/': page('here') })
  const networks = ['192.0.2.7/24']
  web.wire.networks = () => networks
  const { get, fault } = fetcher(web)
  await get('http://a.example/')
  networks.push(`${PUBLIC_ADDRESS}/32`)
  expect(await fault('http://a.example/')).toBe('address')
  expect(web.connections()).toBe(1)
})

test('a DNS answer that changes is used only if it is public', async () => {
  const answers: string[] = []
  const web = await webOf({ 'flip.example/': page('once', { connection: 'close' }) }, () => {
    const address = answers.length % 2 === 0 ? PUBLIC_ADDRESS : '127.0.0.1'
    answers.push(address)
    return [address]
  })
  const { get } = fetcher(web)
  let reached = 0
  for (let attempt = 0; attempt < 20; attempt++)
    await get('http://flip.example/').then(
      () => reached++,
      () => {}
    )
  expect(answers).toHaveLength(20)
  expect(reached).toBe(10)
  expect(web.connections()).toBe(10)
})

test('a redirect to a private address is refused in every notation', async () => {
  const web = await startTestWeb((target) => {
    const index = /^go\.example\/(\d+)$/.exec(target)?.[1]
    return index === undefined ? page('private') : redirect(PRIVATE_PAGES[Number(index)] ?? '')
  })
  const { fault } = fetcher(web)
  for (const index of PRIVATE_PAGES.keys()) expect(await fault(`http://go.example/${index}`)).toBe('address')
  expect(web.asked).toHaveLength(PRIVATE_PAGES.length)
})

test.for([
  'http://a.example:8080/',
  'http://a.example:22/',
  'https://a.example:6379/',
  'ftp://a.example/',
  'file:///etc/passwd',
  'data:text/html,hi',
  'javascript:alert(1)',
  'nothing'
])('%s is not fetched', async (address) => {
  const web = await webOf({ 'go.example/': redirect(address), 'a.example/': page('wrong') })
  const { fault } = fetcher(web)
  expect(await fault(address)).toBe('address')
  if (address !== 'nothing') expect(await fault('http://go.example/')).toBe('address')
})

test('20 redirects are followed, the 21st is not', async () => {
  const web = await startTestWeb((target) => {
    const left = Number(/\/(\d+)$/.exec(target)?.[1])
    return left === 0 ? page('there') : redirect(`/${left - 1}`)
  })
  const { get, fault } = fetcher(web)
  expect((await get('http://go.example/20')).url).toBe('http://go.example/0')
  expect(await fault('http://go.example/21')).toBe('redirects')
})

test('a redirect’s raw bytes are requested unchanged, UTF-8 or not', async () => {
  const web = await webOf({
    'a.example/utf-8': redirect('/статья/пример?q=ё'),
    'a.example/latin-1': (_, response) => void response.writeHead(302, { location: '/caf\xe9' }).end(),
    'a.example/host': redirect('//пример.example/'),
    'a.example/encoded': redirect('/%D1%91 x'),
    'a.example/%D1%81%D1%82%D0%B0%D1%82%D1%8C%D1%8F/%D0%BF%D1%80%D0%B8%D0%BC%D0%B5%D1%80?q=%D1%91': page('UTF-8'),
    'a.example/caf%E9': page('Latin-1'),
    'xn--e1afmkfd.example/': page('a host'),
    'a.example/%D1%91%20x': page('encoded')
  })
  const { get } = fetcher(web)
  for (const [name, text] of [
    ['utf-8', 'UTF-8'],
    ['latin-1', 'Latin-1'],
    ['host', 'a host'],
    ['encoded', 'encoded']
  ]) {
    expect(Buffer.from((await get(`http://a.example/${name}`)).bytes).toString()).toBe(text)
  }
})

test('a repeated header counts once', async () => {
  const twice: Answering = (_, response) => {
    response.writeHead(200, [
      ['content-type', 'text/plain'],
      ['content-type', 'text/html; charset=koi8-r']
    ])
    response.end('here')
  }
  const { get } = fetcher(await webOf({ 'a.example/': twice }))
  expect(await get('http://a.example/')).toMatchObject({ contentType: 'text/html', charset: 'koi8-r' })
})

test('requests carry no credentials or referrer and use no proxy', async () => {
  const proxy = await startTestWeb(() => page('proxied'))
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) {
    vi.stubEnv(name, `http://127.0.0.1:${proxy.wire.port}`)
  }
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  const seen: (string | undefined)[] = []
  const note =
    (then: Answering): Answering =>
    (request, response) => {
      seen.push(request.headers.authorization, request.headers.referer)
      then(request, response)
    }
  const web = await webOf({ 'a.example/': note(redirect('/end')), 'a.example/end': note(page('done')) })
  await fetcher(web).get('http://user:secret@a.example/#part')
  expect(seen).toEqual(Array(4).fill(undefined))
  expect(proxy.connections()).toBe(0)
})

/** Sets these cookies and redirects. */
const setting =
  (to: string, ...cookies: string[]): Answering =>
  (_, response) =>
    void response.writeHead(302, { location: to, 'set-cookie': cookies }).end()

describe('cookies', () => {
  test('a cookie is sent back within the same fetch', async () => {
    const gate: Answering = (request, response) =>
      (request.headers.cookie === 'seen=1; id="a b=\xe9"' ? page('inside') : setting('/', 'seen=1', 'id="a b=\xe9"'))(
        request,
        response
      )
    const { get } = fetcher(await webOf({ 'a.example/': gate }))
    expect(Buffer.from((await get('http://a.example/')).bytes).toString()).toBe('inside')
  })

  test('cookies are forgotten after the fetch', async () => {
    const seen: (string | undefined)[] = []
    const web = await webOf({
      'a.example/': (request, response) => {
        seen.push(request.headers.cookie)
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'id=1; Max-Age=9999' }).end('here')
      }
    })
    const { get } = fetcher(web)
    await get('http://a.example/')
    await get('http://a.example/')
    expect(seen).toEqual([undefined, undefined])
  })

  test.for([
    ['http://a.example/in/b', ['id=1'], 'id=1', 'the same host'],
    ['https://a.example/in/b', ['id=1'], 'id=1', 'the same host, by another scheme'],
    ['http://b.example/in/b', ['id=1'], undefined, 'another host'],
    ['http://www.a.example/in/b', ['id=1; Domain=a.example'], undefined, 'a host below, even if the cookie is for it'],
    ['http://example/in/b', ['id=1; Domain=example'], undefined, 'a host above'],
    ['http://a.example/b', ['id=1'], undefined, 'another folder'],
    ['http://a.example/in/deep/er', ['id=1'], 'id=1', 'a deeper folder'],
    ['http://a.example/b', ['id=1; Path=/'], 'id=1', 'any folder, for Path=/'],
    ['http://a.example/inner', ['id=1; Path=/in'], undefined, 'a folder with a longer name'],
    ['http://a.example/in/b', ['id=1; Path=nowhere'], 'id=1', 'the same folder, for a Path that is none'],
    ['http://a.example/in/b', ['id=1; Secure'], undefined, 'a connection without TLS, for Secure'],
    ['https://a.example/in/b', ['id=1; Secure'], undefined, 'TLS, for a Secure that was set without it'],
    ['http://a.example/in/b', ['id=1; Max-Age=0'], undefined, 'anywhere, once it has expired'],
    [
      'http://a.example/in/b',
      ['id=1', 'id=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
      undefined,
      'anywhere, once ended'
    ],
    ['http://a.example/in/b', ['id=1', 'id=2', 'x=3'], 'id=2; x=3', 'the same host, as it was set last'],
    ['http://a.example/in/b', ['nothing'], undefined, 'anywhere, if it has no name']
  ] as const)('%s gets what %j allows: %j, on the way to %s', async ([to, cookies, sent]) => {
    const seen: (string | undefined)[] = []
    const web = await startTestWeb((target) =>
      target === 'a.example/in/a'
        ? rawCookies(to, cookies)
        : (request, response) => {
            seen.push(request.headers.cookie)
            page('end')(request, response)
          }
    )
    await fetcher(web).get('http://a.example/in/a')
    expect(seen).toEqual([sent])
  })

  test('a Secure cookie is sent over TLS only', async () => {
    const seen: (string | undefined)[] = []
    const note =
      (then: Answering): Answering =>
      (request, response) => {
        seen.push(request.headers.cookie)
        then(request, response)
      }
    const web = await webOf({
      'a.example/1': setting('https://a.example/2', 'id=1; Secure'),
      'a.example/2': note(redirect('http://a.example/3')),
      'a.example/3': note(page('end'))
    })
    await fetcher(web).get('https://a.example/1')
    expect(seen).toEqual(['id=1', undefined])
  })

  test('at most 50 cookies are kept', async () => {
    let sent = ''
    const web = await webOf({
      'a.example/': setting('/2', ...Array.from({ length: 300 }, (_, index) => `c${index}=1`)),
      'a.example/2': (request, response) => {
        sent = request.headers.cookie ?? ''
        page('end')(request, response)
      }
    })
    await fetcher(web).get('http://a.example/')
    expect(sent.split('; ')).toHaveLength(50)
    expect(sent.endsWith('c299=1')).toBe(true)
  })
})

/** Redirects with cookies that Node would refuse to send. */
function rawCookies(to: string, cookies: readonly string[]): Answering {
  return (_, response) => {
    const lines = cookies.map((cookie) => `Set-Cookie: ${cookie}\r\n`).join('')
    response.socket?.end(`HTTP/1.1 302 Found\r\nLocation: ${to}\r\n${lines}Content-Length: 0\r\n\r\n`)
  }
}

test('compressed bodies are decompressed, even if cut off', async () => {
  const text = 'packed '.repeat(1000)
  const web = await webOf({
    'a.example/gzip': page(gzipSync(text), { 'content-encoding': 'gzip' }),
    'a.example/br': page(brotliCompressSync(text), { 'content-encoding': 'br' }),
    'a.example/deflate': page(deflateSync(text), { 'content-encoding': 'deflate' }),
    'a.example/cut': page(gzipSync(text).subarray(0, -8), { 'content-encoding': 'gzip' }),
    'a.example/other': page('?', { 'content-encoding': 'compress' }),
    'a.example/broken': page('no gzip at all', { 'content-encoding': 'gzip' })
  })
  const { get, fault } = fetcher(web)
  for (const name of ['gzip', 'br', 'deflate', 'cut']) {
    expect(Buffer.from((await get(`http://a.example/${name}`)).bytes).toString()).toBe(text)
  }
  expect(await fault('http://a.example/other')).toBe('unreadable')
  expect(await fault('http://a.example/broken')).toBe('unreadable')
})

test('a decompression bomb stops at 2 MiB', async () => {
  // A gzip file may be several, one behind the other.
  const bomb = Buffer.concat(Array(20).fill(gzipSync(Buffer.alloc(10 * 1024 * 1024, 'a'))))
  expect(bomb.length).toBeLessThan(220_000)
  const web = await webOf({ 'a.example/bomb': page(bomb, { 'content-encoding': 'gzip' }) })
  const { bytes, truncated } = await fetcher(web).get('http://a.example/bomb')
  expect(bytes.length).toBe(MAX_BYTES)
  expect(truncated).toBe(true)
})

test('a connection that closes during decompression is survived', async () => {
  // 261 KB that come at once, and decompress more slowly than they arrive.
  const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, 'a'), { level: 9 })
  const headers = { 'content-encoding': 'gzip', connection: 'close', 'content-length': String(bomb.length) }
  const web = await webOf({ 'a.example/bomb': page(bomb, headers), 'a.example/': page('here') })
  const { get } = fetcher(web)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect((await get('http://a.example/bomb')).bytes.length).toBe(MAX_BYTES)
  }
  expect(Buffer.from((await get('http://a.example/')).bytes).toString()).toBe('here')
})

test('a PDF is read beyond the page limit only on request, in any chunk sizes', async () => {
  const pdf = Buffer.concat([Buffer.from('\r\n%PDF-1.7 '), Buffer.alloc(3 * 1024 * 1024, 32)])
  const inPieces: Answering = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' })
    response.write(pdf.subarray(0, 3))
    setTimeout(() => response.end(pdf.subarray(3)), 20)
  }
  const web = await webOf({ 'a.example/x.pdf': inPieces })
  expect((await fetcher(web).get('http://a.example/x.pdf')).bytes.length).toBe(MAX_BYTES)
  const { bytes, truncated } = await fetcher(web, { maxPdfBytes: MAX_PDF_BYTES }).get('http://a.example/x.pdf')
  expect([bytes.length, truncated]).toEqual([pdf.length, false])
})

test('an endless body stops at 2 MiB', async () => {
  let sent = 0
  let left: () => void = () => {}
  const gone = new Promise<void>((resolve) => {
    left = resolve
  })
  const endless: Answering = (_, response) => {
    response.on('close', left)
    const piece = Buffer.alloc(65_536, 'x')
    const more = () => {
      while (!response.destroyed) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
    }
    response.writeHead(200, { 'content-type': 'text/html' })
    more()
  }
  const web = await webOf({ 'a.example/': endless })
  const { bytes, truncated } = await fetcher(web).get('http://a.example/')
  expect([bytes.length, truncated]).toEqual([MAX_BYTES, true])
  await gone
  expect(sent).toBeLessThan(MAX_BYTES * 8)
})

test('endless 1xx answers end the fetch', async () => {
  const hints: Answering = (_, response) => {
    const send = () => {
      if (response.destroyed) return
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      setImmediate(send)
    }
    send()
  }
  const few: Answering = (_, response) => {
    for (let count = 0; count < 3; count++) response.writeEarlyHints({ link: '</a.css>; rel=preload' })
    response.writeHead(200, { 'content-type': 'text/html' }).end('page')
  }
  const { get, fault } = fetcher(await webOf({ 'a.example/': hints, 'b.example/': few }))
  expect(await fault('http://a.example/')).toBe('unreadable')
  expect(await get('http://b.example/')).toMatchObject({ contentType: 'text/html' })
})

test('no answer, an endless body and slow redirects time out', async () => {
  const slowly =
    (then: Answering): Answering =>
    (request, response) =>
      void setTimeout(() => then(request, response), 120)
  const web = await webOf({
    'a.example/silent': silence,
    'b.example/endless': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
    'c.example/1': slowly(redirect('/2')),
    'c.example/2': slowly(redirect('/3')),
    'c.example/3': slowly(redirect('/4')),
    'c.example/4': slowly(page('late'))
  })
  const { fault } = fetcher(web, { patience: 300 })
  expect(
    await Promise.all(['a.example/silent', 'b.example/endless', 'c.example/1'].map((one) => fault(`http://${one}`)))
  ).toEqual(['slow', 'slow', 'slow'])
})

test('one request per host runs at a time, and waiting does not count toward the timeout', async () => {
  const web = await startTestWeb(
    () => (_, response) => void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end('ok'), 60)
  )
  const { get } = fetcher(web, { patience: 2000 })
  const pages = Array.from({ length: 10 }, (_, index) => get(`http://a.example/${index}`))
  await Promise.all([...pages, get('http://b.example/'), get('http://c.example/')])
  expect(web.busiest()).toEqual({ all: 3, host: 1 })
})

test('an aborted fetch rejects with the signal’s reason and frees the host', async () => {
  const web = await webOf({ 'a.example/silent': silence, 'a.example/': page('free') })
  const { get } = fetcher(web)
  const leaving = new AbortController()
  const fetched = get('http://a.example/silent', leaving.signal)
  leaving.abort(new Error('enough'))
  await expect(fetched).rejects.toThrow('enough')
  expect(Buffer.from((await get('http://a.example/')).bytes).toString()).toBe('free')
})

test.for([
  [401, {}, 'login', false],
  [403, {}, 'refused', false],
  [403, { 'cf-mitigated': 'challenge' }, 'wall', false],
  [403, { server: 'cloudflare' }, 'wall', false],
  [999, {}, 'wall', false],
  [404, {}, 'gone', false],
  [410, {}, 'gone', false],
  [418, {}, 'refused', false],
  [429, { 'retry-after': '120' }, 'busy', true, 120_000],
  [500, {}, 'busy', true],
  [503, { 'retry-after': 'never' }, 'busy', true]
] as const)('%i %j is told as %s', async ([status, headers, fault, again, wait]) => {
  const web = await webOf({ 'a.example/': page('<title>No</title>', headers, status) })
  await expect(fetcher(web).get('http://a.example/')).rejects.toMatchObject({ fault, again, wait })
})

test('a closed connection, invalid HTTP and an unknown host are distinct faults', async () => {
  const web = await webOf(
    {
      'a.example/': (request) => void request.socket.destroy(),
      'b.example/': (request) => void request.socket.end('hello, this is not HTTP\r\n\r\n')
    },
    (host) => (host === 'nowhere.example' ? [] : [PUBLIC_ADDRESS])
  )
  const { fault } = fetcher(web)
  expect(await fault('http://a.example/')).toBe('unreadable')
  expect(await fault('http://b.example/')).toBe('unreadable')
  expect(await fault('http://nowhere.example/')).toBe('unreachable')
  await web.close()
  expect(await fault('http://c.example/')).toBe('unreachable')
})
