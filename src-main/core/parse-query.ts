/** A word, or a phrase whose words must stand together. Never holds a quote, a control character or only punctuation. */
export interface Term {
  text: string
  phrase: boolean
}

/** What a person typed, understood: one term of every group in `all` must match, and none of `none`. */
export interface ParsedQuery {
  all: Term[][]
  none: Term[]
}

/** More terms than a person types; what is beyond them is ignored, so that no query costs more than this. */
const MOST_TERMS = 32

/**
 * The query language: words must all match, `"a phrase"` together, `-word` must not match, `a OR b` either of them.
 * Anything is a valid query; what makes no sense is read as words.
 */
export function parseQuery(text: string): ParsedQuery {
  const query: ParsedQuery = { all: [], none: [] }
  let either = false
  let count = 0
  for (const [, minus, quoted, open, bare] of text.matchAll(PART)) {
    if (bare === 'OR' && !minus) {
      either = query.all.length > 0
      continue
    }
    const term = readTerm(quoted ?? open, bare ?? '')
    if (!term || ++count > MOST_TERMS) continue
    if (minus) query.none.push(term)
    else if (either) query.all.at(-1)?.push(term)
    else query.all.push([term])
    either = false
  }
  return query
}

// A minus, then "a phrase", or an unclosed quote up to the end, or a run without spaces and quotes.
const PART = /(?<![^\s"])(-?)(?:"([^"]*)"|"([^"]*)$|([^\s"]+))/g

function readTerm(quoted: string | undefined, bare: string): Term | undefined {
  const text = (quoted ?? bare).replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()
  return /[\p{L}\p{N}\p{Co}]/u.test(text) ? { text, phrase: quoted !== undefined } : undefined
}
