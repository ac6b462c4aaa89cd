import { cut } from '../core/clean-text.ts'

/** Longest snippet, in UTF-16 code units. */
const LENGTH = 160

/** Returns those of `words` that cannot be seen in `shown`, folded. */
export function hiddenWords(words: string[], shown: string): string[] {
  const seen = fold(shown)
  return words.map(fold).filter((word) => !seen.includes(word))
}

/**
 * Returns a piece of `text` around the first of the hidden words, with an ellipsis where it was cut. `undefined` when
 * there are none, or the text holds none of them.
 */
export function snippet(hidden: string[], text: string): string | undefined {
  const at = firstOf(hidden, () => fold(text))
  return at === undefined ? undefined : around(text, at)
}

/** Maximum length of a page text whose accents are removed, which is slow, in UTF-16 code units. */
const MAX_FOLDED_LENGTH = 20_000

/** Cuts a snippet from the long text of a page. */
export function excerpt(hidden: string[], text: string): string | undefined {
  const lower = text.toLowerCase()
  const at =
    (lower.length === text.length ? firstOf(hidden, () => lower) : undefined) ??
    firstOf(hidden, () => fold(text.slice(0, MAX_FOLDED_LENGTH)))
  return at === undefined ? undefined : around(text, at).replace(/(^…?|\s)## /g, '$1')
}

function firstOf(words: string[], text: () => string): number | undefined {
  if (words.length === 0) return undefined
  const searched = text()
  const found = words.map((word) => searched.indexOf(word)).filter((at) => at >= 0)
  return found.length === 0 ? undefined : Math.min(...found)
}

function around(text: string, at: number): string {
  const room = LENGTH - 2 // for both ellipses
  let start = at <= room / 3 ? 0 : at - Math.floor(room / 3)
  if (start > 0) {
    const space = text.indexOf(' ', start)
    if (space >= 0 && space < at) start = space + 1
    const code = text.charCodeAt(start)
    if (code >= 0xdc00 && code <= 0xdfff) start += 1
  }
  const piece = cut(text.slice(start), room)
  const end = start + piece.length
  return `${start > 0 ? '…' : ''}${piece.replace(/\s+/g, ' ').trim()}${end < text.length ? '…' : ''}`
}

/** Returns lower case without accents, code unit by code unit, so that positions stay those of the original. */
function fold(text: string): string {
  if (WITHOUT_ACCENTS.test(text)) return text.toLowerCase()
  let folded = ''
  for (const unit of text.toLowerCase().length === text.length ? text.toLowerCase() : text) {
    folded += unit.length > 1 || unit < '\x80' ? unit.toLowerCase() : withoutAccent(unit)
  }
  return folded
}

/** ASCII, kana and Chinese characters: neither has accents, nor changes length in lower case. */
const WITHOUT_ACCENTS = /^[\0-\x7f\u3041-\u9fff]*$/

/** Only what Latin, Greek and Cyrillic call accents: taking a Hangul syllable apart would leave its first consonant. */
function withoutAccent(unit: string): string {
  const [base = unit, ...marks] = unit.normalize('NFD')
  const accented = marks.every((mark) => mark >= '\u0300' && mark <= '\u036f')
  return accented ? base.toLowerCase().charAt(0) : unit
}
