import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { perConnection, readValues } from '../../database/sql.ts'
import { anyOf } from '../match.ts'
import { isTwoLettersAway, mayBeMistyped, mayHaveTwoMistakes, oneLetterAway, piecesOf } from '../spelling.ts'
import type { Vocabulary, Wording } from '../wordings.ts'

/** Counts the bookmarks that match a full-text expression and that the caller may see, up to `max`. */
export type CountMatches = (expression: string, max: number) => number

/**
 * Bookmarks with a word are counted up to the higher of this number and this share of all bookmarks, because a higher count
 * hardly changes the ranking.
 */
const MAX_COUNTED = 1500
const SHARE_COUNTED = 0.01

/** Maximum number of corrections of a word that are searched. */
const MAX_CORRECTIONS = 3

/** Maximum number of words containing a part that are searched. */
const MAX_CONTAINING = 20

/** The number of words for which one query checks whether the caller may see any of them. */
const CHECK_SIZE = 50

/** The length of the parts in the index of words (trigrams), in letters. */
const PART_LENGTH = 3

/** Minimum length of a word in the word list, in letters. Shorter words are searched in the full-text index. */
const MIN_LISTED_LENGTH = 4

/**
 * Returns the look-ups of words. The word list is that of the whole library, so every word is first checked against the
 * bookmarks that the caller may see, and only then are the results sorted and limited. No result depends on others.
 *
 * @param bookmarks the approximate number of bookmarks that the caller may see
 */
export function createVocabulary(db: ReadConnection, bookmarks: number, count: CountMatches): Vocabulary {
  const maxCount = Math.max(MAX_COUNTED, Math.round(bookmarks * SHARE_COUNTED))
  // Without the texts of pages, whose words are not in the list: a caller who may see a word only there must not learn
  // that the list has it.
  const countListed = (words: string[], max = maxCount) => count(`${LISTED} : ${anyOf(words.map(toWording))}`, max)

  /** Returns the words that most of the visible bookmarks have, the most common first. */
  function mostCommon(words: string[]): string[] {
    return words
      .map((word) => ({ word, count: countListed([word]) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
      .slice(0, MAX_CORRECTIONS)
      .map(({ word }) => word)
  }

  return {
    bookmarks,
    countBookmarks: (wordings) => count(anyOf(wordings), maxCount),
    findKnown(words) {
      const long = words.filter((word) => word.length >= MIN_LISTED_LENGTH)
      const short = words.filter((word) => word.length > 0 && word.length < MIN_LISTED_LENGTH)
      return [...readListedWords(db, long), ...short].filter((word) => countListed([word], 1) > 0)
    },
    findCorrections(word, onlyNear) {
      if (!mayBeMistyped(word)) return []
      const near = mostCommon(readListedWords(db, oneLetterAway(word)))
      return near.length > 0 || onlyNear || !mayHaveTwoMistakes(word)
        ? near
        : mostCommon(readWordsTwoLettersAway(db, word))
    },
    findBeginning: (part) => (part.length < PART_LENGTH ? [] : readWordsBeginning(db, part)),
    findContaining(part) {
      const words = readWordsContaining(db, part).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
      const visible: string[] = []
      for (let start = 0; start < words.length && visible.length < MAX_CONTAINING; start += CHECK_SIZE) {
        const batch = words.slice(start, start + CHECK_SIZE)
        if (countListed(batch, 1) > 0) visible.push(...batch.filter((word) => countListed([word], 1) > 0))
      }
      return visible.slice(0, MAX_CONTAINING)
    }
  }
}

/** The columns whose words are listed. */
const LISTED = '{title tags address description}'

function toWording(word: string): Wording {
  return { tokens: [word] }
}

/** Returns the words that are in the word list, also those that the caller may not see. */
function readListedWords(db: ReadConnection, words: string[]): string[] {
  const sql = 'SELECT w.word FROM json_each(?) typed JOIN words w ON w.word = typed.value'
  return readValues(db, sql, JSON.stringify(words))
}

/** Returns all words of the word list that contain a part. */
function readWordsContaining(db: ReadConnection, part: string): string[] {
  if (part.length < PART_LENGTH) return []
  const parts = Array.from(
    { length: part.length - PART_LENGTH + 1 },
    (_, start) => `"${part.slice(start, start + PART_LENGTH)}"`
  )
  const sql = `SELECT w.word FROM word_parts p JOIN words w ON w.id = p.rowid
    WHERE word_parts MATCH ? AND instr(w.word, ?) > 0`
  return readValues(db, sql, parts.join(' AND '), part)
}

function readWordsBeginning(db: ReadConnection, beginning: string): string[] {
  const sql = 'SELECT word FROM words WHERE word >= ? AND word < ?'
  return readValues(db, sql, beginning, `${beginning}\uffff`)
}

function readWordsTwoLettersAway(db: ReadConnection, word: string): string[] {
  const { beginning, parts } = piecesOf(word)
  const containing = parts.flatMap((part) => readWordsContaining(db, part))
  const near = new Set([...readWordsBeginning(db, beginning), ...containing])
  return [...near].filter((other) => Math.abs(other.length - word.length) <= 2 && isTwoLettersAway(word, other))
}

/** Maximum number of words in memory. They are not inserted again, which saves most statements for a text. */
const MAX_CACHED = 50_000

/**
 * Returns the writer of the word list, which has each distinct word of the library. Words stay in the list after the last
 * bookmark with them is deleted. Each connection has one writer, which caches the words that it added.
 */
export const wordList = perConnection(createList)

function createList(db: WriteConnection) {
  const insert = db.prepare('INSERT OR IGNORE INTO words (word) VALUES (?)')
  const insertParts = db.prepare('INSERT INTO word_parts (rowid, word) VALUES (?, ?)')
  const newest = db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM words').pluck()
  const cached = new Set<string>()
  let lastRowId = 0

  return {
    /** @param words folded (`addFoldedWords`) */
    add(words: Iterable<string>): void {
      // If a transaction was rolled back, the cache has words that the list lacks.
      if ((newest.get() ?? 0) < lastRowId) cached.clear()
      for (const word of words) {
        if (cached.has(word)) continue
        const { changes, lastInsertRowid } = insert.run(word)
        if (changes === 1) {
          insertParts.run(lastInsertRowid, word)
          lastRowId = Number(lastInsertRowid)
        }
        if (cached.size >= MAX_CACHED) cached.clear()
        cached.add(word)
      }
    }
  }
}
