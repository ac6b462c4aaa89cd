import { PROFILE } from '../../src-main/contract/caller.ts'
import { matchOf } from '../../src-main/search/match.ts'
import { parseQuery } from '../../src-main/search/query.ts'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { searchBookmarks } from '../../src-main/store/search/searches.ts'
import { randomFrom } from '../support/random.ts'
import { type Known, someCharacters, someWords } from './search-library.ts'

const TRIES = 400

/** How often a known bookmark is among the first five of what it is searched by. */
export interface Quality {
  name: string
  tries: number
  ours: number
  /** Of weighted bm25 over everything, where it takes the same query. */
  bm25: number | null
}

/** Searches for known bookmarks by parts of their titles: ours beside weighted bm25 on the same index. */
export function measureQuality(file: string, sample: Known[]): Quality[] {
  const db = openReadConnection(file)
  const bm25 = db
    .prepare(
      `SELECT b.public_id FROM bookmark_texts f JOIN bookmarks b ON b.id = f.rowid WHERE bookmark_texts MATCH ?
       ORDER BY bm25(bookmark_texts, 10, 8, 4, 2, 1, 0), f.rowid DESC LIMIT 5`
    )
    .pluck()
  const random = randomFrom(11)
  const kinds: { name: string; query: (title: string) => string | undefined; exact: boolean }[] = [
    { name: '2 words', query: (title) => someWords(title, 2, random), exact: true },
    { name: '3 words', query: (title) => someWords(title, 3, random), exact: true },
    { name: '4 characters', query: (title) => someCharacters(title, 4, random), exact: true },
    { name: 'a typo', query: (title) => mistyped(title, random), exact: false },
    { name: 'part of a word', query: (title) => /[A-Z]+(\d{4})$/.exec(title)?.[1], exact: false }
  ]
  const results = kinds.map(({ name, query, exact }) => {
    let [tries, ours, theirs] = [0, 0, 0]
    for (const { id, title } of sample) {
      const words = tries === TRIES ? undefined : query(title)
      if (words === undefined) continue
      tries += 1
      const found = searchBookmarks(db, PROFILE, { words, page: 1, limit: 5 }).bookmarks
      // Of one word several bookmarks are as good: what counts is that one that holds it whole or as a part is there.
      if (exact ? found.some((one) => one.id === id) : found.some((one) => wanted(name, words, title, one.title)))
        ours += 1
      if (exact && bm25.all(matchOf(parseQuery(words), false)?.texts ?? '"x"').includes(id)) theirs += 1
    }
    return { name, tries, ours: ours / tries, bm25: exact ? theirs / tries : null }
  })
  db.close()
  return results
}

function wanted(name: string, words: string, title: string, found: string): boolean {
  if (name === 'part of a word') return found.includes(words)
  return found.split(' ').includes(originals.get(words) ?? title)
}

/** The word each mistyped one was made from. */
const originals = new Map<string, string>()

/** One mistake in a word of six letters or more. */
function mistyped(title: string, random: () => number): string | undefined {
  const word = title.split(' ').find((one) => /^[a-z]{6,}$/.test(one))
  if (word === undefined) return undefined
  const at = Math.floor(random() * (word.length - 1))
  const letter = String.fromCharCode(97 + Math.floor(random() * 26))
  const [head, tail] = [word.slice(0, at), word.slice(at)]
  const mistakes = [
    head + letter + tail.slice(1),
    head + tail.slice(1),
    head + letter + tail,
    head + tail.charAt(1) + tail.charAt(0) + tail.slice(2)
  ]
  const typed = mistakes[Math.floor(random() * mistakes.length)] ?? word
  if (typed === word || typed.length < 6) return undefined
  originals.set(typed, word)
  return typed
}
