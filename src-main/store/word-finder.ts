import { editDistance } from '../core/edit-distance.ts'
import type { ParsedQuery, Term } from '../core/parse-query.ts'
import { queryTokens } from '../core/segment.ts'
import type { ReadConnection } from './connection.ts'

/** Another query to try where one found nothing, and what to tell whoever searched. */
export interface Alternative {
  query: ParsedQuery
  note: string
}

/** Words of the index that stand in for one that is not in it. */
const MOST_WORDS = 20

/** Words of the index that are looked at, at most. */
const MOST_LOOKED_AT = 200_000

/** Shorter words have too many neighbours to guess at. */
const SHORTEST_CORRECTED = 6

/**
 * Finds what may have been meant by words the index does not hold: words that contain them (`6050` finds `MPU6050`),
 * then, for longer words without digits, words that are a letter or two away.
 */
export function createWordFinder(db: ReadConnection) {
  const known = db.prepare('SELECT 1 FROM bookmark_vocabulary WHERE term = ?').pluck()
  const containing = db
    .prepare('SELECT term FROM bookmark_vocabulary WHERE instr(term, @part) > 0 AND term NOT GLOB @ours LIMIT @most')
    .pluck()
  const near = db.prepare(
    `SELECT term, doc FROM bookmark_vocabulary
       WHERE term >= @from AND term < @to AND length(term) BETWEEN @shortest AND @longest LIMIT @most`
  )
  const ours = '\ue000*'

  function contain(part: string): string[] {
    return containing.all({ part, ours, most: MOST_WORDS }) as string[]
  }

  function correct(word: string): string[] {
    if (word.length < SHORTEST_CORRECTED || /\p{N}/u.test(word)) return []
    const bounds = { shortest: word.length - 2, longest: word.length + 2, most: MOST_LOOKED_AT }
    const first = word[0] ?? ''
    // A typo is rarely in the first letter, and few words begin with it.
    const candidates = (from: string, to: string) =>
      (near.all({ ...bounds, from, to }) as { term: string; doc: number }[])
        .map(({ term, doc }) => ({ term, doc, distance: editDistance(word, term, 2) }))
        .filter(({ distance }) => distance <= (word.length < 8 ? 1 : 2))
        .sort((a, b) => a.distance - b.distance || b.doc - a.doc)
    const same = candidates(first, nextAfter(first))
    const all = same.length > 0 ? same : candidates('', '\ue000')
    const [best] = all
    return all
      .filter((one) => one.distance === best?.distance)
      .slice(0, 3)
      .map(({ term }) => term)
  }

  /** The query with each unknown word replaced by what `find` has for it; `undefined` where a word has nothing. */
  function replaced(query: ParsedQuery, find: (word: string) => string[]): ParsedQuery | undefined {
    const all = query.all.map((group) => group.flatMap((term) => substitutes(term, find)))
    return all.some((group) => group.length === 0) ? undefined : { all, none: query.none }
  }

  function substitutes(term: Term, find: (word: string) => string[]): Term[] {
    const { tokens } = queryTokens(term.text)
    const [token] = tokens
    if (term.phrase || tokens.length !== 1 || token === undefined) return [term]
    const word = foldWord(token)
    if (known.get(word)) return [term]
    return find(word).map((text) => ({ text, phrase: false }))
  }

  return {
    alternatives(query: ParsedQuery): Alternative[] {
      const found: Alternative[] = []
      const parts = replaced(query, contain)
      if (parts) found.push({ query: parts, note: `No whole word matches; these hold ${quoted(query)} within a word.` })
      const corrected = replaced(query, correct)
      if (corrected) {
        found.push({ query: corrected, note: `Nothing matches ${quoted(query)}; searched for ${quoted(corrected)}.` })
      }
      return found
    }
  }
}

/** A word as the index keeps it: lower case, without accents. */
function foldWord(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFC')
}

function nextAfter(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 1)
}

function quoted(query: ParsedQuery): string {
  return query.all.map((group) => `“${group.map((term) => term.text).join('” or “')}”`).join(' ')
}
