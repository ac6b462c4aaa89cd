import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createLogin } from '../../src-main/sync/http-login.ts'
import { syncFolders } from '../../src-main/sync/sync-folders.ts'
import { LISTINGS } from '../support/hostile-files.ts'
import { davServer } from '../support/webdav-server.ts'

const DEVICE = 'a'.repeat(32)
const segment = {
  device: DEVICE,
  number: 1,
  name: 'laptop',
  records: [{ kind: 'alias' as const, id: 'x', fields: { stays: ['a', ''] as ['a', ''] } }]
}

async function opened() {
  const server = await davServer()
  const place = { folder: `http://ada@127.0.0.1:${server.port}/dav/My%20notes%20%C3%A4`, password: 'secret' }
  server.makeFolder('/dav/My%20notes%20%C3%A4')
  const code = syncFolders.newCode()
  return { server, place, code, folder: await syncFolders.open(place, code, true) }
}

test('files on a WebDAV server are written, listed, read, removed, and rewritten if damaged', async () => {
  const { server, place, code, folder } = await opened()
  expect(await folder.list()).toEqual([])
  expect(await folder.write(segment)).toBe(true)
  const part = { device: DEVICE, name: 'laptop', after: 0, part: 1, isLast: true, from: 0, upTo: 0 }
  await folder.writePart({ ...part, records: [], covers: [] })
  const other = await syncFolders.open(place, code, false)
  expect(await other.list()).toEqual([{ device: DEVICE, segments: new Set([1]), snapshot: { after: 0, parts: 1 } }])
  const read = await other.read(DEVICE, 1)
  expect(read).toEqual({ ...segment, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await other.read(DEVICE, 2)).toBeUndefined()
  const path = [...server.files.keys()].find((name) => name.endsWith('.seg')) ?? ''
  server.files.set(path, Buffer.from('half'))
  expect(await other.read(DEVICE, 1)).toBeUndefined()
  expect(await folder.write(segment)).toBe(true)
  expect(await other.read(DEVICE, 1)).toEqual(read)
  expect(await folder.write({ ...segment, name: 'another' })).toBe(false)
  const hash = 'a'.repeat(64)
  await folder.writePicture(hash, Uint8Array.of(1, 2, 3))
  expect(await other.readPicture(hash)).toEqual(Uint8Array.of(1, 2, 3))
  const picture = [...server.files.keys()].find((name) => name.includes('pictures/')) ?? ''
  server.files.set(picture, Buffer.from('half'))
  expect(await other.readPicture(hash)).toBeUndefined()
  await folder.removeBefore(DEVICE, 1)
  expect([...server.files.keys()].filter((name) => name.includes(DEVICE))).toEqual([])
  expect(await syncFolders.isInUse(place)).toBe(true)
})

test('a wrong password, a missing folder and a password in the address are reported', async () => {
  const { server, place, code } = await opened()
  const open = (more: object) => syncFolders.open({ ...place, ...more }, code, true)
  await expect(open({ password: 'wrong' })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('user name and password')
  })
  await expect(open({ password: undefined })).rejects.toThrow('user name and password')
  const base = `http://ada@127.0.0.1:${server.port}`
  await expect(open({ folder: `${base}/none` })).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('no such folder')
  })
  await expect(open({ folder: base.replace('ada', 'ada:secret') })).rejects.toThrow('Give the password by itself')
  await expect(open({ folder: 'http://' })).rejects.toThrow('not an address')
  // An address for documentation (RFC 5737), which nobody has.
  await expect(open({ folder: 'http://192.0.2.1/dav' })).rejects.toThrow('begins with https:')
})

test('other answers are reported, redirects are not followed, and reading is bounded', async () => {
  const { server, folder, place, code } = await opened()
  const elsewhere = await davServer()
  const answers = (status: number, headers = {}) => {
    server.answer = (_, response) => void response.writeHead(status, headers).end('<html>')
  }
  answers(302, { location: `http://127.0.0.1:${elsewhere.port}/` })
  await expect(folder.list()).rejects.toThrow(/It refers to another address: http:/)
  expect(elsewhere.asked).toEqual([])
  answers(507)
  await expect(folder.write(segment)).rejects.toMatchObject({ code: 'disk-full' })
  answers(500)
  await expect(folder.read(DEVICE, 1)).rejects.toThrow('answers with the status 500')
  for (const page of ['<html>Sign in</html>', '<d:multistatus xmlns:d="DAV:"><d:response>']) {
    for (const status of [200, 207]) {
      server.answer = (_, response) => void response.writeHead(status).end(page)
      await expect(folder.list()).rejects.toThrow('does not answer as WebDAV servers do')
    }
  }
  answers(401, { 'www-authenticate': 'Digest realm="x", nonce="n", qop="auth"' })
  await expect(syncFolders.open(place, code, false)).rejects.toThrow('user name and password')
  server.answer = (_, response) => {
    response.writeHead(200)
    const more = () => response.write(Buffer.alloc(1 << 20)) && response.once('drain', more)
    response.on('drain', more).on('error', () => {})
    more()
  }
  await expect(folder.read(DEVICE, 1)).rejects.toThrow('sends too much')
  server.answer = (request) => void request.socket.destroy()
  await expect(folder.list()).rejects.toThrow('It cannot be reached')
})

test('a connection that closes during decompression is survived', async () => {
  const { server, folder } = await opened()
  const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, 'a'), { level: 9 })
  const headers = { 'content-encoding': 'gzip', connection: 'close', 'content-length': String(bomb.length) }
  server.answer = (_, response) => void response.writeHead(500, headers).end(bomb)
  for (let attempt = 0; attempt < 5; attempt += 1) await expect(folder.list()).rejects.toThrow('status 500')
})

test('user names and passwords beyond ASCII are sent as UTF-8', async () => {
  const { server, place, code } = await opened()
  Object.assign(server, { user: 'žofie@50%', password: 'p€ß' })
  const folder = place.folder.replace('ada', encodeURIComponent(server.user))
  await expect(syncFolders.open({ folder, password: server.password }, code, false)).resolves.toBeDefined()
  await expect(syncFolders.open({ folder: place.folder.replace('ada', '%zz') }, code, false)).rejects.toThrow(
    'not an address'
  )
})

// RFC 7616, section 3.9.1.
test('the strongest Digest algorithm is used, once per nonce', () => {
  const realm = 'realm="http-auth@example.org", qop="auth, auth-int"'
  const nonce = 'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"'
  const opaque = 'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
  const offers = ['MD5', 'SHA-256'].map((name) => `Digest ${realm}, algorithm=${name}, ${nonce}, ${opaque}`)
  const answer = (header: string) => {
    const login = createLogin('Mufasa', 'Circle of Life', () => 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ')
    expect(login.header('GET', '/dir/index.html')).toBeUndefined()
    expect(login.challenge(header, false)).toBe(true)
    return { login, header: login.header('GET', '/dir/index.html') }
  }
  const { login, header } = answer(`Basic realm="x", ${offers.join(', ')}`)
  expect(header).toContain('response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"')
  expect(header).toContain('algorithm=SHA-256, ')
  expect(header).toContain('nc=00000001')
  expect(login.header('GET', '/')).toContain('nc=00000002')
  expect(login.challenge(`${offers[0]}, stale=TRUE`, true)).toBe(true)
  expect(login.challenge(offers.join(', '), true)).toBe(false)
  expect(answer(offers[0] ?? '').header).toContain('response="8ca523f5e9506fed4657c9700eebdbec"')
  // RFC 2069, which RFC 7616 replaces, has neither `qop` nor a count.
  expect(answer('Digest realm="x", nonce="n"').header).not.toContain('nc=')
  for (const other of [
    '',
    'Negotiate',
    'Digest realm="x", nonce="n", algorithm=X',
    'Digest nonce="n", qop="auth-int"'
  ]) {
    expect(answer(other).header).toBe(`Basic ${btoa('Mufasa:Circle of Life')}`)
  }
  expect(createLogin('', '').challenge('Basic realm="x"', false)).toBe(false)
})

test('read-only, non-WebDAV and busy servers are reported as such', async () => {
  const { server, folder, place, code } = await opened()
  const begin = () => syncFolders.open(place, code, true)
  server.files.clear()
  server.answer = ({ method }, response) => void response.writeHead(method === 'MKCOL' ? 403 : 404).end()
  await expect(begin()).rejects.toMatchObject({ code: 'forbidden', message: expect.not.stringContaining('password') })
  server.answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')
  for (const ask of [() => syncFolders.isInUse(place), begin, () => syncFolders.open(place, code, false)]) {
    await expect(ask()).rejects.toThrow('Is this the address of a WebDAV folder?')
  }
  server.answer = (_, response) => void response.writeHead(200).end('Hello')
  await expect(syncFolders.isInUse(place)).rejects.toThrow('is damaged, or not of Earmark')
  const soon = new Date(Date.now() + 60_000).toUTCString()
  for (const [status, wait] of [423, 429, 503].flatMap((one) => [[one, '7'] as const, [one, soon] as const])) {
    server.answer = (_, response) => void response.writeHead(status, { 'retry-after': wait }).end()
    const error = await folder.list().catch((problem: unknown) => problem)
    expect(error).toMatchObject({ code: 'too-many', message: 'The WebDAV server is busy. Earmark tries again.' })
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(6000)
  }
})

test.each(LISTINGS)('a server that lists %s does not block the service', { retry: 0 }, async (_, body, message) => {
  const { server, folder } = await opened()
  const bytes = Buffer.from(body)
  server.answer = (_, response) => void response.writeHead(207).end(bytes)
  // The time of this thread, whatever else the machine does, in ms.
  const worked = () => (process.threadCpuUsage().user + process.threadCpuUsage().system) / 1000
  let [longest, last, isOver] = [0, worked(), false]
  const watched = (async () => {
    while (!isOver) {
      await setImmediate()
      longest = Math.max(longest, worked() - last)
      last = worked()
    }
  })()
  const before = process.memoryUsage().rss
  const listed = await folder.list().catch((error: Error) => error.message)
  isOver = true
  await watched
  if (message === undefined) expect(listed).toEqual([])
  else expect(listed).toContain(message)
  expect(longest).toBeLessThan(200)
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
})
