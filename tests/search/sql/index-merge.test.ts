import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { openReadConnection } from '../../../src-main/store/connection.ts'
import { openLibrary } from '../../../src-main/store/open-library.ts'
import { emptyLibrary, link, PRIVATE, type TestLibrary, titles } from '../../store/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Saves bookmarks, each transaction of which leaves a piece of its own. */
function save(library: TestLibrary, from: number, to: number): void {
  for (let index = from; index < to; index += 50) {
    const drafts = Array.from({ length: 50 }, (_, more) =>
      link(`https://a.example/${index + more}`, { title: `number word${index + more}` })
    )
    library.saveBookmarks(PRIVATE, drafts)
  }
}

function pieces(db: Pick<TestLibrary['db'], 'prepare'>, index: string): number {
  return db.prepare(`SELECT count(DISTINCT segid) FROM ${index}_idx`).pluck().get() as number
}

test('the pieces of each index become one, and searches find what they found', () => {
  const library = emptyLibrary()
  save(library, 0, 1000)
  const before = titles(library, { words: 'number' })
  expect(pieces(library.db, 'bookmark_texts')).toBeGreaterThan(1)
  let steps = 0
  while (library.mergeSome()) steps += 1
  expect(steps).toBeGreaterThan(0)
  for (const index of ['bookmark_texts', 'bookmark_titles', 'word_parts']) expect(pieces(library.db, index)).toBe(1)
  expect(titles(library, { words: 'number' })).toEqual(before)
  expect(titles(library, { words: 'word77' })).toContain('number word77')
  for (const index of ['bookmark_texts', 'bookmark_titles', 'word_parts']) {
    library.db.exec(`INSERT INTO ${index} (${index}) VALUES ('integrity-check')`)
  }
})

test('a library is merged again only when it has grown by a quarter', () => {
  const library = emptyLibrary()
  save(library, 0, 1000)
  while (library.mergeSome());
  save(library, 1000, 1500)
  expect(library.mergeSome()).toBe(false)
  save(library, 1500, 2000)
  expect(library.mergeSome()).toBe(true)
})

test('texts of pages count as bookmarks do', () => {
  const library = emptyLibrary()
  save(library, 0, 600)
  while (library.mergeSome());
  const none = {
    siteName: '',
    canonicalUrl: null,
    language: null,
    publishedAt: null,
    layout: null,
    icon: null,
    preview: null
  }
  const describe = (pages: number) => {
    for (let index = 0; index < pages; index++) {
      const page = library.duePage(9000, [])
      if (page) library.saveDetails(page, { ...none, kind: 'page', title: '', description: '', text: 'some words' }, 1)
    }
  }
  describe(500)
  expect(library.mergeSome()).toBe(false)
  describe(100)
  save(library, 600, 700)
  expect(library.mergeSome()).toBe(true)
  while (library.mergeSome());
  expect(pieces(library.db, 'bookmark_texts')).toBe(1)
  expect(titles(library, { words: 'some words' })).toHaveLength(100)
})

test('the service merges by itself while nobody writes', async () => {
  const folder = tempFolder()
  const library = await openLibrary(folder)
  onTestFinished(() => library.close())
  for (let index = 0; index < 12; index++) {
    const drafts = Array.from({ length: 100 }, (_, more) => link(`https://a.example/${index}/${more}`, { title: 'x' }))
    await library.saveBookmarks(PRIVATE, drafts)
  }
  const db = openReadConnection(`${folder}/library.sqlite`)
  onTestFinished(() => {
    db.close()
  })
  await expect.poll(() => pieces(db, 'bookmark_texts'), { timeout: 20_000 }).toBe(1)
  expect((await library.searchBookmarks(PROFILE, { words: 'x', page: 1, limit: 5 })).bookmarks).toHaveLength(5)
})
