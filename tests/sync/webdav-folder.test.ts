import { expect, test } from 'vitest'
import { syncFolders } from '../../src-main/sync/sync-folders.ts'
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

test('files on a WebDAV server are written, listed, read, removed, and written again where they are not whole', async () => {
  const { server, place, code, folder } = await opened()
  expect(await folder.list()).toEqual([])
  expect(await folder.write(segment)).toBe(true)
  const part = { device: DEVICE, name: 'laptop', after: 0, part: 1, isLast: true, from: 0, upTo: 0 }
  await folder.writePart({ ...part, records: [], covers: [] })
  const other = await syncFolders.open(place, code, false)
  expect(await other.list()).toEqual([{ device: DEVICE, segments: new Set([1]), snapshot: { after: 0, parts: 1 } }])
  expect(await other.read(DEVICE, 1)).toEqual(segment)
  expect(await other.read(DEVICE, 2)).toBeUndefined()
  const path = [...server.files.keys()].find((name) => name.endsWith('.seg')) ?? ''
  server.files.set(path, Buffer.from('half'))
  expect(await other.read(DEVICE, 1)).toBeUndefined()
  expect(await folder.write(segment)).toBe(true)
  expect(await other.read(DEVICE, 1)).toEqual(segment)
  expect(await folder.write({ ...segment, name: 'another' })).toBe(false)
  const hash = 'a'.repeat(64)
  await folder.writePicture(hash, Uint8Array.of(1, 2, 3))
  expect(await other.hasPicture(hash)).toBe(true)
  const picture = [...server.files.keys()].find((name) => name.includes('pictures/')) ?? ''
  server.files.set(picture, Buffer.from('half'))
  expect(await other.hasPicture(hash)).toBe(false)
  await folder.removeBefore(DEVICE, 1)
  expect([...server.files.keys()].filter((name) => name.includes(DEVICE))).toEqual([])
  expect(await syncFolders.isInUse(place)).toBe(true)
})

test('a wrong password, a missing folder, and a password in the address are said', async () => {
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

test('what a server answers else is said; it is followed nowhere, and no more is read than a file of ours', async () => {
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
  for (const page of ['<html>Sign in</html>', '<d:multistatus xmlns:d="DAV:"><d:response/></d:multistatus>']) {
    server.answer = (_, response) => void response.writeHead(200).end(page)
    await expect(folder.list()).rejects.toMatchObject({ message: expect.stringContaining('none of a WebDAV server') })
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
