import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import type { LinkReading } from '../../src-main/contract/link-check.ts'
import { internet } from '../../src-main/web/internet.ts'
import { EXPIRED, INTERMEDIATE, KEY, LEAF, ROOT, SELF_SIGNED } from '../support/certificates.ts'
import {
  type Answering,
  PUBLIC_ADDRESS,
  page,
  redirect,
  silence,
  startTestWeb,
  testDecoder
} from '../support/test-web.ts'

/** Checks links over a test web of these addresses, and notes how each was asked for. */
async function checker(pages: Record<string, Answering>, patience = 10_000) {
  const methods: string[] = []
  const web = await startTestWeb(
    (target) => (request, response) => {
      methods.push(`${request.method} ${target}`)
      const answer = pages[target] ?? page('', {}, 404)
      answer(request, response)
    },
    (host) => (host === 'nobody.example' ? [] : host === 'inside.example' ? ['10.0.0.1'] : [PUBLIC_ADDRESS])
  )
  const reach = internet({ version: 'test', decoder: testDecoder(), wire: web.wire, patience })
  onTestFinished(() => reach.close())
  return {
    methods,
    connections: web.connections,
    check: (url: string, signal = new AbortController().signal): Promise<LinkReading> => reach.checkLink(url, signal)
  }
}

/** Answers GET like this, and HEAD with an error. */
const notByHead =
  (answer: Answering, status: number): Answering =>
  (request, response) =>
    request.method === 'HEAD' ? response.writeHead(status).end() : answer(request, response)

test('an existing page takes one HEAD request', async () => {
  const { check, methods } = await checker({ 'a.example/': page('<title>Here</title>') })
  expect(await check('http://a.example/')).toEqual({ movedTo: null })
  expect(methods).toEqual(['HEAD a.example/'])
})

test.for([404, 405, 403, 500, 501])('a %i answer to HEAD is followed by GET', async (status) => {
  const { check, methods } = await checker({ 'a.example/': notByHead(page('here'), status) })
  expect(await check('http://a.example/')).toEqual({ movedTo: null })
  expect(methods).toEqual(['HEAD a.example/', 'GET a.example/'])
})

test('a connection that breaks during HEAD is followed by GET', async () => {
  const { check } = await checker({
    'a.example/': (request, response) =>
      request.method === 'HEAD' ? request.socket.destroy() : page('here')(request, response)
  })
  expect(await check('http://a.example/')).toEqual({ movedTo: null })
})

test('a check by GET does not read the body', async () => {
  let sent = 0
  const { check } = await checker({
    'endless.example/': notByHead((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const send = () => {
        if (response.destroyed) return
        sent += 65_536
        response.write(Buffer.alloc(65_536), () => setImmediate(send))
      }
      send()
    }, 405)
  })
  expect(await check('http://endless.example/')).toEqual({ movedTo: null })
  expect(sent).toBeLessThan(16 * 1024 * 1024)
})

test.for([
  [404, 'gone'],
  [410, 'gone'],
  [401, 'login'],
  [403, 'refused'],
  [503, 'busy']
] as const)('%i is told as %s', async ([status, fault]) => {
  const { check } = await checker({ 'a.example/': page('', {}, status) })
  expect(await check('http://a.example/')).toEqual({ fault })
})

test('status 429 is not followed by GET', async () => {
  const { check, methods } = await checker({ 'a.example/': page('', { 'retry-after': '90' }, 429) })
  expect(await check('http://a.example/')).toEqual({ fault: 'busy', wait: 90_000 })
  expect(methods).toEqual(['HEAD a.example/'])
})

test('a bot challenge counts as a wall, not as broken', async () => {
  const { check } = await checker({ 'a.example/': page('', { 'cf-mitigated': 'challenge' }, 403) })
  expect(await check('http://a.example/')).toEqual({ fault: 'wall' })
})

test.for([301, 308])('status %i reports the new address', async (status) => {
  const { check } = await checker({ 'a.example/old': redirect('/new', status), 'a.example/new': page('here') })
  expect(await check('http://a.example/old')).toEqual({ movedTo: 'http://a.example/new' })
})

test.for([302, 303, 307])('status %i reports no new address', async (status) => {
  const { check } = await checker({ 'a.example/old': redirect('/new', status), 'a.example/new': page('here') })
  expect(await check('http://a.example/old')).toEqual({ movedTo: null })
})

test('permanent redirects count up to the first temporary one', async () => {
  const { check } = await checker({
    'a.example/1': redirect('/2', 301),
    'a.example/2': redirect('http://b.example/3', 308),
    'b.example/3': redirect('/4', 302),
    'b.example/4': redirect('/5', 301),
    'b.example/5': page('here')
  })
  expect(await check('http://a.example/1')).toEqual({ movedTo: 'http://b.example/3' })
})

test('the new address keeps the fragment unless the site sets another', async () => {
  const { check } = await checker({
    'a.example/1': redirect('/2', 301),
    'a.example/2': redirect('/3', 301),
    'a.example/3': page('here'),
    'a.example/4': redirect('/2#there', 301)
  })
  expect(await check('http://a.example/1#part')).toEqual({ movedTo: 'http://a.example/3#part' })
  expect(await check('http://a.example/4#part')).toEqual({ movedTo: 'http://a.example/3#there' })
})

test('a redirect to a missing page is gone, and a redirect loop is reported as one', async () => {
  const { check } = await checker({ 'a.example/1': redirect('/none', 301), 'a.example/2': redirect('/2', 301) })
  expect(await check('http://a.example/1')).toEqual({ fault: 'gone' })
  expect(await check('http://a.example/2')).toEqual({ fault: 'redirects' })
})

test('a redirect to a login or cookie page reports no new address', async () => {
  const { check } = await checker({
    'a.example/1': redirect('/login?next=1', 301),
    'a.example/login?next=1': page('Sign in'),
    'a.example/2': redirect('http://consent.example/', 301),
    'consent.example/': page('Cookies')
  })
  expect(await check('http://a.example/1')).toEqual({ fault: 'login' })
  expect(await check('http://a.example/2')).toEqual({ fault: 'wall' })
})

test('redirects that require a cookie or contain raw UTF-8 reach the page', async () => {
  const { check } = await checker({
    'a.example/gate': (request, response) =>
      request.headers.cookie === 'seen=1'
        ? page('inside')(request, response)
        : response.writeHead(302, { location: '/gate', 'set-cookie': 'seen=1' }).end(),
    'a.example/old': redirect('/статья/пример', 301),
    'a.example/%D1%81%D1%82%D0%B0%D1%82%D1%8C%D1%8F/%D0%BF%D1%80%D0%B8%D0%BC%D0%B5%D1%80': page('here')
  })
  expect(await check('http://a.example/gate')).toEqual({ movedTo: null })
  expect(await check('http://a.example/old')).toEqual({
    movedTo: 'http://a.example/%D1%81%D1%82%D0%B0%D1%82%D1%8C%D1%8F/%D0%BF%D1%80%D0%B8%D0%BC%D0%B5%D1%80'
  })
})

test('unknown host, refused connection and timeout are distinct faults', async () => {
  const { check } = await checker({ 'slow.example/': silence }, 300)
  expect(await check('http://nobody.example/')).toEqual({ fault: 'no-host' })
  expect(await check('http://slow.example/')).toEqual({ fault: 'slow' })
  const closed = internet({
    version: 'test',
    decoder: testDecoder(),
    wire: { port: await unusedPort(), resolve: () => [PUBLIC_ADDRESS] }
  })
  onTestFinished(() => closed.close())
  expect(await closed.checkLink('http://a.example/', new AbortController().signal)).toEqual({ fault: 'no-answer' })
})

test('a private address is never requested, not even after a redirect', async () => {
  const { check, connections } = await checker({ 'a.example/': redirect('http://192.168.0.1/', 301) })
  expect(await check('http://inside.example/')).toEqual({ fault: 'address' })
  expect(connections()).toBe(0)
  expect(await check('http://a.example/')).toEqual({ fault: 'address' })
  expect(connections()).toBe(1)
})

test('an aborted check rejects', async () => {
  const { check } = await checker({ 'slow.example/': silence })
  const leaving = new AbortController()
  const asked = check('http://slow.example/', leaving.signal)
  leaving.abort()
  await expect(asked).rejects.toThrow('abort')
})

/** Checks `https://a.example/` and `https://b.example/`, where this server answers. */
async function overTls(server: Server) {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const reach = internet({
    version: 'test',
    decoder: testDecoder(),
    wire: { port, tls: true, resolve: () => [PUBLIC_ADDRESS] }
  })
  onTestFinished(async () => {
    await reach.close()
    server.close()
  })
  return (host: string) => reach.checkLink(`https://${host}/`, new AbortController().signal)
}

const answering = (...chain: string[]) =>
  createTlsServer({ key: KEY, cert: chain.join('\n') }, (_, response) => void response.end('here'))

test('an invalid certificate and one that Earmark cannot verify are distinct faults', async () => {
  const trusted = getCACertificates()
  setDefaultCACertificates([...trusted, ROOT])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const whole = await overTls(answering(LEAF, INTERMEDIATE))
  expect(await whole('a.example')).toEqual({ movedTo: null })
  expect(await whole('b.example')).toEqual({ fault: 'certificate' })
  expect(await (await overTls(answering(LEAF)))('a.example')).toEqual({ fault: 'certificate-incomplete' })
  expect(await (await overTls(answering(EXPIRED, INTERMEDIATE)))('a.example')).toEqual({ fault: 'certificate' })
  expect(await (await overTls(answering(SELF_SIGNED)))('a.example')).toEqual({ fault: 'certificate' })
  setDefaultCACertificates(trusted)
  const proxy = await overTls(answering(LEAF, INTERMEDIATE, ROOT))
  expect(await proxy('a.example')).toEqual({ fault: 'certificate-incomplete' })
})

test('an unsupported TLS version, or no TLS, is not a certificate fault', async () => {
  const refusal = Buffer.from([0x15, 3, 3, 0, 2, 2, 40])
  const refusing = await overTls(createServer((socket) => socket.once('data', () => socket.end(refusal))))
  expect(await refusing('a.example')).toEqual({ fault: 'handshake' })
  const plain = await overTls(
    createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')))
  )
  expect(await plain('a.example')).toEqual({ fault: 'handshake' })
})

async function unusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}
