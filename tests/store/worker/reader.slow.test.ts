import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { BookmarkPage, BookmarkQuery } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { openReadConnection } from '../../../src-main/store/connection.ts'
import { CALLS, type CallName } from '../../../src-main/store/library.ts'
import * as threads from '../../../src-main/store/worker/client.ts'
import { createReader, SMALL } from '../../../src-main/store/worker/reader.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { emptyLibrary, link, openedLibrary, PRIVATE, type TestLibrary } from '../library.ts'

let large: Buffer | undefined

/** More bookmarks than are searched without a thread: `common` in all, `even` in half of them, `rare7` in one. */
function largeLibrary(): TestLibrary {
  large ??= makeLargeLibrary()
  const file = join(tempFolder(), 'library.sqlite')
  writeFileSync(file, large)
  return openedLibrary(file)
}

function makeLargeLibrary(): Buffer {
  const library = emptyLibrary()
  const drafts = Array.from({ length: SMALL + 500 }, (_, index) =>
    link(`https://a.example/${index}`, { title: `common ${index % 2 ? 'odd' : 'even'} rare${index}` })
  )
  library.saveBookmarks(PRIVATE, drafts)
  library.db.pragma('wal_checkpoint(TRUNCATE)')
  return readFileSync(library.file)
}

function readerOf(library: TestLibrary) {
  const start = vi.spyOn(threads, 'startThread')
  const db = openReadConnection(library.file)
  const reader = createReader(library.file, db)
  onTestFinished(async () => {
    await reader.close()
    db.close()
    start.mockRestore()
  })
  const call = (name: 'searchBookmarks' | 'countBookmarks', ...args: unknown[]) =>
    reader.call(name, poolCall(name), args as never[])
  return {
    reader,
    start,
    searchBookmarks: (query: BookmarkQuery) => call('searchBookmarks', PROFILE, query) as Promise<BookmarkPage>,
    countBookmarks: () => call('countBookmarks', PROFILE)
  }
}

function poolCall(name: CallName) {
  const line = CALLS[name]
  if (line.runsOn !== 'pool') throw new Error(`${name} runs elsewhere.`)
  return line
}

const query = (words: string) => ({ words, page: 1, limit: 3 })

test('a small library is searched without a thread', async () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'Elephant' })])
  const { searchBookmarks, countBookmarks, start } = readerOf(library)
  for (const words of ['elephant', 'elephent', 'leph', '-nothing', '"elephant"']) {
    expect((await searchBookmarks(query(words))).bookmarks.map((one) => one.title)).toEqual(['Elephant'])
  }
  expect(await countBookmarks()).toBe(1)
  expect(start).not.toHaveBeenCalled()
})

test('a library of few bookmarks but many pages’ texts is a large one', async () => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 501 }, (_, index) => link(`https://a.example/${index}`, { title: `common ${index}` }))
  )
  library.db.exec("INSERT INTO page_texts (bookmark_id, text) SELECT id, 'said there' FROM bookmarks")
  const { searchBookmarks, start } = readerOf(library)
  expect((await searchBookmarks(query('"common 77"'))).total).toBe(1)
  expect(start).toHaveBeenCalled()
})

test('a large library answers alike, whether on the thread or not', async () => {
  const library = largeLibrary()
  const { searchBookmarks, countBookmarks } = readerOf(library)
  const searches = [
    'common',
    'rare77',
    'common even',
    '"common even"',
    'common -even',
    '-even',
    'rare7x',
    'are77',
    'com'
  ]
  for (const words of searches) {
    const { bookmarks, total, atLeast, note } = await searchBookmarks(query(words))
    const expected = library.searchBookmarks(PROFILE, query(words))
    expect({ words, total, atLeast, note }).toEqual({
      words,
      total: expected.total,
      atLeast: expected.atLeast,
      note: expected.note
    })
    expect(bookmarks).toEqual(expected.bookmarks)
  }
  expect(await countBookmarks()).toBe(SMALL + 500)
})

test('the thread sees what was saved a moment ago', async () => {
  const library = largeLibrary()
  const { searchBookmarks } = readerOf(library)
  await searchBookmarks(query('-common'))
  library.saveBookmarks(PRIVATE, [link('https://b.example/', { title: 'Something else' })])
  const found = await searchBookmarks(query('-common'))
  expect(found.bookmarks.map((one) => one.title)).toEqual(['Something else'])
})

test('a thread that could not start is started again', async () => {
  const library = largeLibrary()
  const failing = vi.spyOn(threads, 'startThread').mockRejectedValueOnce(new Error('no memory'))
  const { reader, countBookmarks } = readerOf(library)
  reader.begin()
  await failing.mock.results[0]?.value.catch(() => {})
  await expect(countBookmarks()).resolves.toBe(SMALL + 500)
})
