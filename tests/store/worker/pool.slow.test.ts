import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import * as threads from '../../../src-main/store/worker/client.ts'
import { readingPool } from '../../../src-main/store/worker/pool.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { emptyLibrary, link, PRIVATE } from '../library.ts'

function watched(file: string, most: number, idleMs?: number) {
  const start = vi.spyOn(threads, 'startThread')
  const reading = readingPool(file, most, idleMs)
  onTestFinished(async () => {
    await reading.close()
    start.mockRestore()
  })
  const search = (words: string) =>
    reading.call('searchBookmarks', [PROFILE, { words, page: 1, limit: 1 }]) as Promise<{ total: number }>
  return { reading, start, search }
}

function someLibrary(): string {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 50 }, (_, at) => link(`https://a.example/${at}`, { title: at % 5 === 0 ? 'owl' : 'elk' }))
  )
  library.db.pragma('wal_checkpoint(TRUNCATE)')
  return library.file
}

test('one thread answers who asks one after the other', async () => {
  const { search, start } = watched(someLibrary(), 2)
  for (let at = 0; at < 5; at++) expect((await search('owl')).total).toBe(10)
  expect(start).toHaveBeenCalledOnce()
})

test('another one starts where calls wait, as far as there are cores, and all are answered right', async () => {
  const file = someLibrary()
  for (const most of [1, 2, 3]) {
    const { search, start } = watched(file, most)
    start.mockClear()
    const asked = Array.from({ length: 20 }, (_, at) => (at % 2 ? 'owl' : 'elk'))
    const found = await Promise.all(asked.map(search))
    expect(found.map(({ total }) => total)).toEqual(asked.map((words) => (words === 'owl' ? 10 : 40)))
    expect(start).toHaveBeenCalledTimes(most)
  }
})

test('further threads end once nobody needs them, and start again when they are', async () => {
  const { search, start } = watched(someLibrary(), 2, 20)
  for (const threads of [2, 3]) {
    expect((await Promise.all(Array.from({ length: 20 }, () => search('owl')))).map(({ total }) => total)).toEqual(
      Array(20).fill(10)
    )
    expect(start).toHaveBeenCalledTimes(threads)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await search('elk')).total).toBe(40)
  }
})

test('a library that could not be opened is tried again with the next call', async () => {
  const file = join(tempFolder(), 'library.sqlite')
  const { search } = watched(file, 2)
  await expect(search('owl')).rejects.toThrow()
  copyFileSync(someLibrary(), file)
  expect((await search('owl')).total).toBe(10)
})

test('nothing is asked of a library that is closed', async () => {
  const { reading, search } = watched(someLibrary(), 2)
  await reading.close()
  await expect(search('owl')).rejects.toThrow('closed')
})
