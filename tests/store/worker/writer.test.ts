import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { Problem } from '../../../src-main/contract/problem.ts'
import { openReadConnection } from '../../../src-main/store/connection.ts'
import { openLibrary } from '../../../src-main/store/open-library.ts'
import * as threads from '../../../src-main/store/worker/client.ts'
import { startWriterLate } from '../../../src-main/store/worker/writer.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { link, newKey, PRIVATE, writesOf } from '../library.ts'

/** The writing thread on a new library; the test ends it, or its end does. */
async function writer() {
  const started = await threads.startThread('writing', join(tempFolder(), 'library.sqlite'))
  onTestFinished(() => started.close().catch(() => {}))
  return { ...writesOf(started), call: started.call, close: started.close }
}

test('a problem crosses the thread as a Problem with its code and words', async () => {
  const { createOrganization } = await writer()
  await createOrganization('Acme', 1)
  const error = await createOrganization('acme', 2).catch((cause) => cause)
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ code: 'taken', message: 'There is already an organization named acme.' })
})

test('a bug crosses the thread as an Error that says where it is from, and the thread goes on', async () => {
  const { createKey, createOrganization } = await writer()
  const error = await createKey(newKey({ hash: new Uint8Array(5) })).catch((cause) => cause)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(Problem)
  expect(error.message).toMatch(/CHECK constraint failed[\s\S]*at createKey/)
  await expect(createOrganization('Acme', 1)).resolves.toMatchObject({ name: 'Acme' })
})

test('a call the thread does not know is a bug', async () => {
  const { call } = await writer()
  await expect(call('dropEverything', [])).rejects.toThrow('no call dropEverything')
  await expect(call('listKeys', [])).rejects.toThrow('not a write')
})

test('bytes cross the thread whole', async () => {
  const folder = tempFolder()
  const library = await openLibrary(folder)
  onTestFinished(() => library.close())
  const key = newKey()
  const { rowId } = await library.createKey(key)
  expect(await library.findKey(key.hash)).toMatchObject({ rowId, owner: null })
})

test('calls are answered each with its own answer, in the order they were made', async () => {
  const { saveBookmarks, createOrganization } = await writer()
  const order: number[] = []
  const calls = Array.from({ length: 20 }, async (_, index) => {
    const answer =
      index % 2 === 0
        ? await createOrganization(`Organization ${index}`, index)
        : await saveBookmarks(PRIVATE, [link(`https://a.example/${index}`)])
    order.push(index)
    return answer
  })
  const answers = await Promise.all(calls)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(answers[4]).toMatchObject({ name: 'Organization 4' })
  expect(answers[5]).toMatchObject([{ status: 'saved' }])
})

test('calls before the close are done; calls after it are refused', async () => {
  const { saveBookmarks, close } = await writer()
  const saved = saveBookmarks(PRIVATE, [link('https://a.example/')])
  const closed = close()
  await expect(saved).resolves.toMatchObject([{ status: 'saved' }])
  await closed
  await expect(saveBookmarks(PRIVATE, [link('https://b.example/')])).rejects.toThrow('writing thread has ended')
  await expect(saveBookmarks(PRIVATE, [link('https://b.example/')])).rejects.toThrow('writing thread has ended')
})

test('a library that cannot be opened is a problem', async () => {
  const file = join(tempFolder(), 'library.sqlite')
  writeFileSync(file, '')
  const error = await threads.startThread('writing', file).catch((cause) => cause)
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ code: 'library-damaged' })
})

test('a late writer starts with its first call, and answers in the order it was asked', async () => {
  const start = vi.fn(threads.startThread)
  const writer = startWriterLate(putEmptyLibrary(tempFolder()), start)
  const { createOrganization } = writesOf(writer)
  expect(start).not.toHaveBeenCalled()
  const calls = ['One', 'Two', 'Three'].map((name, at) => createOrganization(name, at))
  expect((await Promise.all(calls)).map(({ name }) => name)).toEqual(['One', 'Two', 'Three'])
  await writer.begin()
  expect(start).toHaveBeenCalledOnce()
  await writer.close()
  await expect(createOrganization('Four', 4)).rejects.toThrow('writing thread has ended')
})

test('a late writer that nobody asked leaves no log behind, and does not start once it is closed', async () => {
  const folder = tempFolder()
  const file = putEmptyLibrary(folder)
  const db = openReadConnection(file)
  const writer = startWriterLate(file, threads.startThread)
  db.close()
  await writer.close()
  expect(readdirSync(folder).sort()).toEqual(['library.seen', 'library.sqlite'])
  await expect(writesOf(writer).createOrganization('Acme', 1)).rejects.toThrow('The library is closed')
})

test('a late writer that could not start is started again by the next call', async () => {
  const file = join(tempFolder(), 'library.sqlite')
  writeFileSync(file, '')
  const writer = startWriterLate(file, threads.startThread)
  await expect(writer.begin()).rejects.toMatchObject({ code: 'library-damaged' })
  await expect(writesOf(writer).createOrganization('Acme', 1)).rejects.toMatchObject({ code: 'library-damaged' })
  rmSync(file)
  await expect(writesOf(writer).createOrganization('Acme', 1)).resolves.toMatchObject({ name: 'Acme' })
  await writer.close()
})

test('a read sees every write that resolved before it, and it is there after closing and opening', async () => {
  const folder = tempFolder()
  const first = await openLibrary(folder)
  for (let index = 0; index < 20; index++) {
    await first.saveBookmarks(PRIVATE, [link(`https://a.example/${index}`)])
    expect(await first.countBookmarks(PROFILE)).toBe(index + 1)
  }
  await first.close()
  const second = await openLibrary(folder)
  onTestFinished(() => second.close())
  expect(await second.countBookmarks(PROFILE)).toBe(20)
})

test('a change of many bookmarks does not fill a small disk with its log', async ({ skip }) => {
  const disk = tempFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
  skip(mounted.status !== 0, 'a small disk cannot be mounted here without root')
  onTestFinished(() => void spawnSync('umount', ['-l', disk]))
  const library = await openLibrary(disk)
  onTestFinished(() => library.close())
  const drafts = Array.from({ length: 1500 }, (_, index) => link(`https://a.example/${index}`))
  const saved = await library.saveBookmarks(PRIVATE, drafts)
  for (let change = 1; change <= 3; change += 1) {
    const description = `${change} `.repeat(500)
    for (const { id } of saved) await library.editBookmark(id, { description }, change)
  }
  expect(statSync(join(disk, 'library.sqlite-wal')).size).toBeLessThan(8_000_000)
  // At last it is full of bookmarks. What was refused is not there, and all else is.
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
