import { foldLetters, withoutApostrophes } from './fold-letters.ts'

/** Scripts that put no spaces between words, and whose words only a dictionary can separate (UAX #14, class SA). */
const UNSPACED = 'Thai Lao Khmer Myanmar Tai_Le New_Tai_Lue Tai_Tham Tai_Viet'
  .split(' ')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')

/**
 * A run of text without spaces: Chinese characters, kana, Hangul, and the scripts above. For the index and for queries, a
 * run is split into overlapping pairs of characters (bigrams: 日本語 is 日本 and 本語), so that every part of two or more
 * characters is found. A word segmenter would split the same characters differently in different contexts.
 */
const UNSPACED_RUN = new RegExp(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆[[${UNSPACED}]&&[\p{L}\p{M}]]]+`,
  'gv'
)

/** A character of a run: a letter with its vowel and tone marks. */
const CHARACTER = /\P{M}\p{M}*|^\p{M}+/gu

/** A word of the index: letters, digits and marks. Emoji are private-use characters here (`emojiToken`). */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Splits text into characters, each with its marks. */
export function splitCharacters(text: string): string[] {
  return MAY_HAVE_MARKS.test(text) ? (text.match(CHARACTER) ?? []) : [...text]
}

/** Blocks of the scripts in runs that have marks. Testing for them is faster than matching characters. */
const MAY_HAVE_MARKS = /[\u0e00-\u1aff\u302a-\u302f\u3099\u309a\ua9e0-\uaadf]/

/** Returns text for the full-text index: normalized, with each run as its pairs and its last character alone. */
export function indexText(text: string): string {
  return normalize(text).replace(UNSPACED_RUN, (run) => {
    const characters = splitCharacters(run)
    return ` ${[...pairsOf(characters), characters.at(-1)].join(' ')} `
  })
}

/** A word or a phrase of a query as tokens of the index, which must be adjacent. */
export interface QueryTokens {
  tokens: string[]
  /** Whether the last token is a prefix: a single character of a run matches the pairs that begin with it. */
  prefix: boolean
}

/** Maximum number of tokens of a term. The same pair 490 times took seconds in a library full of it. */
const MAX_TOKENS = 64

/** Splits a word or a phrase of a query into tokens: none if it has no letter, digit or emoji. */
export function queryTokens(text: string): QueryTokens {
  const tokens: string[] = []
  let prefix = false
  for (const [word] of normalize(text).matchAll(WORD)) {
    let end = 0
    for (const match of word.matchAll(UNSPACED_RUN)) {
      if (match.index > end) tokens.push(word.slice(end, match.index))
      const characters = splitCharacters(match[0])
      tokens.push(...(characters.length === 1 ? characters : pairsOf(characters)))
      end = match.index + match[0].length
      prefix = characters.length === 1 && end === word.length
    }
    if (end < word.length) {
      tokens.push(word.slice(end))
      prefix = false
    }
  }
  if (tokens.length > MAX_TOKENS) return { tokens: tokens.slice(0, MAX_TOKENS), prefix: false }
  return { tokens, prefix }
}

/** Returns whether a token is a pair or a single character of a run. */
export function isUnspaced(token: string): boolean {
  return WHOLE_RUN.test(token)
}

const WHOLE_RUN = new RegExp(`^${UNSPACED_RUN.source}$`, 'v')

/** Returns whether a text has a letter, a digit or an emoji. */
export function isSearchable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) || text.search(EMOJI) >= 0
}

/** Folds text and puts one space before and after each word: ` rust async `. A run is one word. */
export function spacedWords(text: string): string {
  const normalized = normalize(text)
  if (ASCII.test(normalized))
    return ` ${normalized
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()} `
  const words = normalized.replace(UNSPACED_RUN, ' $& ').replace(/[^\p{L}\p{N}\p{M}\u{f0000}-\u{fffff}]+/gu, ' ')
  return ` ${words.trim()} `
}

/** Lengths of the words that can be found by a part of them or for a mistyped word, in UTF-16 code units. */
const MIN_LISTED_LENGTH = 4
const MAX_LISTED_LENGTH = 40

/**
 * Adds the folded words of a text to `words`, without numbers, emoji and runs.
 *
 * @param indexed a result of `indexText`
 */
export function addFoldedWords(indexed: string, words: Set<string>): void {
  for (const word of indexed.match(ASCII.test(indexed) ? ASCII_WORD : WORD) ?? []) {
    if (word.length < MIN_LISTED_LENGTH || word.length > MAX_LISTED_LENGTH || NOT_LISTED.test(word)) continue
    words.add(word.toLowerCase())
  }
}

/** Numbers, and words that begin with a piece of a run or an emoji. */
const NOT_LISTED = new RegExp(String.raw`^\p{N}+$|^${UNSPACED_RUN.source}|^\p{Co}`, 'v')

/** Returns a word in the form of the index: lower case, without accents. */
export function foldWord(word: string): string {
  return ASCII.test(word) ? word.toLowerCase() : foldLetters(word.normalize('NFKC'))
}

const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[A-Za-z0-9]+/g

/** Folds text, removes its private-use characters and NUL, and makes each emoji a word. */
function normalize(text: string): string {
  const named = HAS_SYMBOL_NAME.test(text)
    ? text.replace(ANY_SYMBOL_NAME, (name) => SYMBOL_NAMES[name.toLowerCase()] ?? name)
    : text
  if (ASCII.test(named)) return withoutApostrophes(named).replaceAll('\0', ' ')
  const folded = foldLetters(named.normalize('NFKC').replace(/[\p{Co}\0]/gu, ' '))
  return MAY_BE_EMOJI.test(folded) ? folded.replace(EMOJI, (emoji) => ` ${emojiToken(emoji)} `) : folded
}

/** Pictures, and the two letters of a flag. Characters below U+2300, such as © and ↔, are signs of plain text. */
const PICTURES = String.raw`[\p{Extended_Pictographic}--[\0-\u22ff]]`
const EMOJI = new RegExp(`${PICTURES}|\\p{Regional_Indicator}{1,2}`, 'gv')
/** Blocks that contain emoji. Testing for them is faster than matching emoji. */
const MAY_BE_EMOJI = /[\u2300-\u27bf\u2900-\u2bff\u3030\u303d\ud83c-\ud83e]/

/** Moves an emoji to plane 15: the tokenizer of the index drops symbols, but keeps private-use characters. */
function emojiToken(emoji: string): string {
  const numbers = [...emoji].map((character) => character.codePointAt(0) ?? 0)
  return String.fromCodePoint(...numbers.map((number) => number + (number > 0xffff ? 0xe0000 : 0xf0000)))
}

/** Names with symbols, which the tokenizer of the index would drop. */
const SYMBOL_NAMES: Record<string, string> = { 'c++': 'cpp ', 'c#': 'csharp ', 'f#': 'fsharp ', '.net': 'dotnet' }
/** Every such name contains one of these, and few texts do. Testing for them is faster than matching names. */
const HAS_SYMBOL_NAME = /[+#]|\.net/i
const ANY_SYMBOL_NAME = /(?<![\p{L}\p{N}])(?:c\+\+|[cf]#|\.net(?![\p{L}\p{N}]))/giu

function pairsOf(characters: string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
