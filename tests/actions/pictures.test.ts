import { expect, test } from 'vitest'
import { changeBookmarks } from '../../src-main/actions/bookmarks/change-bookmarks.ts'
import { editBookmark } from '../../src-main/actions/bookmarks/save-bookmarks.ts'
import { emptyTrash } from '../../src-main/actions/housekeeping.ts'
import { exportLibrary } from '../../src-main/actions/imports/export-library.ts'
import { importLibrary } from '../../src-main/actions/imports/import-library.ts'
import { createColoring, originalPicture, pictureOfBookmark, savePicture } from '../../src-main/actions/pictures.ts'
import type { Ports } from '../../src-main/actions/ports.ts'
import { MAX_PICTURE_BYTES } from '../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import type { ExportFormatId } from '../../src-main/contract/library-export.ts'
import { hashOf, picture } from '../support/pictures.ts'
import { everything, quickPorts, restore, testPorts } from './ports.ts'

async function exported(ports: Ports, format: ExportFormatId): Promise<string> {
  let text = ''
  for await (const piece of exportLibrary(ports, format, {})) text += piece
  return text
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

const importText = (ports: Ports, text: string, dryRun = false) =>
  importLibrary(ports, PROFILE, bytesOf(text), { dryRun })

test('a picture is saved unchanged, with the fields of its bookmark', async () => {
  const ports = quickPorts()
  const bytes = await picture('tomato', 'jpeg')
  const request = { title: ' A  tomato ', description: 'Ripe', tags: ['Red', 'red'], visibility: 'public' as const }
  const { status, bookmark } = await savePicture(ports, bytes, request)
  expect(status).toBe('saved')
  expect(bookmark).toMatchObject({
    type: 'image',
    url: null,
    title: 'A tomato',
    description: 'Ripe',
    tags: ['Red'],
    visibility: 'public',
    picture: hashOf(bytes)
  })
  expect(new Uint8Array((await originalPicture(ports, hashOf(bytes))).bytes)).toEqual(bytes)
  const again = await savePicture(ports, bytes, { title: 'Another name' })
  expect(again).toMatchObject({ status: 'existing', bookmark: { id: bookmark.id, title: 'A tomato' } })
})

test.each([
  ['too large', new Uint8Array(MAX_PICTURE_BYTES + 1), 'too-large', '10 MB'],
  ['not a picture', new TextEncoder().encode('<script>'), 'invalid', 'PNG, JPEG'],
  ['cut off', (await picture('tomato', 'png', 400)).subarray(0, 200), 'invalid', 'damaged']
])('a file that is %s is refused with the reason, and nothing is stored', async (_, bytes, code, words) => {
  const ports = quickPorts()
  await expect(savePicture(ports, bytes, {})).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
  await expect(savePicture(ports, bytes, { organization: 'Nobody' })).rejects.toMatchObject({ code: 'not-found' })
  expect(await everything(ports)).toEqual([])
  await expect(originalPicture(ports, hashOf(bytes))).rejects.toMatchObject({ code: 'not-found' })
  await expect(pictureOfBookmark(ports, 'none')).rejects.toMatchObject({ code: 'not-found' })
})

test('a picture’s bookmark is edited like others, but has no address', async () => {
  const ports = quickPorts()
  const { bookmark } = await savePicture(ports, await picture('tomato'), {})
  await expect(editBookmark(ports, bookmark.id, { url: 'https://a.example/' })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('no address')
  })
  const edited = await editBookmark(ports, bookmark.id, { url: '', title: 'Tomato', tags: ['red'] })
  expect(edited.bookmark).toMatchObject({ title: 'Tomato', tags: ['red'], picture: bookmark.picture })
})

test('a picture is deleted when its bookmark is purged', async () => {
  const ports = await testPorts()
  const { bookmark } = await savePicture(ports, await picture('tomato'), {})
  await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
  expect(await ports.library.hasOriginal(bookmark.picture ?? '')).toBe(true)
  expect(await emptyTrash(ports)).toBe(1)
  expect(await ports.library.hasOriginal(bookmark.picture ?? '')).toBe(false)
})

test('a restored backup has its pictures', async () => {
  const ports = await testPorts()
  const bytes = await picture('tomato')
  const { bookmark } = await savePicture(ports, bytes, { title: 'Tomato' })
  const { name } = await ports.library.backUp('manual-1.sqlite')
  await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
  await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'purge' } })
  await expect(originalPicture(ports, hashOf(bytes))).rejects.toMatchObject({ code: 'not-found' })
  await restore(ports, name)
  expect(await ports.library.findBookmark(bookmark.id)).toMatchObject({ title: 'Tomato', picture: hashOf(bytes) })
  expect(new Uint8Array((await originalPicture(ports, hashOf(bytes))).bytes)).toEqual(bytes)
  expect(await ports.library.readPicture(bookmark.preview ?? '')).toBeDefined()
})

test('colors of existing and new pictures are found in the background', async () => {
  const ports = await testPorts()
  const { library, changes } = ports
  const first = await savePicture(ports, await picture('#ff0000'), {})
  const coloring = createColoring(ports, changes, (error) => {
    throw error
  })
  coloring.start()
  const second = await savePicture(ports, await picture('#0000ff'), {})
  const colorsOf = async (id: string) => (await pictureOfBookmark(ports, id)).colors.map(({ color }) => color)
  await expect.poll(() => colorsOf(first.bookmark.id)).toEqual([expect.stringMatching(/^#f[0-9a-f]0[0-9a-f]0/)])
  await expect.poll(() => colorsOf(second.bookmark.id)).toEqual([expect.stringMatching(/^#0[0-9a-f]0[0-9a-f]f/)])
  await coloring.close()
  const [similar] = await library.similarImages('red', 5)
  expect(similar?.bookmark.id).toBe(first.bookmark.id)
})

test('an export has each picture once; an import elsewhere gives the same library, a second import adds nothing', async () => {
  const ports = quickPorts()
  const { rowId } = await ports.library.createOrganization('Acme', 1)
  expect(rowId).toBeGreaterThan(0)
  // Larger than the data of one line.
  const large = new Uint8Array(await noise(700))
  expect(large.length).toBeGreaterThan(786_432)
  await savePicture(ports, large, { title: 'Large' })
  await savePicture(ports, large, { title: 'Theirs', organization: 'Acme' })
  const { bookmark } = await savePicture(ports, await picture('teal', 'webp'), { title: 'Small', tags: ['t'] })
  await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
  const text = await exported(ports, 'jsonl')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const parts = lines.flatMap((line) => ('picture' in line ? [line.picture] : []))
  expect(parts.map(({ part, parts: all }) => [part, all])).toEqual([
    ...Array.from({ length: parts[0].parts }, (_, at) => [at + 1, parts[0].parts]),
    [1, 1]
  ])
  expect(lines.at(-1).end.counts).toEqual({ organizations: 1, pictures: 2, bookmarks: 3 })

  const other = quickPorts()
  other.clock.time += 1000 // nothing there is changed later than it is imported
  expect(await importText(other, text, true)).toMatchObject({ imported: 3, rejected: 0 })
  expect(await other.library.hasOriginal(hashOf(large))).toBe(false)
  expect(await importText(other, text)).toMatchObject({ imported: 3, duplicate: 0, rejected: 0 })
  const bookmarksIn = (jsonl: string) => jsonl.split('\n').filter((line) => line.startsWith('{"bookmark"'))
  expect(bookmarksIn(await exported(other, 'jsonl'))).toEqual(bookmarksIn(text))
  expect(new Uint8Array((await originalPicture(other, hashOf(large))).bytes)).toEqual(large)
  expect(await importText(other, text)).toMatchObject({ imported: 0, duplicate: 3, rejected: 0 })

  for (const format of ['html', 'csv'] as const) {
    const written = await exported(ports, format)
    for (const title of ['Large', 'Theirs', 'Small']) expect(written).not.toContain(title)
  }
})

test('a changed, incomplete or invalid picture is rejected with its bookmark, the others are imported', async () => {
  const ports = quickPorts()
  const colors = ['red', 'green', 'blue', 'teal']
  for (const color of colors) await savePicture(ports, await picture(color), { title: color })
  const change = (record: { picture?: { data: string; part: number; parts: number; hash: string } }, at: number) => {
    if (!record.picture) return record
    const page = Buffer.from('<script>')
    const spoiled = [
      { ...record.picture, data: Buffer.from('other').toString('base64') },
      { ...record.picture, parts: 2 },
      { ...record.picture, data: page.toString('base64'), hash: hashOf(page) }
    ][at]
    return { picture: spoiled ?? record.picture }
  }
  let at = 0
  const text = (await exported(ports, 'jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((record) => JSON.stringify('picture' in record ? change(record, at++) : record))
    .join('\n')
  const other = quickPorts()
  const report = await importText(other, text)
  expect(report.imported).toBe(1)
  expect((await everything(other)).map(({ title }) => title)).toEqual(['teal'])
  const missing = 'its picture is missing or could not be kept'
  expect(report.rejects.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('changed or damaged'),
    missing,
    expect.stringContaining('lacks some of its parts'),
    missing,
    expect.stringContaining('PNG, JPEG'),
    missing,
    expect.stringContaining('changed or damaged since it was exported')
  ])
  // The undamaged export restores the rejected bookmarks.
  expect(await importText(other, await exported(ports, 'jsonl'))).toMatchObject({
    imported: 3,
    duplicate: 1,
    rejected: 0
  })
})

/** A picture that cannot be compressed. */
async function noise(size: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  let seed = 1
  const bytes = Buffer.alloc(size * size * 3)
  for (let at = 0; at < bytes.length; at++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    bytes[at] = seed >>> 24
  }
  return sharp(bytes, { raw: { width: size, height: size, channels: 3 } })
    .png()
    .toBuffer()
}
