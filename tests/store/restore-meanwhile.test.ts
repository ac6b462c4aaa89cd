import { expect, onTestFinished, test, vi } from 'vitest'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { putEmptyLibrary } from '../support/library.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { link, PRIVATE } from './library.ts'

/** A library of two pages, whose backup has the first of them. */
async function backedUp(inPlace = true) {
  const folder = tempFolder()
  putEmptyLibrary(folder)
  const library = await openLibrary(folder, { inPlace })
  onTestFinished(() => library.close())
  await library.saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'owl' })])
  const { name } = await library.backUp('manual-1.sqlite')
  await library.saveBookmarks(PRIVATE, [link('https://b.example/', { title: 'owl' })])
  const count = () => library.countBookmarks(PROFILE)
  return { library, count, restore: () => library.restoreBackup(name, 2000) }
}

test('work of several calls is done before a restore that comes, and what begins meanwhile after it', async () => {
  const { library, count, restore } = await backedUp()
  const goOn = Promise.withResolvers<void>()
  const before = library.inOneLibrary(async () => {
    const first = await count()
    await goOn.promise
    return [first, await count()]
  })
  const restored = restore()
  const after = library.inOneLibrary(async () => [await count(), await count()])
  const single = count()
  goOn.resolve()
  expect(await before).toEqual([2, 2])
  await restored
  expect(await after).toEqual([1, 1])
  expect(await single).toBe(2) // the restore had not begun
})

test('work that fails holds up no restore', async () => {
  const { library, count, restore } = await backedUp()
  await expect(library.inOneLibrary(() => Promise.reject(new Error('planted')))).rejects.toThrow('planted')
  await restore()
  expect(await count()).toBe(1)
})

test('a restore is refused that would have to wait long, and all goes on as it was', async () => {
  const { library, count, restore } = await backedUp()
  const goOn = Promise.withResolvers<void>()
  const before = library.inOneLibrary(() => goOn.promise)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const refused = expect(restore()).rejects.toMatchObject({ code: 'taken' })
  await vi.advanceTimersByTimeAsync(5000)
  await refused
  vi.useRealTimers()
  expect(await library.inOneLibrary(count)).toBe(2)
  goOn.resolve()
  await before
  await restore()
  expect(await count()).toBe(1)
})

test('searches that wait for their turn when a restore begins are answered', async () => {
  const { library, restore } = await backedUp(false)
  const search = async () => {
    const { total } = await library.searchBookmarks(PROFILE, { words: 'owl', page: 1, limit: 1 })
    return total
  }
  const totals = Array.from({ length: 300 }, search)
  const restored = restore()
  expect(new Set(await Promise.all(totals))).toEqual(new Set([2]))
  await restored
  expect(await search()).toBe(1)
})
