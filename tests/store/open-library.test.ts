import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { Problem } from '../../src-main/contract/problem.ts'
import { packDrafts } from '../../src-main/core/packed-drafts.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { createThreads, startThread } from '../../src-main/store/threads.ts'
import { putEmptyLibrary } from '../support/library.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { imported, link, newKey, PRIVATE, startedLibrary } from './library.ts'

const MODES = [
  ['with threads', { inPlace: false }],
  ['in place', { inPlace: true }]
] as const

test.each(MODES)('a library opened %s reports a Problem with its code and message', async (_, options) => {
  const library = await startedLibrary(tempFolder(), options)
  await library.createOrganization('Acme', 1)
  const error = await library.createOrganization('acme', 2).catch((cause) => cause)
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ code: 'taken', message: 'There is already an organization named acme.' })
})

test.each(MODES)('a library opened %s reports a bug as an Error, and continues', async (_, options) => {
  const library = await startedLibrary(tempFolder(), options)
  const error = await library.createKey(newKey({ hash: new Uint8Array(5) })).catch((cause) => cause)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(Problem)
  expect(`${error.message} ${error.stack}`).toMatch(/CHECK constraint failed[\s\S]*at createKey/)
  await expect(library.createOrganization('Acme', 1)).resolves.toMatchObject({ name: 'Acme' })
})

test('an argument that could not be sent to a thread is refused in place too', async () => {
  const { createOrganization } = await startedLibrary(tempFolder(), { inPlace: true })
  await expect(createOrganization((() => 'Acme') as unknown as string, 1)).rejects.toThrow('could not be cloned')
})

test.each(MODES)('a file that is no library is refused as a Problem by a library opened %s', async (_, options) => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'library.sqlite'), 'Dear diary')
  await expect(openLibrary(folder, options)).rejects.toMatchObject({ name: 'Problem', code: 'not-a-library' })
})

test('calls are answered in the order they were made, each with its own answer', async () => {
  const library = await startedLibrary()
  const order: number[] = []
  const calls = Array.from({ length: 20 }, async (_, index) => {
    const answer =
      index % 2 === 0
        ? await library.createOrganization(`Organization ${index}`, index)
        : await library.saveBookmarks(PRIVATE, [link(`https://a.example/${index}`)])
    order.push(index)
    return answer
  })
  const answers = await Promise.all(calls)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(answers[4]).toMatchObject({ name: 'Organization 4' })
  expect(answers[5]).toMatchObject([{ status: 'saved' }])
})

test('a read sees every write that resolved before it, also after the library was opened again', async () => {
  const folder = tempFolder()
  const first = await openLibrary(folder)
  for (let index = 0; index < 20; index++) {
    await first.saveBookmarks(PRIVATE, [link(`https://a.example/${index}`)])
    expect(await first.countBookmarks(PROFILE)).toBe(index + 1)
  }
  await first.close()
  const second = await startedLibrary(folder)
  expect(await second.countBookmarks(PROFILE)).toBe(20)
})

test('writes made before the library is closed are done, and writes after it are refused', async () => {
  const folder = tempFolder()
  const library = await openLibrary(folder)
  const saved = library.saveBookmarks(PRIVATE, [link('https://a.example/')])
  const closed = library.close()
  await expect(saved).resolves.toMatchObject([{ status: 'saved' }])
  await closed
  await expect(library.saveBookmarks(PRIVATE, [link('https://b.example/')])).rejects.toThrow()
  expect(await (await startedLibrary(folder)).countBookmarks(PROFILE)).toBe(1)
})

test('a library that was opened only to read leaves no log behind', async () => {
  const folder = tempFolder()
  putEmptyLibrary(folder)
  const library = await openLibrary(folder)
  expect(await library.countBookmarks(PROFILE)).toBe(0)
  await library.close()
  expect(readdirSync(folder).sort()).toEqual(['library.seen', 'library.sqlite'])
})

test('a thread starts once, with its first call, and again after it could not start', async () => {
  const file = join(tempFolder(), 'library.sqlite')
  writeFileSync(file, '')
  const start = vi.fn(startThread)
  const threads = createThreads(file, start)
  expect(start).not.toHaveBeenCalled()
  await expect(threads.get('writing')).rejects.toMatchObject({ code: 'library-damaged' })
  rmSync(file)
  const writer = await threads.get('writing')
  expect(await threads.get('writing')).toBe(writer)
  expect(start).toHaveBeenCalledTimes(2)
  await threads.close('writing')
  await expect(writer.call('createOrganization', ['Acme', 1])).rejects.toThrow('writing thread has ended')
  await expect(threads.get('reading')).rejects.toThrow('closed')
})

test('a key that is revoked, replaced or ended with its organization is so at the next read', async () => {
  const library = await startedLibrary()
  const acme = await library.createOrganization('Acme', 1)
  const keys = [newKey(), newKey(), newKey({ owner: acme.rowId })]
  const states = () => Promise.all(keys.map(async ({ hash }) => (await library.findKey(hash))?.revokedAt))
  expect(await states()).toEqual([undefined, undefined, undefined])
  const ids: string[] = []
  for (const key of keys) ids.push((await library.createKey(key)).id)
  expect(await states()).toEqual([null, null, null])
  await library.revokeKey(ids[0] ?? '', 5)
  expect(await states()).toEqual([5, null, null])
  await library.replaceKey(ids[1] ?? '', newKey({ createdAt: 6 }))
  expect(await states()).toEqual([5, 6, null])
  await library.revokeKeysOf(acme.rowId, 7)
  expect(await states()).toEqual([5, 6, 7])
})

test('changes of many bookmarks do not fill a small disk with the log, and a full disk loses none', async ({
  skip
}) => {
  const disk = tempFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
  skip(mounted.status !== 0, 'a small disk cannot be mounted here without root')
  onTestFinished(() => void spawnSync('umount', ['-l', disk]))
  const library = await startedLibrary(disk)
  const drafts = Array.from({ length: 1500 }, (_, index) => link(`https://a.example/${index}`))
  const saved = await library.saveBookmarks(PRIVATE, drafts)
  for (let change = 1; change <= 3; change += 1) {
    const description = `${change} `.repeat(500)
    for (const { id } of saved) await library.editBookmark(id, { description }, change)
  }
  expect(statSync(join(disk, 'library.sqlite-wal')).size).toBeLessThan(8_000_000)
  // Fills the disk with bookmarks. A refused edit changes nothing, and all others are kept.
  const refusals: unknown[] = []
  let titled = 0
  for (const { id } of saved) {
    if (refusals.length > 3) break
    const edit = library.editBookmark(id, { title: 'T', content: `${id} `.repeat(2000) }, 9)
    await edit.then(
      () => (titled += 1),
      (error) => refusals.push(error)
    )
  }
  expect(refusals[0]).toMatchObject({ code: 'disk-full' })
  const { bookmarks } = await library.listBookmarks({ order: 'newest', page: 1, limit: 2000 })
  expect(bookmarks.filter(({ description }) => description.startsWith('3 '))).toHaveLength(1500)
  expect(bookmarks.filter(({ title }) => title === 'T')).toHaveLength(titled)
})

test.each(MODES)('a library opened %s emits what rules changed while it indexed an import', async (_, options) => {
  const events: unknown[] = []
  const library = await startedLibrary(tempFolder(), { ...options, emit: (event) => events.push(event) })
  await library.saveRule({ query: 'crab', tags: ['crab'], place: undefined, copy: false }, 1000)
  const drafts = [imported(link('https://a.example/crab'))]
  await library.importBookmarks(await library.beginImport(1000), [packDrafts(drafts)])
  events.length = 0
  await expect.poll(() => events).toEqual([{ kind: 'rules' }, { kind: 'bookmarks' }])
  expect(await library.listRules()).toMatchObject([{ matched: 1 }])
})

test('an import emits a change of the bookmarks, unless all were there before', async () => {
  const events: unknown[] = []
  const library = await startedLibrary(tempFolder(), { inPlace: true, emit: (event) => events.push(event) })
  const importPage = async (time: number) =>
    library.importBookmarks(await library.beginImport(time), [packDrafts([imported(link('https://a.example/'))])])
  await importPage(1000)
  expect(events).toEqual([{ kind: 'bookmarks', saved: 1 }])
  await importPage(2000)
  expect(events).toHaveLength(1)
})
