import { editDistance } from '../../core/edit-distance.ts'
import type { ParsedQuery, Term } from '../../core/parse-query.ts'
import { foldWord, queryTokens } from '../../core/segment.ts'
import type { ReadConnection } from '../connection.ts'

/** Another query to try where one found nothing, and what to tell whoever searched. */
export interface Alternative {
  query: ParsedQuery
  note: string
}

/** How many bookmarks hold a word, counted up to `most`. */
export type CountWord = (word: string, most: number) => number

type FindWords = (word: string, count: CountWord) => string[]

/** Of two corrections that are as near, the more usual one is first; beyond this both are usual. */
const MOST_COUNTED = 1000

/** Words that stand in for one that is not in the library. */
const MOST_WORDS = 20

/** Words that are looked at for each part of a word, at most. */
const MOST_LOOKED_AT = 20_000

/** Shorter words have too many neighbours to guess at. */
const SHORTEST_CORRECTED = 6

/** The index of words knows parts of this many letters. */
const PART = 3

/**
 * Finds what may have been meant by words the library does not hold: words that contain them (`6050` finds `MPU6050`),
 * then, for longer words without digits, words that are a letter or two away.
 */
export function createWordFinder(db: ReadConnection) {
  const containing = db
    .prepare(
      `SELECT w.word FROM word_parts p JOIN words w ON w.id = p.rowid
       WHERE word_parts MATCH @parts AND instr(w.word, @part) > 0 LIMIT @most`
    )
    .pluck()
  const beginning = db.prepare('SELECT word FROM words WHERE word >= @from AND word < @to LIMIT @most').pluck()
  /** Words that hold this part, shortest first; none for parts too short to look for. */
  function contain(part: string): string[] {
    const words = holding(part, MOST_LOOKED_AT)
    return words.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, MOST_WORDS)
  }

  function holding(part: string, most: number): string[] {
    if (part.length < PART) return []
    const parts = Array.from({ length: part.length - PART + 1 }, (_, at) => `"${part.slice(at, at + PART)}"`)
    return containing.all({ parts: parts.join(' AND '), part, most }) as string[]
  }

  /**
   * Words a letter or two away that the library holds, nearest first. Of a word cut into more pieces than there are
   * mistakes one piece is right, and the first one is right where the word begins.
   */
  function correct(word: string, count: CountWord): string[] {
    if (word.length < SHORTEST_CORRECTED || /\p{N}/u.test(word)) return []
    const mistakes = word.length < 8 ? 1 : 2
    const [first = '', ...rest] = piecesOf(word)
    const begin = beginning.all({ from: first, to: `${first}\uffff`, most: MOST_LOOKED_AT }) as string[]
    const candidates = new Set([...begin, ...rest.flatMap((piece) => holding(piece, MOST_LOOKED_AT))])
    const near = [...candidates]
      .map((candidate) => ({ candidate, distance: editDistance(word, candidate, mistakes) }))
      .filter(({ distance }) => distance > 0 && distance <= mistakes)
    const least = Math.min(...near.map(({ distance }) => distance))
    return near
      .filter(({ distance }) => distance === least)
      .map(({ candidate }) => ({ candidate, bookmarks: count(candidate, MOST_COUNTED) }))
      .filter(({ bookmarks }) => bookmarks > 0)
      .sort((a, b) => b.bookmarks - a.bookmarks)
      .slice(0, 3)
      .map(({ candidate }) => candidate)
  }

  /** The query with each unknown word replaced by what `find` has for it; `undefined` where a word has nothing. */
  function replaced(query: ParsedQuery, count: CountWord, find: FindWords): ParsedQuery | undefined {
    const all = query.all.map((group) => group.flatMap((term) => substitutes(term, count, find)))
    return all.some((group) => group.length === 0) ? undefined : { all, none: query.none }
  }

  function substitutes(term: Term, count: CountWord, find: FindWords): Term[] {
    const word = singleWord(term)
    if (word === undefined || count(word, 1) > 0) return [term]
    return find(word, count).map((text) => ({ text, phrase: false }))
  }

  return {
    /** Whether this is one word, which others may hold. */
    isWord(query: ParsedQuery): boolean {
      return (onlyWord(query)?.length ?? 0) >= PART
    },

    /** A query for the words that hold this one, itself left out; `undefined` when it is more than a word. */
    widened(query: ParsedQuery): ParsedQuery | undefined {
      const word = onlyWord(query)
      if (word === undefined) return undefined
      const words = contain(word).filter((one) => one !== word)
      return words.length === 0
        ? undefined
        : { all: [words.map((text) => ({ text, phrase: false }))], none: query.none }
    },

    /** @param count knows words as whoever searches may: what nobody shows them is not offered either */
    alternatives(query: ParsedQuery, count: CountWord): Alternative[] {
      const found: Alternative[] = []
      const parts = replaced(query, count, contain)
      if (parts) found.push({ query: parts, note: `No whole word matches; these hold ${quoted(query)} within a word.` })
      const corrected = replaced(query, count, correct)
      if (corrected) {
        found.push({ query: corrected, note: `Nothing matches ${quoted(query)}; searched for ${quoted(corrected)}.` })
      }
      return found
    }
  }
}

function onlyWord({ all }: ParsedQuery): string | undefined {
  const [term, other] = all.flat()
  return term && !other ? singleWord(term) : undefined
}

/** The word this term is, folded; `undefined` for phrases, and for what is indexed in pairs. */
function singleWord(term: Term): string | undefined {
  const { tokens, prefix } = queryTokens(term.text)
  const [token] = tokens
  return term.phrase || prefix || tokens.length !== 1 || token === undefined ? undefined : foldWord(token)
}

/** Two letters swapped may stand in two pieces: a short word's first piece ends before its last one begins. */
function piecesOf(word: string): string[] {
  if (word.length < 8) return [word.slice(0, 2), word.slice(3)]
  const third = Math.round(word.length / 3)
  return [word.slice(0, third), word.slice(third, -third), word.slice(-third)]
}

function quoted(query: ParsedQuery): string {
  return query.all.map((group) => `“${group.map((term) => term.text).join('” or “')}”`).join(' ')
}
