import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { openReadConnection } from '../../../src-main/database/connection.ts'
import { openLibraryFile } from '../../../src-main/database/library-file.ts'
import { foldWord, indexText, queryTokens } from '../../../src-main/search/segment.ts'
import {
  emptyLibrary,
  link,
  note,
  PAGE,
  PRIVATE,
  startedLibrary,
  type TestLibrary,
  titles
} from '../../store/library.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const TITLE = 'ร้านอาหารไทยในΑθήνα'

test('bookmarks that the index lacks are indexed in the background', async () => {
  const file = putEmptyLibrary(tempFolder())
  const db = openLibraryFile(file)
  db.exec(
    `WITH RECURSIVE n (row) AS (SELECT 1 UNION ALL SELECT row + 1 FROM n LIMIT 1300)
       INSERT INTO bookmarks (public_id, type, visibility, title, description, content, created_at, updated_at, to_index)
       SELECT 'id' || row, 'text', 'private', '${TITLE}', '', '', 1, 1, 1 FROM n`
  )
  db.close()
  const library = await startedLibrary(dirname(file))
  // The first write starts the writing thread.
  await library.purgeTrash(0)
  await expect.poll(() => library.countUnindexed(), { timeout: 20_000 }).toBe(0)
  for (const words of ['อาหารไทย', 'αθηνα']) {
    expect(await library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })).toMatchObject({ total: 100 })
  }
})

test('the index has every letter, number and emoji as queries search for it', () => {
  const { db } = emptyLibrary()
  db.exec('CREATE VIRTUAL TABLE terms USING fts5vocab (bookmark_titles, row)')
  const all = Array.from({ length: 0x20000 }, (_, number) => String.fromCodePoint(number)).filter((character) =>
    /(?!\p{Script=Han}|\p{Script=Hangul})[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(character)
  )
  db.prepare('INSERT INTO bookmark_titles (words) VALUES (?)').run(all.map(indexText).join(' '))
  const terms = new Set(db.prepare('SELECT term FROM terms').pluck().all())
  const lost = all.filter((character) => queryTokens(character).tokens.some((token) => !terms.has(foldWord(token))))
  expect(all.length).toBeGreaterThan(20_000)
  expect(lost).toEqual([])
})

test('of many matches those in titles come first, the last saved first, and none is on two pages', () => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: 300 }, (_, row) =>
    note({ title: row % 2 ? `rust ${row}` : `other ${row}`, description: 'rust' })
  )
  library.saveBookmarks(PRIVATE, drafts)
  const pages = [1, 2, 3].flatMap((page) => titles(library, { words: 'rust', page }))
  expect(new Set(pages).size).toBe(300)
  expect(pages.slice(0, 3)).toEqual(['rust 299', 'rust 297', 'rust 295'])
  expect(pages.slice(150, 152)).toEqual(['other 298', 'other 296'])
})

/** Saves bookmarks, 50 in each transaction. */
function save(library: TestLibrary, from: number, to: number): void {
  for (let index = from; index < to; index += 50) {
    const drafts = Array.from({ length: 50 }, (_, more) =>
      link(`https://a.example/${index + more}`, { title: `number word${index + more}` })
    )
    library.saveBookmarks(PRIVATE, drafts)
  }
}

function countSegments(db: Pick<TestLibrary['db'], 'prepare'>, index: string): number {
  return db.prepare(`SELECT count(DISTINCT segid) FROM ${index}_idx`).pluck().get() as number
}

test('an index is merged once it has grown by a quarter, and finds the same as before', () => {
  const library = emptyLibrary()
  const merge = () => {
    while (library.mergeStep());
    return ['bookmark_texts', 'bookmark_titles', 'word_parts'].map((index) => countSegments(library.db, index))
  }
  save(library, 0, 1000)
  const before = titles(library, { words: 'number' })
  expect(merge()).toEqual([1, 1, 1])
  expect(titles(library, { words: 'number' })).toEqual(before)
  expect(titles(library, { words: 'word77' })).toContain('number word77')
  save(library, 1000, 1700)
  expect(library.mergeStep()).toBe(false)
  // Texts of pages count as bookmarks do.
  for (let read = 0; read < 50; read++) {
    const page = library.duePage(9000, [])
    if (page) library.saveDetails(page, { ...PAGE, text: 'some words' }, 1)
  }
  expect(merge()).toEqual([1, 1, 1])
  expect(titles(library, { words: 'some words' })).toHaveLength(50)
})

test('the service merges the index while nobody writes', async () => {
  const folder = tempFolder()
  const library = await startedLibrary(folder)
  for (let index = 0; index < 12; index++) {
    const drafts = Array.from({ length: 100 }, (_, more) => link(`https://a.example/${index}/${more}`, { title: 'x' }))
    await library.saveBookmarks(PRIVATE, drafts)
  }
  const db = openReadConnection(`${folder}/library.sqlite`)
  onTestFinished(() => void db.close())
  await expect.poll(() => countSegments(db, 'bookmark_texts'), { timeout: 20_000 }).toBe(1)
  expect((await library.searchBookmarks(PROFILE, { words: 'x', page: 1, limit: 5 })).bookmarks).toHaveLength(5)
})
