import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { ImportDraft } from '../../../src-main/contract/library-export.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { indexFaults, rebuildIndex } from '../../../src-main/search/sql/index-faults.ts'
import { openReadConnection } from '../../../src-main/store/connection.ts'
import { migrations } from '../../../src-main/store/files/migrations/all.ts'
import { openLibrary } from '../../../src-main/store/open-library.ts'
import {
  emptyLibrary,
  imported,
  link,
  listed,
  note,
  PRIVATE,
  settle,
  type TestLibrary,
  titles,
  within
} from '../../store/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Numbered pages: of each ten one is of another site, and has a tag. */
function pages(count: number): ImportDraft[] {
  return Array.from({ length: count }, (_, number) => {
    const isTenth = number % 10 === 0
    const url = `https://${isTenth ? 'sub.rare' : 'a'}.example/${number}`
    return imported(link(url, { title: `heron ${number}`, tags: isTenth ? ['tenth'] : [], createdAt: number }))
  })
}

/** A library with so many imported bookmarks, none of which is indexed yet. */
function withImport(count: number): TestLibrary {
  const library = emptyLibrary()
  library.importBookmarks(library.beginImport(1000), [packDrafts(pages(count))])
  return library
}

const exported = (library: TestLibrary, words: string): string[] => {
  const found: string[] = []
  for (let after: number | null = 0; after !== null; ) {
    const { bookmarks, next } = library.exportBookmarks({ words, trash: 'without', after })
    found.push(...bookmarks.map(({ title }) => title))
    after = next
  }
  return found
}

test('what was imported is listed, counted and filtered before its words are indexed', () => {
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

test('titles are in order across what is indexed and what is not, on every page', () => {
  const library = withImport(300)
  library.rebuildSome()
  expect(library.countUnindexed()).toBe(100)
  const all = Array.from({ length: 300 }, (_, number) => `heron ${number}`).sort()
  const pages = [1, 2, 3, 4].flatMap((page) => listed(library, { order: 'title', page, limit: 80 }))
  expect(pages).toEqual(all)
  expect(listed(library, { order: 'title', tags: ['tenth'] })).toEqual(all.filter((title) => title.endsWith('0')))
  expect(listed(library, { order: 'title', type: 'link', page: 3 })).toEqual(all.slice(200))
  settle(library)
  expect(listed(library, { order: 'title', page: 3 })).toEqual(all.slice(200))
})

test('pages are compared and due to be read once they are indexed, and shown as due before', () => {
  const library = withImport(10)
  library.importBookmarks(library.beginImport(1000), [packDrafts([imported(link('http://www.a.example/1'))])])
  const { id } = library.listBookmarks({ order: 'newest', page: 1, limit: 1 }).bookmarks[0] ?? { id: '' }
  expect(library.findDuplicates(1, 10)).toMatchObject({ total: 0, settled: false })
  expect(library.countPagesToRead()).toBe(0)
  expect(library.findPage(id)).toMatchObject({ due: 1000, state: null })
  settle(library)
  while (library.rekeySome());
  expect(library.findDuplicates(1, 10)).toMatchObject({ total: 1, settled: true })
  expect(library.countPagesToRead()).toBe(11)
  expect(library.findPage(id)).toMatchObject({ due: 1000, state: null })
})

test('a page that was read before its words are indexed is not due again', () => {
  const library = withImport(10)
  const { id } = library.listBookmarks({ order: 'newest', page: 1, limit: 1 }).bookmarks[0] ?? { id: '' }
  expect(library.askForPage(id, 2000)).toBe(true)
  const page = library.duePage(3000, [])
  expect(page).toMatchObject({ id })
  if (page) library.saveFailure(page, { fault: 'gone', title: '', due: null, attempts: 1 }, 3000)
  settle(library)
  expect(library.findPage(id)).toMatchObject({ due: null, state: 'failed' })
  expect(library.countPagesToRead()).toBe(9)
})

test('what came as part of the trash is like all others once it is restored', () => {
  const library = emptyLibrary()
  const old = { ...imported(link('https://a.example/', { title: 'heron' })), deletedAt: 500 }
  const drafts = [old, imported(link('https://b.example/', { title: 'egret' }))]
  library.importBookmarks(library.beginImport(1000), [packDrafts(drafts)])
  settle(library)
  const [bookmark] = library.listBookmarks({ order: 'newest', page: 1, limit: 5, trash: true }).bookmarks
  library.changeBookmarks([bookmark?.id ?? ''], { kind: 'restore' }, 2000)
  expect(listed(library, { order: 'title' })).toEqual(['egret', 'heron'])
  expect(library.countPagesToRead()).toBe(2)
  expect(titles(library, { words: 'heron' })).toEqual(['heron'])
})

test('a page that a file holds in the trash and then not is one bookmark with its tags, and undone as one', () => {
  const library = emptyLibrary()
  const page = imported(link('https://a.example/', { title: 'heron', tags: ['lake'] }))
  const importId = library.beginImport(1000)
  const both = [packDrafts([{ ...page, deletedAt: 500 }, page])]
  expect(library.importBookmarks(importId, both)).toEqual(['saved', 'repeated'])
  expect(listed(library, { tags: ['lake'] })).toEqual(['heron'])
  expect(indexFaults(library.db)).toEqual([])
  settle(library)
  expect(titles(library, { words: 'heron', tags: ['lake'] })).toEqual(['heron'])

  const id = library.listBookmarks({ order: 'newest', page: 1, limit: 1 }).bookmarks[0]?.id ?? ''
  library.changeBookmarks([id], { kind: 'delete' }, 900)
  expect(library.importBookmarks(importId, [packDrafts([page])])).toEqual(['repeated'])
  expect(listed(library)).toEqual(['heron'])
  expect(indexFaults(library.db)).toEqual([])
})

test('a page an import takes out of the trash twice is taken out once', () => {
  const library = emptyLibrary()
  const page = imported(link('https://a.example/', { title: 'heron' }))
  library.importBookmarks(library.beginImport(1), [packDrafts([{ ...page, deletedAt: 500 }])])
  const importId = library.beginImport(1000)
  expect(library.importBookmarks(importId, [packDrafts([page])])).toEqual(['saved'])
  const id = library.listBookmarks({ order: 'newest', page: 1, limit: 1 }).bookmarks[0]?.id ?? ''
  library.changeBookmarks([id], { kind: 'delete' }, 6000)
  expect(library.importBookmarks(importId, [packDrafts([page])])).toEqual(['saved'])
  expect(listed(library)).toEqual(['heron'])
})

test('what was not indexed under version 120 is what it was', () => {
  const library = withImport(300)
  library.rebuildSome()
  library.db.exec(`
    UPDATE bookmarks SET unindexed = NULL;
    DROP INDEX bookmarks_by_title;
    DROP INDEX bookmarks_by_site;
    ALTER TABLE bookmarks DROP COLUMN unindexed;
    CREATE INDEX bookmarks_by_title ON bookmarks (title);
    ${migrations.find(({ version }) => version === 130)?.sql}`)
  expect(listed(library, { order: 'title', page: 3 })).toHaveLength(100)
  expect(indexFaults(library.db)).toEqual([])
  settle(library)
  expect(listed(library, { order: 'title', page: 3 })).toHaveLength(100)
  expect(library.countPagesToRead()).toBe(300)
})

test('a round of links takes in none whose page was not read for want of its turn', () => {
  const library = withImport(10)
  const round = library.beginLinkRound({ asked: false }, 2_000_000)
  library.takeInOldLinks(round.id, 1_500_000, 2_000_000)
  expect(library.linkRound()).toMatchObject({ total: 0 })
})

test('a bookmark whose organization or picture is gone is not imported, and nothing else of its batch', () => {
  const library = emptyLibrary()
  const importId = library.beginImport(1000)
  const whole = imported(link('https://a.example/'))
  const image = { ...imported(note({ type: 'image' })), picture: 'a'.repeat(64) }
  for (const broken of [{ ...whole, owner: 7, visibility: 'organization' as const }, image]) {
    expect(() => library.importBookmarks(importId, [packDrafts([whole, broken])])).toThrow(/gone|deleted/)
  }
  expect(() => library.importBookmarks(importId, [packDrafts([{ ...whole, owner: 7 }])])).toThrow('of 7 is private')
  expect(() => library.importBookmarks(importId + 1, [packDrafts([whole])])).toThrow('The import is gone.')
  expect(library.countByKind()).toMatchObject({ all: 0 })
  expect(library.db.pragma('foreign_keys', { simple: true })).toBe(1)
  expect(library.db.pragma('ignore_check_constraints', { simple: true })).toBe(0)
})

test('the last imported are found first, and in the end all', () => {
  const library = withImport(500)
  library.rebuildSome()
  expect(titles(library, { words: 'heron 499' })).toEqual(['heron 499'])
  expect(titles(library, { words: 'heron "0"' })).toEqual([])
  expect(titles(library, { domain: 'rare.example' })).toHaveLength(50)
  settle(library)
  expect(titles(library, { words: 'heron "0"' })).toEqual(['heron 0'])
  expect(library.countUnindexed()).toBe(0)
  expect(library.isIndexing(PROFILE)).toBe(false)
})

test('what is changed or saved meanwhile is found at once, and nothing is indexed twice', () => {
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
  library.db.exec("INSERT INTO bookmark_texts (bookmark_texts) VALUES ('integrity-check')")
})

test('row ids that are given away again are indexed as what they are now', () => {
  const library = withImport(20)
  const last = library.listBookmarks({ order: 'newest', page: 1, limit: 5 }).bookmarks.map(({ id }) => id)
  library.changeBookmarks(last, { kind: 'delete' }, 2000)
  library.changeBookmarks(last, { kind: 'purge' }, 2000)
  library.saveBookmarks(PRIVATE, [note({ title: 'stork' })])
  library.importBookmarks(library.beginImport(3000), [
    packDrafts([imported(link('https://b.example/', { title: 'bittern' }))])
  ])
  expect(titles(library, { words: 'stork' })).toEqual(['stork'])
  settle(library)
  expect(titles(library, { words: 'bittern' })).toEqual(['bittern'])
  expect(titles(library, { words: 'heron' })).toHaveLength(15)
  expect(indexFaults(library.db)).toEqual([])
})

test('an export by words holds what is not indexed yet, however much there is', () => {
  const library = withImport(1200)
  library.rebuildSome()
  expect(exported(library, 'heron')).toHaveLength(1200)
  expect(exported(library, '"heron 77"')).toEqual(['heron 77'])
  expect(exported(library, 'heron -tenth')).toHaveLength(1080)
  expect(exported(library, '-tenth')).toHaveLength(1080)
  expect(exported(library, 'stork')).toEqual([])
})

test('an import that is undone before it is indexed leaves nothing to find', () => {
  const library = withImport(700)
  while (library.undoImportSome(1, 2000)?.done === false);
  expect(library.countByKind()).toMatchObject({ all: 0, trash: 700 })
  settle(library)
  expect(titles(library, { words: 'heron' })).toEqual([])
  expect(indexFaults(library.db)).toEqual([])
})

test('a rebuild takes in what waited', () => {
  const library = withImport(300)
  rebuildIndex(library.db)
  expect(library.isIndexing(PROFILE)).toBe(false)
  expect(titles(library, { words: '"heron 299"' })).toEqual(['heron 299'])
  expect(indexFaults(library.db)).toEqual([])
})

test('a row that is in the index too early is a fault that is told', () => {
  const library = withImport(10)
  library.db.exec("INSERT INTO bookmark_texts (rowid, title) VALUES (5, 'heron')")
  expect(indexFaults(library.db)).toEqual(['entries of no bookmark: 1'])
})

test('what is left at the end is indexed after the next start', async () => {
  const folder = tempFolder()
  const library = await openLibrary(folder)
  const statuses = await library.importBookmarks(await library.beginImport(1000), [packDrafts(pages(3000))])
  expect(statuses.filter((status) => status === 'saved')).toHaveLength(3000)
  await library.close()
  const db = openReadConnection(`${folder}/library.sqlite`)
  expect(db.prepare('SELECT sum(last - first + 1) FROM unindexed_ranges').pluck().get()).toBe(3000)
  db.close()

  const again = await openLibrary(folder)
  onTestFinished(() => again.close())
  expect((await again.countByKind()).all).toBe(3000)
  await again.begin()
  await expect.poll(() => again.countUnindexed(), { timeout: 30_000 }).toBe(0)
  const found = await again.searchBookmarks(PROFILE, { words: '"heron 0"', page: 1, limit: 5 })
  expect(found.bookmarks.map(({ title }) => title)).toEqual(['heron 0'])
})

test('the key of an organization is told of an import into it, and of no other', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Client', 1).rowId
  const theirs = { owner, readOnly: false }
  const bring = (placement: typeof PRIVATE, url: string) =>
    library.importBookmarks(library.beginImport(1000), [packDrafts([imported(link(url), placement)])])
  bring(PRIVATE, 'https://private.example/')
  expect([library.isIndexing(PROFILE), library.isIndexing(theirs)]).toEqual([true, false])
  bring(within(owner), 'https://own.example/')
  expect(library.isIndexing(theirs)).toBe(true)
  settle(library)
  expect([library.isIndexing(PROFILE), library.isIndexing(theirs)]).toEqual([false, false])
})
