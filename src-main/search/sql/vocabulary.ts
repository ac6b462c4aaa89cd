import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { perConnection, readValues } from '../../database/sql.ts'
import { anyOf } from '../match.ts'
import { isTwoLettersAway, mayBeMistyped, mayHaveTwoMistakes, oneLetterAway, piecesOf } from '../spelling.ts'
import type { Vocabulary, Wording } from '../wordings.ts'

/** How many bookmarks that the caller may see a full-text expression finds, counted up to `most`. */
export type CountMatches = (expression: string, most: number) => number

/** Bookmarks with a word are counted up to this number and this share of all, because more distinguish little. */
const MAX_COUNTED = 1500
const SHARE_COUNTED = 0.01

/** Maximum number of corrections of a word that are searched. */
const MAX_CORRECTIONS = 3

/** Maximum number of words containing a part that are searched. */
const MAX_CONTAINING = 20

/** Words looked at together for whether anybody may see one of them. */
const AT_ONCE = 50

/** The index of words knows parts of this many letters. */
const PART = 3

/** Minimum length of a word in the list of words. Shorter words are looked up in the full-text index. */
const MIN_LISTED_LENGTH = 4

/**
 * Returns what the library knows of words. Each look-up is made on what the caller may see before anything is cut to the
 * nearest, the shortest or the first, so that no answer depends on bookmarks the caller may not see: the list of words
 * is everybody's, and only says which words are worth counting.
 *
 * @param bookmarks how many the caller may see, about
 */
export function vocabularyOf(db: ReadConnection, bookmarks: number, count: CountMatches): Vocabulary {
  const enough = Math.max(MAX_COUNTED, Math.round(bookmarks * SHARE_COUNTED))
  /** Not in pages' texts, whose words the list does not hold: who may see only those must not learn of the list. */
  const heldListed = (words: string[], most = enough) => count(`${LISTED} : ${anyOf(words.map(single))}`, most)

  /** Returns those that the caller may see, the more common first. */
  function mostHeld(words: string[]): string[] {
    return words
      .map((word) => ({ word, held: heldListed([word]) }))
      .filter(({ held }) => held > 0)
      .sort((a, b) => b.held - a.held || (a.word < b.word ? -1 : 1))
      .slice(0, MAX_CORRECTIONS)
      .map(({ word }) => word)
  }

  return {
    bookmarks,
    held: (wordings) => count(anyOf(wordings), enough),
    known(words) {
      const long = words.filter((word) => word.length >= MIN_LISTED_LENGTH)
      const short = words.filter((word) => word.length > 0 && word.length < MIN_LISTED_LENGTH)
      return [...listedWords(db, long), ...short].filter((word) => heldListed([word], 1) > 0)
    },
    corrections(word, onlyNear) {
      if (!mayBeMistyped(word)) return []
      const near = mostHeld(listedWords(db, oneLetterAway(word)))
      return near.length > 0 || onlyNear || !mayHaveTwoMistakes(word) ? near : mostHeld(wordsTwoLettersAway(db, word))
    },
    beginning: (part) => (part.length < PART ? [] : wordsBeginning(db, part)),
    containing(part) {
      const words = wordsHolding(db, part).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
      const seen: string[] = []
      for (let at = 0; at < words.length && seen.length < MAX_CONTAINING; at += AT_ONCE) {
        const some = words.slice(at, at + AT_ONCE)
        if (heldListed(some, 1) > 0) seen.push(...some.filter((word) => heldListed([word], 1) > 0))
      }
      return seen.slice(0, MAX_CONTAINING)
    }
  }
}

/** The columns whose words are listed. */
const LISTED = '{title tags address description}'

function single(word: string): Wording {
  return { tokens: [word] }
}

/** Returns those of the words that are in the list of all words, whoever may see them. */
function listedWords(db: ReadConnection, words: string[]): string[] {
  const sql = 'SELECT w.word FROM json_each(?) one JOIN words w ON w.word = one.value'
  return readValues(db, sql, JSON.stringify(words))
}

/** Returns all listed words that hold a part. */
function wordsHolding(db: ReadConnection, part: string): string[] {
  if (part.length < PART) return []
  const parts = Array.from({ length: part.length - PART + 1 }, (_, at) => `"${part.slice(at, at + PART)}"`)
  const sql = `SELECT w.word FROM word_parts p JOIN words w ON w.id = p.rowid
    WHERE word_parts MATCH ? AND instr(w.word, ?) > 0`
  return readValues(db, sql, parts.join(' AND '), part)
}

function wordsBeginning(db: ReadConnection, beginning: string): string[] {
  const sql = 'SELECT word FROM words WHERE word >= ? AND word < ?'
  return readValues(db, sql, beginning, `${beginning}\uffff`)
}

function wordsTwoLettersAway(db: ReadConnection, word: string): string[] {
  const { beginning, parts } = piecesOf(word)
  const near = new Set([...wordsBeginning(db, beginning), ...parts.flatMap((part) => wordsHolding(db, part))])
  return [...near].filter((other) => Math.abs(other.length - word.length) <= 2 && isTwoLettersAway(word, other))
}

/** Words kept in memory, so that a text's usual words are not looked up again. */
const MAX_CACHED = 50_000

/**
 * Returns the list of distinct words of the library, to add to it. Words stay when the last bookmark that holds one goes.
 * A connection has one list: it remembers what it wrote.
 */
export const wordList = perConnection(createList)

function createList(db: WriteConnection) {
  const insert = db.prepare('INSERT OR IGNORE INTO words (word) VALUES (?)')
  const insertParts = db.prepare('INSERT INTO word_parts (rowid, word) VALUES (?, ?)')
  const newest = db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM words').pluck()
  const kept = new Set<string>()
  let written = 0

  return {
    /** @param words folded, as `addFoldedWords` gives them */
    learn(words: Iterable<string>): void {
      // A transaction that was rolled back took its words along.
      if ((newest.get() ?? 0) < written) kept.clear()
      for (const word of words) {
        if (kept.has(word)) continue
        const { changes, lastInsertRowid } = insert.run(word)
        if (changes === 1) {
          insertParts.run(lastInsertRowid, word)
          written = Number(lastInsertRowid)
        }
        if (kept.size >= MAX_CACHED) kept.clear()
        kept.add(word)
      }
    }
  }
}
