import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { foldWord, indexText, queryTokens } from '../../../src-main/search/segment.ts'
import { openWriteConnection } from '../../../src-main/store/connection.ts'
import { migrate } from '../../../src-main/store/files/migrate.ts'
import { migrations } from '../../../src-main/store/files/migrations/all.ts'
import { openLibrary } from '../../../src-main/store/open-library.ts'
import { emptyLibrary, note, PRIVATE, titles } from '../../store/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('a library of the first index is indexed again in the background, and found meanwhile newest first', async () => {
  const folder = tempFolder()
  const db = openWriteConnection(join(folder, 'library.sqlite'))
  migrate(db, () => {}, migrations.slice(0, 2))
  const insert = db.prepare(
    `INSERT INTO bookmarks (public_id, type, visibility, title, description, content, created_at, updated_at)
     VALUES (?, 'text', 'private', ?, '', '', 1, 1)`
  )
  for (let row = 1; row <= 1300; row++) insert.run(`id${row}`, `日本語 number ${row}`)
  db.close()

  const library = await openLibrary(folder)
  onTestFinished(() => library.close())
  await expect.poll(() => library.countUnindexed(), { timeout: 20_000 }).toBe(0)
  const found = await library.searchBookmarks(PROFILE, { words: '本語 1300', page: 1, limit: 5 })
  expect(found.bookmarks.map((one) => one.id)).toEqual(['id1300'])
  expect(await library.searchBookmarks(PROFILE, { words: '日本', page: 1, limit: 1 })).toMatchObject({
    total: 100,
    atLeast: true
  })
})

test('a library of the last index, which kept accents and whole runs, is indexed again', async () => {
  const folder = tempFolder()
  const db = openWriteConnection(join(folder, 'library.sqlite'))
  migrate(
    db,
    () => {},
    migrations.filter(({ version }) => version < 290)
  )
  db.exec(`
    INSERT INTO bookmarks (public_id, type, visibility, title, description, content, created_at, updated_at, filters)
      VALUES ('id1', 'text', 'private', 'ร้านอาหารไทยในΑθήνα', '', '', 1, 1, 'x');
    INSERT INTO bookmark_texts (rowid, title, filters) VALUES (1, 'ร้านอาหารไทยในΑθήνα', 'x');
    INSERT INTO bookmark_titles (rowid, words, filters) VALUES (1, 'ร้านอาหารไทยในΑθήνα', 'x');
    INSERT INTO filter_counts VALUES ('x', 1)`)
  db.close()

  const library = await openLibrary(folder)
  onTestFinished(() => library.close())
  await expect.poll(() => library.countUnindexed(), { timeout: 20_000 }).toBe(0)
  for (const words of ['อาหารไทย', 'αθηνα']) {
    expect(await library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })).toMatchObject({ total: 1 })
  }
})

test('the index holds every letter, number and emoji as queries look for it', () => {
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

test.each([
  ['αθηνα', 'Μουσεία στην Αθήνα'],
  ['ΑΘΗΝΑ', 'Μουσεία στην Αθήνα'],
  ['ΜΟΥΣΕΊΑ ΑΘΗΝΑ', 'Μουσεία στην Αθήνα'],
  ['елка', 'Новогодняя ёлка'],
  ['замок', 'Старый за́мок'],
  ["п'ять", 'Пʼять порад'],
  ['п’ять', 'Пʼять порад'],
  ['пять', 'Пʼять порад'],
  ['hawaii', 'Hawaiʻi volcanoes'],
  ["hawai'i", 'Hawaiʻi volcanoes'],
  ['duong', 'Con Đường tơ lụa'],
  ['שלום', 'שָׁלוֹם עולם'],
  ['سلام', 'سَلَامٌ'],
  ['ısparta', 'ISPARTA'],
  ['երեւան', 'ԵՐԵՎԱՆ'],
  ['საქართველო', 'ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ'],
  ['อาหารไทย', 'สูตรทำอาหารไทยง่ายๆ'],
  ['ທ່ອງທ່ຽວ', 'ຂໍ້ມູນທ່ອງທ່ຽວລາວ'],
  ['ភ្នំពេញ', 'ផែនទីរាជធានីភ្នំពេញថ្មី'],
  ['မြန်မာ', 'ပြည်ထောင်စုမြန်မာနိုင်ငံ'],
  ['RFC2616', 'RFC 2616: HTTP/1.1'],
  ['h264', 'The H.264 standard'],
  ['rfc 7231', 'Notes on RFC7231'],
  ['100mb', 'A file of 100 MB'],
  ['🔖', '🔖'],
  ['❤', '❤️ favourites'],
  ['🇬🇷', 'Greece 🇬🇷']
])('%s finds %s', (words, title) => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    [...new Set([...WRITINGS, title])].map((other) => note({ title: other }))
  )
  expect(titles(library, { words })[0]).toBe(title)
})

/** Among them, nothing else that is asked for. */
const WRITINGS = ['Θεσσαλονίκη', 'мои заметки', 'ห้องสมุด', 'ວຽງຈັນ', 'សៀមរាប', 'ရန်ကုန်', 'RFC 2119', '📌', '🇬🇧 tea']

test.each([
  [
    'a part of a word',
    '6050',
    'MPU6050 gyroscope',
    /No whole word matches “6050”; searched for words that hold it: “mpu6050”/
  ],
  ['a word with two letters swapped', 'gyrosocpe', 'MPU6050 gyroscope', /searched for “gyroscope”/],
  ['a word with a wrong first letter', 'hyroscope', 'MPU6050 gyroscope', /searched for “gyroscope”/],
  ['a word with a letter missing', 'gyrocope', 'MPU6050 gyroscope', /searched for “gyroscope”/]
])('%s finds the bookmark, and it is said how: %s', (_, words, title, note_) => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [note({ title }), note({ title: 'Something else' })])
  const found = library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })
  expect(found.bookmarks.map((one) => one.title)).toEqual([title])
  expect(found.note).toMatch(note_)
})

test.each(['gyro5cope', 'hyr cpe', '"gyrosocpe"', 'mpu'.repeat(300)])('nothing is guessed for %s', (words) => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [note({ title: 'gyroscope' })])
  expect(library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 }).total).toBe(0)
})

test('two tags are no phrase', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [note({ title: 'x', tags: ['borrow', 'checker'] })])
  expect(library.searchBookmarks(PROFILE, { words: '"borrow checker"', page: 1, limit: 5 }).note).toMatch(
    /^No bookmark has “borrow checker” as a phrase/
  )
  expect(titles(library, { words: 'borrow checker' })).toEqual(['x'])
})

test('titles and tags come first where matches are many, the last saved first, and no row is on two pages', () => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: 300 }, (_, row) =>
    note({ title: row % 2 ? `rust ${row}` : `other ${row}`, description: 'rust' })
  )
  library.saveBookmarks(PRIVATE, drafts)
  const pages = [1, 2, 3].flatMap((page) =>
    library.searchBookmarks(PROFILE, { words: 'rust', page, limit: 100 }).bookmarks.map((one) => one.title)
  )
  expect(new Set(pages).size).toBe(300)
  expect(pages.slice(0, 3)).toEqual(['rust 299', 'rust 297', 'rust 295'])
  expect(pages.slice(150, 152)).toEqual(['other 298', 'other 296'])
})
