import { expect, test } from 'vitest'
import { wordList } from '../../../src-main/search/sql/words.ts'
import { emptyLibrary, link, PRIVATE } from '../../store/library.ts'

function wordsOf(library: ReturnType<typeof emptyLibrary>): string[] {
  return library.db.prepare('SELECT word FROM words ORDER BY word').pluck().all() as string[]
}

test('each word of a bookmark is kept once, folded; numbers, short words and pairs of characters are not', () => {
  const library = emptyLibrary()
  const draft = link('https://site.example/path', { title: 'Ürümqi MPU6050 12345 the 日本語', description: 'mpu6050' })
  library.saveBookmarks(PRIVATE, [draft, { ...draft, pageKey: 'https://other.example/' }])
  expect(wordsOf(library)).toEqual(['example', 'https', 'mpu6050', 'path', 'site', 'urumqi'])
})

test('a word whose transaction was rolled back is learned again', () => {
  const { db } = emptyLibrary()
  const words = wordList(db)
  const learnAndFail = db.transaction(() => {
    words.learn(['forgotten'])
    throw new Error('no')
  })
  expect(learnAndFail).toThrow('no')
  words.learn(['forgotten'])
  expect(db.prepare('SELECT word FROM words').pluck().all()).toEqual(['forgotten'])
})
