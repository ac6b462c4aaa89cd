import { expect, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { ImportDraft } from '../../../src-main/contract/library-export.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { openReadConnection } from '../../../src-main/database/connection.ts'
import { indexFaults, rebuildIndex } from '../../../src-main/search/sql/search-index.ts'
import { openLibrary } from '../../../src-main/store/open-library.ts'
import {
  emptyLibrary,
  imported,
  link,
  listed,
  note,
  PRIVATE,
  settle,
  startedLibrary,
  type TestLibrary,
  titles,
  within
} from '../../store/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Numbered pages; every tenth is of another domain and has a tag. */
function pages(count: number): ImportDraft[] {
  return Array.from({ length: count }, (_, number) => {
    const isTenth = number % 10 === 0
    const url = `https://${isTenth ? 'sub.rare' : 'a'}.example/${number}`
    return imported(link(url, { title: `heron ${number}`, tags: isTenth ? ['tenth'] : [], createdAt: number }))
  })
}

/** A library with a number of imported bookmarks that are not indexed yet. */
function withImport(count: number): TestLibrary {
  const library = emptyLibrary()
  importAll(library, pages(count))
  return library
}

/** The titles of an export by words. */
function exported(library: TestLibrary, words: string): string[] {
  return library.readBookmarks(library.matchingIds({ words, trash: 'without' })).map(({ title }) => title)
}

/** The ids of the newest bookmarks. */
function newest(library: TestLibrary, limit: number): string[] {
  return library.listBookmarks({ order: 'newest', page: 1, limit }).bookmarks.map(({ id }) => id)
}

function importAll(library: TestLibrary, drafts: ImportDraft[], importId = library.beginImport(1000)) {
  return library.importBookmarks(importId, [packDrafts(drafts)])
}

test('imported bookmarks are listed, counted and filtered before their words are indexed', () => {
  const library = withImport(300)
  expect(library.countUnindexed()).toBe(300)
  expect(library.isIndexing(PROFILE)).toBe(true)
  expect(library.countByKind()).toMatchObject({ all: 300, link: 300 })
  expect(listed(library, { order: 'oldest' })[0]).toBe('heron 0')
  expect(listed(library, { tags: ['tenth'] })).toHaveLength(30)
  expect(listed(library, { domain: 'rare.example', type: 'link' })[0]).toBe('heron 290')
  expect(library.listBookmarks({ domain: 'rare.example', order: 'newest', page: 1, limit: 1 }).total).toBe(30)
  expect(titles(library, { domain: 'rare.example' })).toHaveLength(30)
  expect(titles(library, { words: 'heron' })).toEqual([])
  expect(indexFaults(library.db)).toEqual([])
})

test('a list by title is in order across indexed and unindexed bookmarks', () => {
  const library = withImport(300)
  library.indexBatch()
  expect(library.countUnindexed()).toBe(100)
  const all = Array.from({ length: 300 }, (_, number) => `heron ${number}`).sort()
  const pages = [1, 2, 3, 4].flatMap((page) => listed(library, { order: 'title', page, limit: 80 }))
  expect(pages).toEqual(all)
  expect(listed(library, { order: 'title', tags: ['tenth'] })).toEqual(all.filter((title) => title.endsWith('0')))
  expect(listed(library, { order: 'title', type: 'link', page: 3 })).toEqual(all.slice(200))
  settle(library)
  expect(listed(library, { order: 'title', page: 3 })).toEqual(all.slice(200))
})

test('imported pages are compared and counted as due before they are indexed', () => {
  const library = withImport(10)
  importAll(library, [imported(link('http://www.a.example/1'))])
  const [id = ''] = newest(library, 1)
  while (library.rekeyBatch());
  expect(library.findDuplicates(1, 10)).toMatchObject({ total: 1, settled: true })
  expect(library.countPagesToRead()).toBe(11)
  expect(library.findStoredPage(id)).toMatchObject({ due: 1000, state: null })
})

test('a page that was read before it is indexed is not due again', () => {
  const library = withImport(10)
  const [id = ''] = newest(library, 1)
  expect(library.askForPage(id, 2000)).toBe(true)
  const page = library.duePage(3000, [])
  expect(page).toMatchObject({ id })
  if (page) library.saveFailure(page, { fault: 'gone', title: '', due: null, attempts: 1 }, 3000)
  settle(library)
  expect(library.findStoredPage(id)).toMatchObject({ due: null, state: 'failed' })
  expect(library.countPagesToRead()).toBe(9)
})

test('a bookmark imported into the trash is like any other once it is restored', () => {
  const library = emptyLibrary()
  const old = { ...imported(link('https://a.example/', { title: 'heron' })), deletedAt: 500 }
  importAll(library, [old, imported(link('https://b.example/', { title: 'egret' }))])
  settle(library)
  const [bookmark] = library.listBookmarks({ order: 'newest', page: 1, limit: 5, trash: true }).bookmarks
  library.changeBookmarks([bookmark?.id ?? ''], { kind: 'restore' }, 2000)
  expect(listed(library, { order: 'title' })).toEqual(['egret', 'heron'])
  expect(library.countPagesToRead()).toBe(2)
  expect(titles(library, { words: 'heron' })).toEqual(['heron'])
})

test('a page that a file has in the trash and outside it becomes one bookmark', () => {
  const library = emptyLibrary()
  const page = imported(link('https://a.example/', { title: 'heron', tags: ['lake'] }))
  const importId = library.beginImport(1000)
  expect(importAll(library, [{ ...page, deletedAt: 500 }, page], importId)).toEqual(['saved', 'repeated'])
  expect(listed(library, { tags: ['lake'] })).toEqual(['heron'])
  expect(indexFaults(library.db)).toEqual([])
  settle(library)
  expect(titles(library, { words: 'heron', tags: ['lake'] })).toEqual(['heron'])

  const [id = ''] = newest(library, 1)
  library.changeBookmarks([id], { kind: 'delete' }, 900)
  expect(importAll(library, [page], importId)).toEqual(['repeated'])
  expect(listed(library)).toEqual(['heron'])
  expect(indexFaults(library.db)).toEqual([])
})

test('an import restores a page from the trash again after it was deleted again', () => {
  const library = emptyLibrary()
  const page = imported(link('https://a.example/', { title: 'heron' }))
  importAll(library, [{ ...page, deletedAt: 500 }])
  const importId = library.beginImport(1000)
  expect(importAll(library, [page], importId)).toEqual(['saved'])
  const [id = ''] = newest(library, 1)
  library.changeBookmarks([id], { kind: 'delete' }, 6000)
  expect(importAll(library, [page], importId)).toEqual(['saved'])
  expect(listed(library)).toEqual(['heron'])
})

test('a batch with a missing organization or picture is refused as a whole', () => {
  const library = emptyLibrary()
  const importId = library.beginImport(1000)
  const whole = imported(link('https://a.example/'))
  const image = { ...imported(note({ type: 'image' })), picture: 'a'.repeat(64) }
  for (const broken of [{ ...whole, owner: 7, visibility: 'organization' as const }, image]) {
    expect(() => importAll(library, [whole, broken], importId)).toThrow(/gone|deleted/)
  }
  expect(() => importAll(library, [{ ...whole, owner: 7 }], importId)).toThrow('of 7 is private')
  expect(() => importAll(library, [whole], importId + 1)).toThrow('The import is gone.')
  expect(library.countByKind()).toMatchObject({ all: 0 })
})

test('the last imported bookmarks are found first, and in the end all are', () => {
  const library = withImport(500)
  library.indexBatch()
  expect(titles(library, { words: 'heron 499' })).toEqual(['heron 499'])
  expect(titles(library, { words: '"heron" "0"' })).toEqual([])
  expect(titles(library, { domain: 'rare.example' })).toHaveLength(50)
  settle(library)
  expect(titles(library, { words: '"heron" "0"' })).toEqual(['heron 0'])
  expect(library.countUnindexed()).toBe(0)
  expect(library.isIndexing(PROFILE)).toBe(false)
})

test('a bookmark changed or saved during the indexing is found at once', () => {
  const library = withImport(300)
  const id = library.listBookmarks({ order: 'oldest', page: 101, limit: 1 }).bookmarks[0]?.id ?? ''
  library.editBookmark(id, { title: 'egret' }, 2000)
  library.saveBookmarks(PRIVATE, [note({ title: 'stork' })])
  expect(titles(library, { words: 'egret' })).toEqual(['egret'])
  expect(titles(library, { words: 'stork' })).toEqual(['stork'])
  expect(library.countUnindexed()).toBe(299)
  expect(indexFaults(library.db)).toEqual([])
  settle(library)
  expect(titles(library, { words: 'egret' })).toEqual(['egret'])
  expect(titles(library, { words: 'heron' })).toHaveLength(100)
})

test('a bookmark that gets the row id of a purged one is indexed as what it is now', () => {
  const library = withImport(20)
  const last = newest(library, 5)
  library.changeBookmarks(last, { kind: 'delete' }, 2000)
  library.changeBookmarks(last, { kind: 'purge' }, 2000)
  library.saveBookmarks(PRIVATE, [note({ title: 'stork' })])
  importAll(library, [imported(link('https://b.example/', { title: 'bittern' }))])
  expect(titles(library, { words: 'stork' })).toEqual(['stork'])
  settle(library)
  expect(titles(library, { words: 'bittern' })).toEqual(['bittern'])
  expect(titles(library, { words: 'heron' })).toHaveLength(15)
  expect(indexFaults(library.db)).toEqual([])
})

test('an export by words includes unindexed bookmarks', () => {
  const library = withImport(1200)
  library.indexBatch()
  expect(exported(library, 'heron')).toHaveLength(1200)
  expect(exported(library, '"heron 77"')).toEqual(['heron 77'])
  expect(exported(library, 'heron -tenth')).toHaveLength(1080)
  expect(exported(library, '-tenth')).toHaveLength(1080)
  expect(exported(library, 'stork')).toEqual([])
})

test('an import that is undone before it is indexed leaves nothing to find', () => {
  const library = withImport(700)
  library.undo({ import: 1 }, 2000)
  expect(library.countByKind()).toMatchObject({ all: 0, trash: 700 })
  settle(library)
  expect(titles(library, { words: 'heron' })).toEqual([])
  expect(indexFaults(library.db)).toEqual([])
})

test('rebuilding the index includes waiting bookmarks', () => {
  const library = withImport(300)
  rebuildIndex(library.db)
  expect(library.isIndexing(PROFILE)).toBe(false)
  expect(titles(library, { words: '"heron 299"' })).toEqual(['heron 299'])
  expect(indexFaults(library.db)).toEqual([])
})

test('indexing continues after a restart', async () => {
  const folder = tempFolder()
  const library = await openLibrary(folder)
  await library.importBookmarks(await library.beginImport(1000), [packDrafts(pages(3000))])
  await library.close()
  const db = openReadConnection(`${folder}/library.sqlite`)
  expect(db.prepare('SELECT count(*) FROM bookmarks WHERE to_index = 1').pluck().get()).toBe(3000)
  db.close()

  const again = await startedLibrary(folder)
  await again.begin()
  await expect.poll(() => again.countUnindexed(), { timeout: 30_000 }).toBe(0)
  const found = await again.searchBookmarks(PROFILE, { words: '"heron 0"', page: 1, limit: 5 })
  expect(found.bookmarks.map(({ title }) => title)).toEqual(['heron 0'])
})

test('an organization’s key sees the indexing of its own bookmarks only', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Client', 1).rowId
  const theirs = { owner, readOnly: false }
  const bring = (placement: typeof PRIVATE, url: string) => importAll(library, [imported(link(url), placement)])
  bring(PRIVATE, 'https://private.example/')
  expect([library.isIndexing(PROFILE), library.isIndexing(theirs)]).toEqual([true, false])
  bring(within(owner), 'https://own.example/')
  expect(library.isIndexing(theirs)).toBe(true)
  settle(library)
  expect([library.isIndexing(PROFILE), library.isIndexing(theirs)]).toEqual([false, false])
})
