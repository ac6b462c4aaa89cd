import { LINK_MARKS, type LinkMark } from '../contract/link-check.ts'

/** A word, or a phrase whose words must stand together. Never holds a quote, a control character or only punctuation. */
export interface Term {
  text: string
  phrase: boolean
  /** It is no word, but says what is wrong with the link; only in `none`. */
  mark?: LinkMark
}

/** What a person typed, understood: one term of every group in `all` must match, and none of `none`. */
export interface ParsedQuery {
  all: Term[][]
  none: Term[]
  /** What must be wrong with the link: one of these; absent where nothing was asked about it. */
  is?: LinkMark[]
}

/** More terms than a person types; what is beyond them is ignored, so that no query costs more than this. */
const MOST_TERMS = 32

/**
 * The query language: words must all match, `"a phrase"` together, `-word` must not match, `a OR b` either of them;
 * `is:broken` and `is:moved` ask for the link. Anything is a valid query; what makes no sense is read as words.
 */
export function parseQuery(text: string): ParsedQuery {
  const query: ParsedQuery = { all: [], none: [] }
  let before: 'word' | 'mark' | undefined
  let either = false
  let count = 0
  for (const [, minus, quoted, open, bare] of text.matchAll(PART)) {
    if (bare === 'OR' && !minus) {
      either = before !== undefined
      continue
    }
    const term = readTerm(quoted ?? open, bare ?? '')
    if (!term || ++count > MOST_TERMS) continue
    const mark = bare === undefined ? undefined : markOf(bare)
    if (minus) query.none.push(mark ? { ...term, mark } : term)
    else if (mark) {
      query.is = either && before === 'mark' ? [...(query.is ?? []), mark] : marksOfBoth(query.is, [mark])
      before = 'mark'
    } else {
      if (either && before === 'word') query.all.at(-1)?.push(term)
      else query.all.push([term])
      before = 'word'
    }
    either = false
  }
  return query
}

/** What passes two filters of what is wrong with a link, where each may be absent. */
export function marksOfBoth(one: LinkMark[] | undefined, other: LinkMark[]): LinkMark[]
export function marksOfBoth(one: LinkMark[] | undefined, other: LinkMark[] | undefined): LinkMark[] | undefined
export function marksOfBoth(one: LinkMark[] | undefined, other: LinkMark[] | undefined): LinkMark[] | undefined {
  if (!one || !other) return one ?? other
  return one.filter((mark) => other.includes(mark))
}

function markOf(bare: string): LinkMark | undefined {
  const named = /^is:(\w+)$/i.exec(bare)?.[1]?.toLowerCase()
  return LINK_MARKS.find((mark) => mark === named)
}

// A minus, then "a phrase", or an unclosed quote up to the end, or a run without spaces and quotes.
const PART = /(?<![^\s"])(-?)(?:"([^"]*)"|"([^"]*)$|([^\s"]+))/g

function readTerm(quoted: string | undefined, bare: string): Term | undefined {
  const text = (quoted ?? bare).replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()
  return /[\p{L}\p{N}\p{Co}]/u.test(text) ? { text, phrase: quoted !== undefined } : undefined
}
