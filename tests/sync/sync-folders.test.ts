import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SyncPart, SyncSegment } from '../../src-main/contract/sync.ts'
import { newCode, readCode } from '../../src-main/sync/encryption.ts'
import { syncFolders } from '../../src-main/sync/sync-folders.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** SHA-256 of a segment’s text. */
const DIGEST = expect.stringMatching(/^[0-9a-f]{64}$/)
const DEVICE = 'a'.repeat(32)
const segment: SyncSegment = {
  device: DEVICE,
  number: 1,
  name: 'a secret machine',
  records: [
    {
      kind: 'bookmark',
      id: 'abc',
      fields: {
        type: ['link', ''],
        url: ['https://secret.example/', ''],
        title: ['a secret title', ''],
        place: [['organization', 'org', 'Secret'], ''],
        life: [null, `${'0'.repeat(13)}${DEVICE}`],
        '#ärger': ['Ärger', '']
      }
    },
    { kind: 'alias', id: 'x', fields: { stays: ['a', ''] } }
  ]
}
const file = (folder: string, number = 1) => join(folder, 'earmark-sync', DEVICE, `0000000${number}.seg`)

async function written() {
  const folder = tempFolder()
  const code = syncFolders.newCode()
  const opened = await syncFolders.open({ folder }, code, true)
  expect(await opened.write(segment)).toBe(true)
  return { folder, code, opened }
}

test('a segment is readable with the code only', async () => {
  const { folder, code } = await written()
  const other = await syncFolders.open({ folder }, code.toLowerCase().replaceAll('-', ' '), false)
  expect(await other.list()).toEqual([{ device: DEVICE, segments: new Set([1]), snapshot: undefined }])
  expect(await other.read(DEVICE, 1)).toEqual({ ...segment, digest: DIGEST })
  await expect(syncFolders.open({ folder }, syncFolders.newCode(), false)).rejects.toMatchObject({
    code: 'invalid',
    message: 'The sync code belongs to another folder.'
  })
})

test('files and file names in the folder reveal no content', async () => {
  const { folder, code } = await written()
  const names = readdirSync(folder, { recursive: true }).map(String)
  const bytes = Buffer.concat([readFileSync(file(folder)), readFileSync(join(folder, 'earmark-sync/key-check'))])
  for (const word of ['secret', 'Secret', 'Ärger', 'org', code, code.replaceAll('-', '')]) {
    expect(bytes.includes(word)).toBe(false)
    expect(names.some((name) => name.includes(word))).toBe(false)
  }
})

test('a picture is readable, and its file name reveals no hash', async () => {
  const { folder, opened, code } = await written()
  const hash = 'c'.repeat(64)
  expect(await opened.readPicture(hash)).toBeUndefined()
  await opened.writePicture(hash, Uint8Array.of(1, 2, 255))
  const other = await syncFolders.open({ folder }, code, false)
  expect(await other.readPicture(hash)).toEqual(Uint8Array.of(1, 2, 255))
  const pictures = join(folder, 'earmark-sync', 'pictures')
  const [name = ''] = readdirSync(pictures)
  expect(name).not.toContain(hash)
  renameSync(join(pictures, name), join(pictures, `${name.slice(1)}${name[0]}`))
  expect(await other.readPicture(hash)).toBeUndefined()
})

test('a segment can be written again, but not replaced by another of its number', async () => {
  const { opened } = await written()
  expect(await opened.write(segment)).toBe(true)
  expect(await opened.write({ ...segment, name: 'another' })).toBe(false)
  expect(await opened.read(DEVICE, 1)).toEqual({ ...segment, digest: DIGEST })
})

test('a truncated, changed, renamed or copied file is not read', async () => {
  const { folder, opened } = await written()
  const whole = readFileSync(file(folder))
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ change
      writeFileSync(file(folder), changed)
      const read = await opened.read(DEVICE, 1).catch((error: Error) => error.message)
      if (read !== undefined) expect(read).toContain('A newer version of Earmark')
    })
  )
  writeFileSync(file(folder), whole.subarray(0, 30))
  expect(await opened.read(DEVICE, 1)).toBeUndefined()
  writeFileSync(file(folder), whole)
  renameSync(file(folder), file(folder, 2))
  expect(await opened.read(DEVICE, 2)).toBeUndefined()
  expect(await opened.read(DEVICE, 1)).toBeUndefined()
  writeFileSync(join(folder, 'earmark-sync', DEVICE, '00000001.sync-conflict-1.seg'), whole)
  mkdirSync(join(folder, 'earmark-sync', '.stversions'))
  expect(await opened.list()).toEqual([{ device: DEVICE, segments: new Set([2]), snapshot: undefined }])
})

test('a newer format is reported as newer', async () => {
  const { folder, opened } = await written()
  const whole = readFileSync(file(folder))
  writeFileSync(file(folder), Buffer.concat([Buffer.from('EMS2'), whole.subarray(4)]))
  await expect(opened.read(DEVICE, 1)).rejects.toMatchObject({ code: 'store-too-new' })
  const odd = { ...segment, number: 3, records: [{ kind: 'bookmark', id: 'x', fields: { type: ['film', ''] } }] }
  await opened.write(odd as unknown as SyncSegment)
  await expect(opened.read(DEVICE, 3)).rejects.toMatchObject({ code: 'invalid' })
})

test('a missing, emptied or wrong folder is reported', async () => {
  const { folder, code } = await written()
  await expect(syncFolders.open({ folder: join(folder, 'none') }, code, false)).rejects.toMatchObject({
    code: 'not-found'
  })
  await expect(syncFolders.open({ folder: 'sync' }, code, false)).rejects.toMatchObject({
    message: expect.stringContaining('Give the full path of the folder')
  })
  const data = tempFolder()
  writeFileSync(join(data, 'library.sqlite'), '')
  await expect(syncFolders.open({ folder: data }, code, true)).rejects.toThrow('Earmark’s own data folder')
  expect(await syncFolders.isInUse({ folder })).toBe(true)
  rmSync(join(folder, 'earmark-sync'), { recursive: true })
  expect(await syncFolders.isInUse({ folder })).toBe(false)
  await expect(syncFolders.open({ folder }, code, false)).rejects.toMatchObject({
    message: expect.stringContaining('Was it emptied')
  })
})

test('a code is accepted in any spelling, and a typo is detected', () => {
  for (let times = 0; times < 200; times += 1) {
    const code = newCode()
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){13}[0-9A-HJKMNP-TV-Z]{4}$/)
    const key = readCode(code)
    expect(key).toHaveLength(32)
    expect(readCode(code.replaceAll('-', '').toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l'))).toEqual(key)
    const at = (times * 7) % code.length
    const slip = code.slice(0, at) + (code[at] === 'A' ? 'B' : 'A') + code.slice(at + 1)
    expect(() => readCode(slip)).toThrow('not copied right')
  }
  for (const wrong of ['', 'abc', `${newCode()}-AAAA`]) expect(() => readCode(wrong)).toThrow('not copied right')
})

test('a bookmark from before 1970 is read', async () => {
  const { opened } = await written()
  const old: SyncSegment = {
    ...segment,
    number: 2,
    records: [{ kind: 'bookmark', id: 'a', fields: { createdAt: [-1, ''] } }]
  }
  await opened.write(old)
  expect(await opened.read(DEVICE, 2)).toEqual({ ...old, digest: DIGEST })
})

test.runIf(process.platform !== 'win32')('symbolic links in the folder are not followed', async () => {
  const { folder, opened } = await written()
  const outside = tempFolder()
  symlinkSync('/dev/zero', file(folder, 2))
  symlinkSync(join(outside, 'new'), file(folder, 3))
  writeFileSync(join(folder, 'earmark-sync', 'f'.repeat(32)), 'no folder')
  expect(await opened.list()).toMatchObject([{ segments: new Set([1, 2, 3]) }, { segments: new Set() }])
  expect(await opened.read(DEVICE, 2)).toBeUndefined()
  await expect(opened.write({ ...segment, number: 3 })).rejects.toThrow('There is a link in the sync folder')
  symlinkSync(outside, join(folder, 'earmark-sync', 'e'.repeat(32)))
  await expect(opened.write({ ...segment, device: 'e'.repeat(32) })).rejects.toThrow('There is a link')
  expect(existsSync(join(outside, 'new'))).toBe(false)
  expect(readdirSync(outside)).toEqual([])
})

test('a snapshot needs all its parts; the newest is read, and older files can be removed', async () => {
  const { opened, folder } = await written()
  const [{ records, name }, covers] = [segment, [{ device: 'b'.repeat(32), name: 'other', upTo: 3 }]]
  const part = (after: number, number: number, isLast: boolean): SyncPart => ({
    ...{ device: DEVICE, name, after, part: number, isLast, from: 0, upTo: 1, records },
    covers: number === 1 ? covers : []
  })
  await opened.writePart(part(0, 1, true))
  await opened.writePart(part(1, 2, true))
  const listed = async () => (await opened.list())[0]
  expect(await listed()).toMatchObject({ segments: new Set([1]), snapshot: { after: 0, parts: 1 } })
  await opened.writePart(part(1, 1, false))
  const listing = await listed()
  expect(listing?.snapshot).toEqual({ after: 1, parts: 2 })
  if (!listing) return
  for (const number of [1, 2]) expect(await opened.readPart(listing, number)).toEqual(part(1, number, number === 2))
  expect(await opened.readPart({ ...listing, snapshot: undefined }, 1)).toBeUndefined()
  await opened.removeBefore(DEVICE, 1)
  expect(readdirSync(join(folder, 'earmark-sync', DEVICE)).sort()).toEqual([
    '00000001-000001.part',
    '00000001-000002.last'
  ])
})
