import { abbreviationsOf } from './abbreviations.ts'
import { transliterated } from './fold-letters.ts'
import type { Column } from './query-nodes.ts'
import { stemForms, wordForms } from './word-forms.ts'

/** Tokens that stand one after the other, or anywhere in a bookmark where `apart`. */
export interface Wording {
  tokens: string[]
  /** The last token is the beginning of one. */
  prefix?: boolean | undefined
  apart?: boolean | undefined
  column?: Column | undefined
}

/** One way of saying a thing; weight 1 is as it was typed. */
export interface Alternative extends Wording {
  weight: number
}

/** Words that replace one that no bookmark holds, and how they are like it. */
export interface Instead {
  by: 'form' | 'parts' | 'spelling' | 'beginning' | 'part'
  words: string[]
}

/** Looks words up among the bookmarks that the caller may see. */
export interface Vocabulary {
  /** Bookmarks there are, about. */
  bookmarks: number
  /** Counts the bookmarks that hold one of these, up to some bound. */
  held(wordings: Wording[]): number
  /** Returns those of `words` that a bookmark holds. */
  known(words: string[]): string[]
  /**
   * Returns words that were most likely meant by one that no bookmark holds, the likeliest first; at most three.
   *
   * @param near only those a letter away
   */
  corrections(word: string, near: boolean): string[]
  /** Returns listed words that begin so, whoever may see them: `known` tells. None for short beginnings. */
  beginning(part: string): string[]
  /** Returns words that hold this part, shortest first; some twenty at most. */
  containing(part: string): string[]
}

/** How well another wording stands for the one that was typed. */
export const WEIGHT = {
  form: 0.6,
  joined: 0.9,
  abbreviation: 0.7,
  apart: 0.6,
  spelling: 0.6,
  beginning: 0.7,
  part: 0.5,
  stub: 0.4
} as const

/** A word's place in its query. */
export interface Place {
  /** Whether it is the last word, which may be half typed. */
  isLast: boolean
  /** Whether the query is still being typed. */
  typing: boolean
  /** Whether nothing else was said, so that words which hold this one are worth showing. */
  alone: boolean
}

/** Adds an alternative to a group. */
type Add = (weight: number, tokens: string[], more?: Partial<Wording>) => void

/**
 * Adds other wordings of a compound: `node.js` is also `nodejs`, or both of its parts anywhere; `self-hosting` is also
 * `self-hosted`.
 *
 * @returns what stands in for it, where no bookmark holds it as typed
 */
export function addCompounds(
  [wording, other]: Wording[],
  asTyped: number,
  add: Add,
  vocabulary: Vocabulary
): Instead | undefined {
  if (!wording || other || wording.prefix || wording.tokens.length < 2) return undefined
  const { tokens } = wording
  const [whole] = vocabulary.known([tokens.join('')])
  if (whole !== undefined) add(WEIGHT.joined, [whole])
  const last = tokens.at(-1) ?? ''
  const forms = vocabulary.known(wordForms(last)).map((form) => [...tokens.slice(0, -1), form])
  for (const form of forms) if (vocabulary.held([{ tokens: form }]) > 0) add(WEIGHT.form, form)
  const half = asTyped === 0 && whole === undefined
  if (half) add(WEIGHT.form, tokens, { prefix: true })
  add(WEIGHT.apart, tokens, { apart: true })
  return half
    ? { by: 'beginning', words: [`${tokens.join(' ')}…`] }
    : whole === undefined
      ? undefined
      : { by: 'parts', words: [whole] }
}

/**
 * Adds other wordings of a word; where no bookmark holds it, what may have been meant.
 *
 * @returns what stands in for it then
 */
export function addWordings(
  word: string,
  asTyped: number,
  { isLast, alone, typing }: Place,
  add: Add,
  vocabulary: Vocabulary
): Instead | undefined {
  const forms = vocabulary.known([...wordForms(word), ...stemForms(word, vocabulary.beginning)])
  for (const form of forms) add(WEIGHT.form, [form])
  const meanings = abbreviationsOf(word).filter((tokens) => vocabulary.held([{ tokens }]) > 0)
  for (const tokens of meanings) add(WEIGHT.abbreviation, tokens)
  const split = asTyped < FEW_HOLD || /\p{N}/u.test(word) ? splitOf(word, vocabulary) : undefined
  if (split) add(WEIGHT.joined, split)
  if (asTyped > 0) {
    if (isLast && typing) add(WEIGHT.form, [word], { prefix: true })
    else if (isLast && !alone && word.length >= MIN_BEGINNING_LENGTH) add(WEIGHT.stub, [word], { prefix: true })
    if (alone) for (const one of vocabulary.containing(word)) if (one !== word) add(WEIGHT.part, [one])
    return undefined
  }
  if (split) return { by: 'parts', words: [split.join(' ')] }
  const three = splitInThree(word, vocabulary)
  if (three) add(WEIGHT.joined, three, { apart: true })
  if (three) return { by: 'parts', words: [three.join(' ')] }
  if (meanings.length > 0) return { by: 'form', words: [...forms, ...meanings.map((tokens) => tokens.join(' '))] }
  // A form may be one by chance: `grammer` is no more of a gram than `grammar`.
  const corrections = vocabulary.corrections(word, forms.length > 0).filter((one) => !forms.includes(one))
  for (const one of corrections) add(WEIGHT.spelling, [one])
  const initial = INITIAL.test(word) ? mostHeld([[word.slice(0, 1), word.slice(1)]], vocabulary) : undefined
  if (initial) add(WEIGHT.joined, initial)
  if (initial) return { by: 'parts', words: [initial.join(' '), ...forms, ...corrections] }
  if (forms.length > 0) return { by: 'form', words: [...forms, ...corrections] }
  const [reading] = inOtherLetters(word, vocabulary)
  const begins = word.length >= MIN_BEGINNING_LENGTH && vocabulary.held([{ tokens: [word], prefix: true }]) > 0
  if (reading !== undefined) add(WEIGHT.spelling, [reading])
  if (begins) add(isLast ? WEIGHT.form : WEIGHT.beginning, [word], { prefix: true })
  if (begins) return { by: 'beginning', words: [`${word}…`] }
  if (corrections.length > 0) return { by: 'spelling', words: corrections }
  if (reading !== undefined) return { by: 'spelling', words: [reading] }
  const containing = alone || word.length >= MIN_CONTAINED_LENGTH ? vocabulary.containing(word) : []
  for (const one of containing) add(WEIGHT.part, [one])
  return containing.length > 0 ? { by: 'part', words: containing } : undefined
}

/** Words that bookmarks hold in Latin or Cyrillic letters, where this one has the other: exactly, or a letter away. */
function inOtherLetters(word: string, vocabulary: Vocabulary): string[] {
  const reading = word.length < MIN_READING_LENGTH ? undefined : transliterated(word)
  if (reading === undefined) return []
  const known = vocabulary.known([reading])
  return known.length > 0 ? known : vocabulary.corrections(reading, true).slice(0, 1)
}

/** Minimum length of a reading, in letters. Shorter ones are other words by chance. */
const MIN_READING_LENGTH = 4

/** Minimum length of a beginning, in letters. Shorter ones begin too many words. */
const MIN_BEGINNING_LENGTH = 3

/** Minimum length of a word that may be a part of another word, if the query has more words, in letters. */
const MIN_CONTAINED_LENGTH = 4

/** A word that as many bookmarks hold is one, whatever it may be joined of. */
const FEW_HOLD = 20

/** Minimum length of each part of a joined word, in letters. */
const MIN_PART_LENGTH = 2

/** Maximum length of a word that is split, in letters, because the list of words has no longer ones. */
const MAX_SPLIT_LENGTH = 40

/** Where letters and digits meet: `vue3`, `h264`, `r2d2`, `100mb`. */
const NUMBERED = /(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu

/** Maximum number of places where a word of letters and digits is split. A hash has more, and each is looked up. */
const MAX_CUTS = 4

/** `dont` for *don’t*. */
const NEGATED = /^[a-z]+nt$/

/** `tsql` for *T-SQL*. Before a word, a and i are often words themselves, and s an ending. */
const INITIAL = /^[b-hj-rt-z](?=[a-z]{3,}$)/

/** Two words the library holds next to each other, of which this one is joined: the pair that is met most. */
function splitOf(word: string, vocabulary: Vocabulary): string[] | undefined {
  if (word.length > MAX_SPLIT_LENGTH || !/^[\p{L}\p{N}]+$/u.test(word)) return undefined
  const cut = (at: number) => [word.slice(0, at), word.slice(at)]
  const numbered = [...word.matchAll(NUMBERED)].slice(-MAX_CUTS).map(({ index }) => cut(index))
  if (numbered.length > 0) return mostHeld(numbered, vocabulary)
  const pairs: string[][] = []
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at++) pairs.push(cut(at))
  const known = new Set(vocabulary.known(pairs.flat()))
  const negated = NEGATED.test(word) ? [cut(word.length - 1)] : []
  return mostHeld([...pairs.filter((pair) => pair.every((part) => known.has(part))), ...negated], vocabulary)
}

/** Three words of the library that were typed without spaces, as a bookmark holds them together. */
function splitInThree(word: string, vocabulary: Vocabulary): string[] | undefined {
  if (word.length < 3 * MIN_THIRD_LENGTH || word.length > MAX_SPLIT_LENGTH || !/^[\p{L}\p{N}]+$/u.test(word))
    return undefined
  const triples: string[][] = []
  for (let first = MIN_THIRD_LENGTH; first <= word.length - 2 * MIN_THIRD_LENGTH; first++) {
    for (let second = first + MIN_THIRD_LENGTH; second <= word.length - MIN_THIRD_LENGTH; second++) {
      triples.push([word.slice(0, first), word.slice(first, second), word.slice(second)])
    }
  }
  const known = new Set(vocabulary.known([...new Set(triples.flat())]))
  const whole = triples.filter((triple) => triple.every((part) => known.has(part)))
  return mostHeld(whole.slice(0, MAX_TRIPLES), vocabulary, true)
}

/** Minimum length of each of three words, in letters: most words have two-letter words in them by chance. */
const MIN_THIRD_LENGTH = 3

/** Maximum number of ways to split a word in three that are looked up. */
const MAX_TRIPLES = 8

function mostHeld(pairs: string[][], vocabulary: Vocabulary, apart = false): string[] | undefined {
  return pairs
    .map((pair) => ({ pair, held: vocabulary.held([{ tokens: pair, apart }]) }))
    .filter(({ held }) => held > 0)
    .sort((a, b) => b.held - a.held)[0]?.pair
}
