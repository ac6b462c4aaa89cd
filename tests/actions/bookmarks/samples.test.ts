import { expect, test } from 'vitest'
import { addSamples } from '../../../src-main/actions/bookmarks/samples.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { everything, link, PRIVATE, quickPorts, START } from '../ports.ts'

test('samples of every type are added with tags, are found, and are removed at once', async () => {
  const ports = quickPorts()
  const { library } = ports
  expect(await addSamples(ports)).toBe(40)
  expect(await addSamples(ports)).toBe(0)
  expect(await library.countSamples()).toBe(40)
  const counts = await library.countByKind()
  expect(counts).toMatchObject({ all: 40, trash: 0, link: 33, image: 2, color: 3, text: 2 })
  const { bookmarks } = await library.searchBookmarks(PROFILE, { words: 'mechanical watch', page: 1, limit: 5 })
  expect(bookmarks[0]).toMatchObject({ title: 'Mechanical Watch', tags: ['favorite', 'science'] })
  expect(await library.removeSamples()).toBe(40)
  expect(await library.countByKind()).toEqual({ ...counts, all: 0, link: 0, image: 0, color: 0, text: 0 })
  expect(await everything(ports)).toEqual([])
})

test('a sample is not fetched from its site', async () => {
  const ports = quickPorts()
  await addSamples(ports)
  expect(await ports.library.duePage(START + 1e10, [])).toBeUndefined()
  expect(await ports.library.countPagesToRead()).toBe(0)
})

test('edited samples, deleted samples and own bookmarks stay when the samples are removed', async () => {
  const ports = quickPorts()
  const { library } = ports
  await library.saveBookmarks(PRIVATE, [link('https://own.example/'), link('https://sqlite.org/wal.html')])
  expect(await addSamples(ports)).toBe(39)
  const [first, second, third] = (await everything(ports)).filter(({ tags }) => tags.length > 0).map(({ id }) => id)
  await library.editBookmark(first ?? '', { title: 'My title' }, START)
  await library.changeBookmarks([second ?? ''], { kind: 'tags', add: ['mine'], remove: [] }, START)
  await library.changeBookmarks([third ?? ''], { kind: 'delete' }, START)
  expect(await library.countSamples()).toBe(36)
  expect(await library.removeSamples()).toBe(36)
  expect(await library.countByKind()).toMatchObject({ all: 4, trash: 1 })
  expect((await everything(ports)).map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]))
})

test('a sample that its owner saves or imports too stays when the samples are removed', async () => {
  const ports = quickPorts()
  const { library } = ports
  await addSamples(ports)
  expect(await library.saveBookmarks(PRIVATE, [link('https://sqlite.org/wal.html')])).toMatchObject([
    { status: 'existing' }
  ])
  const draft = { ...link('https://oklch.com/'), owner: null, visibility: 'private' as const, savedAt: START }
  const imported = { ...draft, createdAt: START, updatedAt: START, deletedAt: null }
  await library.importBookmarks(await library.beginImport(START), [packDrafts([imported])])
  expect(await library.removeSamples()).toBe(38)
  expect((await everything(ports)).map(({ url }) => url).sort()).toEqual([
    'https://oklch.com/',
    'https://sqlite.org/wal.html'
  ])
})

test('samples are removed before this machine synchronizes, and not added while it does', async () => {
  const ports = quickPorts()
  const { library } = ports
  await addSamples(ports)
  await library.startSync({ device: 'device', name: 'Desk', folder: '/sync', account: 'sync-device' })
  expect(await library.countByKind()).toMatchObject({ all: 0, trash: 0 })
  expect(await library.countUnsent()).toBe(0)
  await expect(addSamples(ports)).rejects.toThrow('samples are not synchronized')
})
