import { cut } from '../core/clean-text.ts'

/** Maximum length of a snippet, in UTF-16 code units. */
const MAX_LENGTH = 160

/** Folds words, and returns those that the visible texts of a search result do not contain. */
export function hiddenWords(words: string[], visible: string): string[] {
  const folded = fold(visible)
  return words.map(fold).filter((word) => !folded.includes(word))
}

/** Cuts a piece of a text around the first hidden word; returns `undefined` if the text has none. */
export function snippet(hidden: string[], text: string): string | undefined {
  const index = findFirst(hidden, () => fold(text))
  return index === undefined ? undefined : cutAround(text, index)
}

/** Accents are removed only from this beginning of a page’s text, because it is slow. In UTF-16 code units. */
const MAX_FOLDED_LENGTH = 20_000

/** Like `snippet`, for the long text of a page, whose headings begin with `## `. */
export function excerpt(hidden: string[], text: string): string | undefined {
  const lower = text.toLowerCase()
  const index =
    (lower.length === text.length ? findFirst(hidden, () => lower) : undefined) ??
    findFirst(hidden, () => fold(text.slice(0, MAX_FOLDED_LENGTH)))
  return index === undefined ? undefined : cutAround(text, index).replace(/(^…?|\s)## /g, '$1')
}

/** @param readText returns the text; called only if there are words */
function findFirst(words: string[], readText: () => string): number | undefined {
  if (words.length === 0) return undefined
  const text = readText()
  const indexes = words.map((word) => text.indexOf(word)).filter((index) => index >= 0)
  return indexes.length === 0 ? undefined : Math.min(...indexes)
}

function cutAround(text: string, index: number): string {
  const room = MAX_LENGTH - 2 // for both ellipses
  let start = index <= room / 3 ? 0 : index - Math.floor(room / 3)
  if (start > 0) {
    const space = text.indexOf(' ', start)
    if (space >= 0 && space < index) start = space + 1
    const code = text.charCodeAt(start)
    if (code >= 0xdc00 && code <= 0xdfff) start += 1
  }
  const piece = cut(text.slice(start), room)
  const end = start + piece.length
  return `${start > 0 ? '…' : ''}${piece.replace(/\s+/g, ' ').trim()}${end < text.length ? '…' : ''}`
}

/** Returns text in lower case without accents, and with its length unchanged, so that indexes are valid in both texts. */
function fold(text: string): string {
  if (WITHOUT_ACCENTS.test(text)) return text.toLowerCase()
  let folded = ''
  for (const unit of text.toLowerCase().length === text.length ? text.toLowerCase() : text) {
    folded += unit.length > 1 || unit < '\x80' ? unit.toLowerCase() : withoutAccent(unit)
  }
  return folded
}

/** ASCII, kana and Chinese characters, which have no accents and keep their length in lower case. */
const WITHOUT_ACCENTS = /^[\0-\x7f\u3041-\u9fff]*$/

/** Removes only accents of Latin, Greek and Cyrillic: a decomposed Hangul syllable would lose all but its first consonant. */
function withoutAccent(unit: string): string {
  const [base = unit, ...marks] = unit.normalize('NFD')
  const accented = marks.every((mark) => mark >= '\u0300' && mark <= '\u036f')
  return accented ? base.toLowerCase().charAt(0) : unit
}
