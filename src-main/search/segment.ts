import { foldLetters } from './fold-letters.ts'

/**
 * Writing without spaces: Chinese characters, kana and Hangul. A run of them is cut into pairs of neighbours, when
 * indexing and when searching, so that any part of two characters or more is found. (A word segmenter cuts the same
 * characters differently in different company.)
 */
const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]+/gu

/** A word of the index: letters, digits and marks. Private-use characters are ours, for filters. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Returns text as the index gets it: one form for full and half width, runs in pairs, each run's last character by itself. */
export function indexText(text: string): string {
  return normal(text).replace(RUN, (run) => {
    const characters = [...run]
    return ` ${[...pairs(characters), characters.at(-1)].join(' ')} `
  })
}

/** A word of a query as the index has it: its tokens stand one after the other; the last may be the start of one. */
export interface QueryTokens {
  tokens: string[]
  /** A single character of a run is found as the beginning of the pairs it is in. */
  prefix: boolean
}

/** More tell no bookmarks apart; one pair 490 times, in a library full of it, took seconds. */
const MOST_TOKENS = 64

/** Reads a word or a phrase of a query, as far as tokens go. No token when it holds neither letter nor digit. */
export function queryTokens(text: string): QueryTokens {
  const tokens: string[] = []
  let prefix = false
  for (const [word] of normal(text).matchAll(WORD)) {
    let at = 0
    for (const match of word.matchAll(RUN)) {
      if (match.index > at) tokens.push(word.slice(at, match.index))
      const characters = [...match[0]]
      tokens.push(...(characters.length === 1 ? characters : pairs(characters)))
      at = match.index + match[0].length
      prefix = characters.length === 1 && at === word.length
    }
    if (at < word.length) {
      tokens.push(word.slice(at))
      prefix = false
    }
  }
  if (tokens.length > MOST_TOKENS) return { tokens: tokens.slice(0, MOST_TOKENS), prefix: false }
  return { tokens, prefix }
}

/** Returns whether a token is one or two characters of a run. */
export function isRun(token: string): boolean {
  return ONE_RUN.test(token)
}

const ONE_RUN = new RegExp(`^${RUN.source}$`, 'u')

/** Returns text in lower case, without accents, its words apart by one space each and at both ends; a run is a word. */
export function spacedWords(text: string): string {
  const one = normal(text)
  if (PLAIN.test(one))
    return ` ${one
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()} `
  const words = one.replace(RUN, ' $& ').replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
  return ` ${foldWord(words).trim()} `
}

/** Shortest and longest words worth finding by a part, or in place of a mistyped one, in UTF-16 code units. */
const FOUND_BY_PART = { shortest: 4, longest: 40 }

/**
 * Adds the words of a text to those a word list is to hold: lower case, without accents. Numbers and what `indexText`
 * cuts into pairs are left out.
 *
 * @param indexed what `indexText` returned
 */
export function addFoldedWords(indexed: string, words: Set<string>): void {
  for (const word of indexed.match(PLAIN.test(indexed) ? PLAIN_WORD : WORD) ?? []) {
    if (word.length < FOUND_BY_PART.shortest || word.length > FOUND_BY_PART.longest || NUMBER.test(word)) continue
    words.add(foldWord(word))
  }
}

const NUMBER = /^\p{N}+$/u

/** Returns a word as the index keeps it: lower case, without accents. */
export function foldWord(word: string): string {
  if (PLAIN.test(word)) return word.toLowerCase()
  return word.normalize('NFD').replace(LATIN_ACCENTS, '$1').toLowerCase().normalize('NFC')
}

// As SQLite's unicode61 with remove_diacritics 2 does it: й, ダ, ή and the marks of other scripts stay what they are.
const LATIN_ACCENTS = /(\p{Script=Latin})\p{Mn}+/gu

const PLAIN = /^[\0-\x7f]*$/
const PLAIN_WORD = /[A-Za-z0-9]+/g

/** Returns one text, however its characters may be written, without private-use characters and NUL. */
function normal(text: string): string {
  const named = SYMBOL.test(text) ? text.replace(SYMBOLS, (name) => NAMES[name.toLowerCase()] ?? name) : text
  if (PLAIN.test(named)) return named.replaceAll('\0', ' ')
  return foldLetters(named.normalize('NFKC').replace(/[\p{Co}\0]/gu, ' '))
}

/** Names whose symbols no index would keep. */
const NAMES: Record<string, string> = { 'c++': 'cpp ', 'c#': 'csharp ', 'f#': 'fsharp ', '.net': 'dotnet' }
/** Every name has one of these; nearly no text does, and this is quicker to tell. */
const SYMBOL = /[+#]|\.net/i
const SYMBOLS = /(?<![\p{L}\p{N}])(?:c\+\+|[cf]#|\.net(?![\p{L}\p{N}]))/giu

function pairs(characters: string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
