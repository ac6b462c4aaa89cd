import { findAbbreviations } from './abbreviations.ts'
import { transliterate } from './fold-letters.ts'
import type { Column } from './query-nodes.ts'
import { stemForms, wordForms } from './word-forms.ts'

/** One way to write a concept: tokens that are adjacent, or anywhere in the bookmark if `apart`. */
export interface Wording {
  tokens: string[]
  /** Whether the last token also matches longer words that begin with it. */
  prefix?: boolean | undefined
  apart?: boolean | undefined
  column?: Column | undefined
}

/** A wording with its weight in the ranking, which is 1 for the wording as typed. */
export interface Alternative extends Wording {
  weight: number
}

/** The words that are searched instead of a word that no bookmark has, and how they were found. */
export interface Replacement {
  by: 'form' | 'parts' | 'spelling' | 'beginning' | 'part'
  words: string[]
}

/** Finds and counts words in the bookmarks that the caller may see. */
export interface Vocabulary {
  /** The approximate number of these bookmarks. */
  bookmarks: number
  /** Counts the bookmarks with at least one of the wordings, up to a maximum. */
  countBookmarks(wordings: Wording[]): number
  /** Returns those of the words that a bookmark has. */
  findKnown(words: string[]): string[]
  /**
   * Returns at most three likely corrections of a word that no bookmark has, the most common first.
   *
   * @param onlyNear only words that differ by one letter
   */
  findCorrections(word: string, onlyNear: boolean): string[]
  /**
   * Returns words of the whole library that begin with a part. The caller may not see all of them: pass them to
   * `findKnown`. Returns none for short parts.
   */
  findBeginning(part: string): string[]
  /** Returns at most twenty words that contain a part, the shortest first. */
  findContaining(part: string): string[]
}

/** The weights of alternatives. */
export const WEIGHT = {
  form: 0.6,
  joined: 0.9,
  abbreviation: 0.7,
  apart: 0.6,
  spelling: 0.6,
  beginning: 0.7,
  part: 0.5,
  longer: 0.4
} as const

/** The position of a word in its query. */
export interface WordPosition {
  /** Whether it is the last word, which may not be fully typed. */
  isLast: boolean
  /** Whether the user is still typing the query. */
  isTyping: boolean
  /** Whether the query has no other word, so that words containing this one are useful results. */
  isOnlyWord: boolean
}

/** Adds an alternative to a group. */
type Add = (weight: number, tokens: string[], more?: Partial<Wording>) => void

/**
 * Adds other wordings of a compound: for `node.js` also `nodejs`, and both parts anywhere; for `self-hosting` also
 * `self-hosted`.
 *
 * @param asTyped how many bookmarks have the compound as typed
 * @returns the replacement if no bookmark has it as typed
 */
export function addCompounds(
  [wording, other]: Wording[],
  asTyped: number,
  add: Add,
  vocabulary: Vocabulary
): Replacement | undefined {
  if (!wording || other || wording.prefix || wording.tokens.length < 2) return undefined
  const { tokens } = wording
  const [joined] = vocabulary.findKnown([tokens.join('')])
  if (joined !== undefined) add(WEIGHT.joined, [joined])
  const last = tokens.at(-1) ?? ''
  const forms = vocabulary.findKnown(wordForms(last)).map((form) => [...tokens.slice(0, -1), form])
  for (const form of forms) if (vocabulary.countBookmarks([{ tokens: form }]) > 0) add(WEIGHT.form, form)
  const isUnknown = asTyped === 0 && joined === undefined
  if (isUnknown) add(WEIGHT.form, tokens, { prefix: true })
  add(WEIGHT.apart, tokens, { apart: true })
  if (isUnknown) return { by: 'beginning', words: [`${tokens.join(' ')}…`] }
  return joined === undefined ? undefined : { by: 'parts', words: [joined] }
}

/**
 * Adds other wordings of a word, and likely corrections if no bookmark has the word.
 *
 * @param asTyped how many bookmarks have the word
 * @returns the replacement if no bookmark has the word
 */
export function addWordings(
  word: string,
  asTyped: number,
  { isLast, isOnlyWord, isTyping }: WordPosition,
  add: Add,
  vocabulary: Vocabulary
): Replacement | undefined {
  const forms = vocabulary.findKnown([...wordForms(word), ...stemForms(word, vocabulary.findBeginning)])
  for (const form of forms) add(WEIGHT.form, [form])
  const meanings = findAbbreviations(word).filter((tokens) => vocabulary.countBookmarks([{ tokens }]) > 0)
  for (const tokens of meanings) add(WEIGHT.abbreviation, tokens)
  const split = asTyped < COMMON_COUNT || /\p{N}/u.test(word) ? splitInTwo(word, vocabulary) : undefined
  if (split) add(WEIGHT.joined, split)
  if (asTyped > 0) {
    if (isLast && isTyping) add(WEIGHT.form, [word], { prefix: true })
    else if (isLast && !isOnlyWord && word.length >= MIN_BEGINNING_LENGTH) add(WEIGHT.longer, [word], { prefix: true })
    if (isOnlyWord)
      for (const longer of vocabulary.findContaining(word)) if (longer !== word) add(WEIGHT.part, [longer])
    return undefined
  }
  if (split) return { by: 'parts', words: [split.join(' ')] }
  const three = splitInThree(word, vocabulary)
  if (three) add(WEIGHT.joined, three, { apart: true })
  if (three) return { by: 'parts', words: [three.join(' ')] }
  if (meanings.length > 0) return { by: 'form', words: [...forms, ...meanings.map((tokens) => tokens.join(' '))] }
  // A known form can be an unrelated word: for the typo `grammer`, `gram` is a form, but `grammar` is meant.
  const corrections = vocabulary.findCorrections(word, forms.length > 0).filter((other) => !forms.includes(other))
  for (const correction of corrections) add(WEIGHT.spelling, [correction])
  const initial = INITIAL.test(word) ? mostCommon([[word.slice(0, 1), word.slice(1)]], vocabulary) : undefined
  if (initial) add(WEIGHT.joined, initial)
  if (initial) return { by: 'parts', words: [initial.join(' '), ...forms, ...corrections] }
  if (forms.length > 0) return { by: 'form', words: [...forms, ...corrections] }
  const transliterated = findTransliterated(word, vocabulary)
  const isBeginning =
    word.length >= MIN_BEGINNING_LENGTH && vocabulary.countBookmarks([{ tokens: [word], prefix: true }]) > 0
  if (transliterated !== undefined) add(WEIGHT.spelling, [transliterated])
  if (isBeginning) add(isLast ? WEIGHT.form : WEIGHT.beginning, [word], { prefix: true })
  if (isBeginning) return { by: 'beginning', words: [`${word}…`] }
  if (corrections.length > 0) return { by: 'spelling', words: corrections }
  if (transliterated !== undefined) return { by: 'spelling', words: [transliterated] }
  const containing = isOnlyWord || word.length >= MIN_CONTAINED_LENGTH ? vocabulary.findContaining(word) : []
  for (const longer of containing) add(WEIGHT.part, [longer])
  return containing.length > 0 ? { by: 'part', words: containing } : undefined
}

/** Returns the word in the other script, Latin or Cyrillic, if a bookmark has it so or with one other letter. */
function findTransliterated(word: string, vocabulary: Vocabulary): string | undefined {
  const transliterated = word.length < MIN_TRANSLITERATED_LENGTH ? undefined : transliterate(word)
  if (transliterated === undefined) return undefined
  const [known] = vocabulary.findKnown([transliterated])
  return known ?? vocabulary.findCorrections(transliterated, true)[0]
}

/** Minimum length of a transliterated word, in letters. Shorter ones match unrelated words by chance. */
const MIN_TRANSLITERATED_LENGTH = 4

/** Minimum length of a beginning, in letters. Too many words have a shorter one. */
const MIN_BEGINNING_LENGTH = 3

/** Minimum length of a word that is searched inside longer words if the query has other words, in letters. */
const MIN_CONTAINED_LENGTH = 4

/** A word without digits that this many bookmarks have is not split, because it is certainly one word. */
const COMMON_COUNT = 20

/** Minimum length of each part of a joined word, in letters. */
const MIN_PART_LENGTH = 2

/** Maximum length of a word that is split, in letters, because the word list has no longer words. */
const MAX_SPLIT_LENGTH = 40

/** The positions between letters and digits: `vue3`, `h264`, `r2d2`, `100mb`. */
const NUMBERED = /(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu

/** Maximum number of positions at which a word of letters and digits is split. A hash has more, and each costs a look-up. */
const MAX_CUTS = 4

/** `dont` for *don’t*. */
const NEGATED = /^[a-z]+nt$/

/** `tsql` for *T-SQL*. Not a and i, which are often separate words, and not s, which is often an ending. */
const INITIAL = /^[b-hj-rt-z](?=[a-z]{3,}$)/

/** Splits a word into two words that bookmarks have next to each other: the most common pair. */
function splitInTwo(word: string, vocabulary: Vocabulary): string[] | undefined {
  if (word.length > MAX_SPLIT_LENGTH || !/^[\p{L}\p{N}]+$/u.test(word)) return undefined
  const cut = (index: number) => [word.slice(0, index), word.slice(index)]
  const numbered = [...word.matchAll(NUMBERED)].slice(-MAX_CUTS).map(({ index }) => cut(index))
  if (numbered.length > 0) return mostCommon(numbered, vocabulary)
  const pairs: string[][] = []
  for (let index = MIN_PART_LENGTH; index <= word.length - MIN_PART_LENGTH; index++) pairs.push(cut(index))
  const known = new Set(vocabulary.findKnown(pairs.flat()))
  const negated = NEGATED.test(word) ? [cut(word.length - 1)] : []
  return mostCommon([...pairs.filter((pair) => pair.every((part) => known.has(part))), ...negated], vocabulary)
}

/** Splits a word into three words that a bookmark has: the most common of the ways to split it. */
function splitInThree(word: string, vocabulary: Vocabulary): string[] | undefined {
  if (word.length < 3 * MIN_THIRD_LENGTH || word.length > MAX_SPLIT_LENGTH || !/^[\p{L}\p{N}]+$/u.test(word))
    return undefined
  const triples: string[][] = []
  for (let first = MIN_THIRD_LENGTH; first <= word.length - 2 * MIN_THIRD_LENGTH; first++) {
    for (let second = first + MIN_THIRD_LENGTH; second <= word.length - MIN_THIRD_LENGTH; second++) {
      triples.push([word.slice(0, first), word.slice(first, second), word.slice(second)])
    }
  }
  const known = new Set(vocabulary.findKnown([...new Set(triples.flat())]))
  const allKnown = triples.filter((triple) => triple.every((part) => known.has(part)))
  return mostCommon(allKnown.slice(0, MAX_TRIPLES), vocabulary, true)
}

/** Minimum length of each of three words, in letters. Most words contain two-letter words by chance. */
const MIN_THIRD_LENGTH = 3

/** Maximum number of ways to split a word into three that are looked up. */
const MAX_TRIPLES = 8

/** Returns the tokens that most bookmarks have; `undefined` if no bookmark has any of them. */
function mostCommon(candidates: string[][], vocabulary: Vocabulary, apart = false): string[] | undefined {
  return candidates
    .map((tokens) => ({ tokens, count: vocabulary.countBookmarks([{ tokens, apart }]) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)[0]?.tokens
}
