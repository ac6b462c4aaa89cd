import { foldLetters, withoutApostrophes } from './fold-letters.ts'

/** Scripts in which only a dictionary knows where a line may break (UAX #14, class SA). */
const UNSPACED = 'Thai Lao Khmer Myanmar Tai_Le New_Tai_Lue Tai_Tham Tai_Viet'
  .split(' ')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')

/**
 * Writing without spaces: Chinese characters, kana, Hangul, and the scripts above. A run of them is cut into pairs of
 * neighbours, when indexing and when searching, so that any part of two characters or more is found. (A word segmenter
 * cuts the same characters differently in different company.)
 */
const RUN = new RegExp(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆[[${UNSPACED}]&&[\p{L}\p{M}]]]+`,
  'gv'
)

/** A character of a run: a letter with the vowels and tones that are written around it. */
const CHARACTER = /\P{M}\p{M}*|^\p{M}+/gu

/** A word of the index: letters, digits and marks, or an emoji. Other private-use characters are ours too, for filters. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Returns the characters of a run, or of any text. */
export function charactersOf(text: string): string[] {
  return MAY_HAVE_MARKS.test(text) ? (text.match(CHARACTER) ?? []) : [...text]
}

/** The blocks of scripts in runs that have marks, which is quicker to tell. */
const MAY_HAVE_MARKS = /[\u0e00-\u1aff\u302a-\u302f\u3099\u309a\ua9e0-\uaadf]/

/** Returns text as the index gets it: one form for full and half width, runs in pairs, each run's last character by itself. */
export function indexText(text: string): string {
  return normal(text).replace(RUN, (run) => {
    const characters = charactersOf(run)
    return ` ${[...pairs(characters), characters.at(-1)].join(' ')} `
  })
}

/** A word of a query as the index has it: its tokens stand one after the other; the last may be the start of one. */
export interface QueryTokens {
  tokens: string[]
  /** A single character of a run is found as the beginning of the pairs it is in. */
  prefix: boolean
}

/** Maximum number of tokens of a term. One pair 490 times took seconds in a library full of it. */
const MAX_TOKENS = 64

/** Reads a word or a phrase of a query, as far as tokens go. No token when it holds no letter, digit or emoji. */
export function queryTokens(text: string): QueryTokens {
  const tokens: string[] = []
  let prefix = false
  for (const [word] of normal(text).matchAll(WORD)) {
    let at = 0
    for (const match of word.matchAll(RUN)) {
      if (match.index > at) tokens.push(word.slice(at, match.index))
      const characters = charactersOf(match[0])
      tokens.push(...(characters.length === 1 ? characters : pairs(characters)))
      at = match.index + match[0].length
      prefix = characters.length === 1 && at === word.length
    }
    if (at < word.length) {
      tokens.push(word.slice(at))
      prefix = false
    }
  }
  if (tokens.length > MAX_TOKENS) return { tokens: tokens.slice(0, MAX_TOKENS), prefix: false }
  return { tokens, prefix }
}

/** Returns whether a token is one or two characters of a run. */
export function isRun(token: string): boolean {
  return ONE_RUN.test(token)
}

const ONE_RUN = new RegExp(`^${RUN.source}$`, 'v')

/** Returns whether a text holds anything that can be searched for. */
export function saysSomething(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) || text.search(EMOJI) >= 0
}

/** Returns text in lower case, without accents, its words apart by one space each and at both ends; a run is a word. */
export function spacedWords(text: string): string {
  const one = normal(text)
  if (PLAIN.test(one))
    return ` ${one
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()} `
  const words = one.replace(RUN, ' $& ').replace(/[^\p{L}\p{N}\p{M}\u{f0000}-\u{fffff}]+/gu, ' ')
  return ` ${words.trim()} `
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
    if (word.length < FOUND_BY_PART.shortest || word.length > FOUND_BY_PART.longest || UNLISTED.test(word)) continue
    words.add(word.toLowerCase())
  }
}

/** Numbers, and words that begin with a piece of a run or an emoji. */
const UNLISTED = new RegExp(String.raw`^\p{N}+$|^${RUN.source}|^\p{Co}`, 'v')

/** Returns a word as the index keeps it: lower case, without accents. */
export function foldWord(word: string): string {
  return PLAIN.test(word) ? word.toLowerCase() : foldLetters(word.normalize('NFKC'))
}

const PLAIN = /^[\0-\x7f]*$/
const PLAIN_WORD = /[A-Za-z0-9]+/g

/** Returns one text, however its characters may be written, without private-use characters and NUL; emoji as words. */
function normal(text: string): string {
  const named = SYMBOL.test(text) ? text.replace(SYMBOLS, (name) => NAMES[name.toLowerCase()] ?? name) : text
  if (PLAIN.test(named)) return withoutApostrophes(named).replaceAll('\0', ' ')
  const folded = foldLetters(named.normalize('NFKC').replace(/[\p{Co}\0]/gu, ' '))
  return MAY_BE_EMOJI.test(folded) ? folded.replace(EMOJI, (emoji) => ` ${emojiToken(emoji)} `) : folded
}

/** Pictures, and the two letters of a flag. What stands before U+2300 (©, ↔) is a sign of usual text. */
const PICTURES = String.raw`[\p{Extended_Pictographic}--[\0-\u22ff]]`
const EMOJI = new RegExp(`${PICTURES}|\\p{Regional_Indicator}{1,2}`, 'gv')
/** Their blocks, which is quicker to tell. */
const MAY_BE_EMOJI = /[\u2300-\u27bf\u2900-\u2bff\u3030\u303d\ud83c-\ud83e]/

/** The index keeps no symbols, but private-use characters: an emoji is that of its number in plane 15. */
function emojiToken(emoji: string): string {
  const numbers = [...emoji].map((character) => character.codePointAt(0) ?? 0)
  return String.fromCodePoint(...numbers.map((number) => number + (number > 0xffff ? 0xe0000 : 0xf0000)))
}

/** Names whose symbols no index would keep. */
const NAMES: Record<string, string> = { 'c++': 'cpp ', 'c#': 'csharp ', 'f#': 'fsharp ', '.net': 'dotnet' }
/** Every name has one of these; nearly no text does, and this is quicker to tell. */
const SYMBOL = /[+#]|\.net/i
const SYMBOLS = /(?<![\p{L}\p{N}])(?:c\+\+|[cf]#|\.net(?![\p{L}\p{N}]))/giu

function pairs(characters: string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
