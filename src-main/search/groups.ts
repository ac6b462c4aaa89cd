import { termTokens } from './query.ts'
import { type Column, type ParsedQuery, positiveTerms, type Term } from './query-nodes.ts'
import { foldWord, isUnspaced, splitCharacters } from './segment.ts'
import { findStopCharacters, findStopWords } from './stop-words.ts'
import {
  type Alternative,
  addCompounds,
  addWordings,
  type Replacement,
  type Vocabulary,
  WEIGHT,
  type Wording,
  type WordPosition
} from './wordings.ts'

/** One concept of a query: a word with its alternatives. */
export interface Group {
  /** The word as typed. In a text without spaces, one pair of its characters. */
  typed: string
  /** The whole word or text that `typed` is a part of. */
  term: string
  alternatives: Alternative[]
  /** The inverse document frequency of the alternatives, a tenth of it for a stop word. */
  weight: number
  /** Whether it is a word like `the`. */
  isStopWord: boolean
  /** How many bookmarks have one of the alternatives, up to the vocabulary’s maximum. */
  matchCount: number
  /** The words that are searched instead, if no bookmark has the word. */
  replacement: Replacement | undefined
}

/** The share of its weight that a stop word keeps. */
const STOP_WORD_SHARE = 0.1

/** Maximum number of groups of a query: a set of groups is the bits of a 32-bit integer. */
const MAX_GROUPS = 30

/**
 * Splits a query into groups, and adds the alternatives that the library has for each word: other forms, joined and split
 * words, corrections.
 *
 * - Each pair of characters of a text without spaces is a group.
 * - Each alternative of `a OR b` is a group, because bookmarks with more of them rank higher.
 * - A phrase in quotes is one group without other wordings.
 * - A term of several words, such as an address, is split into its words if no bookmark has it.
 *
 * @param typing whether the user is still typing the last word
 * @param asTyped adds no alternatives
 */
export function createGroups(
  query: ParsedQuery,
  vocabulary: Vocabulary,
  { typing = false, asTyped: isAsTyped = false } = {}
): Group[] {
  const terms = [...query.all.flat(), ...query.nodes.flatMap(positiveTerms)]
  const all = terms.flatMap(conceptsOf).flatMap((concept) => splitUnknown(concept, vocabulary))
  const concepts = [
    ...new Map(all.map((concept) => [JSON.stringify([concept.wordings, concept.term]), concept])).values()
  ]
  const joined = isAsTyped ? new Map<number, string[]>() : findJoined(concepts, vocabulary)
  const stopWords = findStopWords(concepts.flatMap(({ word }) => word ?? []))
  const isStop = ({ word, isStopPair }: Concept) => isStopPair === true || (word !== undefined && stopWords.has(word))
  // A query of stop words alone is about them: `книга` also finds `книги`.
  const onlyStopWords = concepts.every(isStop)
  const lastIndex = concepts.length - 1
  return concepts.slice(0, MAX_GROUPS).map((concept, index) => {
    const whole = joinedWordings(joined.get(index))
    const asTyped = vocabulary.countBookmarks([...concept.wordings, ...whole])
    const position = { isLast: index === lastIndex, isOnlyWord: lastIndex === 0, isTyping: typing }
    const isStopWord = !onlyStopWords && isStop(concept)
    const isReworded = !isStopWord && !concept.quoted && !isAsTyped
    return createGroup(concept, isStopWord, whole, asTyped, isReworded ? position : undefined, vocabulary)
  })
}

/** Returns the bit of a group in a bit set of groups. */
export function groupBit(groups: Group[], group: Group): number {
  return 1 << groups.indexOf(group)
}

/** Returns some of the groups as a bit set. */
export function groupBits(groups: Group[], subset: Group[]): number {
  return subset.reduce((bits, group) => bits | groupBit(groups, group), 0)
}

/** Returns the groups that are not stop words, or all if there are only stop words. */
export function contentGroups(groups: Group[]): Group[] {
  const content = groups.filter(({ isStopWord }) => !isStopWord)
  return content.length > 0 ? content : groups
}

/** A group before other wordings are searched. */
interface Concept {
  typed: string
  /** The whole word or text that `typed` is a part of; absent if it is the same. */
  term?: string | undefined
  wordings: Wording[]
  /** The folded word; absent if no other wordings of it are searched. */
  word?: string | undefined
  column: Column | undefined
  /** Whether it is a pair of characters that overlaps a stop word. */
  isStopPair?: boolean | undefined
  /** Whether it was in quotes, so that only this wording matches. */
  quoted?: boolean | undefined
}

function wordingOf(term: Term): Wording {
  const { tokens, prefix } = termTokens(term)
  return { tokens: tokens.map(foldWord), prefix: term.prefix || prefix, column: term.column }
}

/**
 * Returns one concept for a word, and one for each pair of characters of a text without spaces, whose words may be in
 * different places of a bookmark.
 */
function conceptsOf(term: Term): Concept[] {
  const { tokens, prefix, column } = wordingOf(term)
  if (tokens.length === 0) return []
  const [only, second] = tokens
  if (term.phrase) return [{ typed: term.text, wordings: [{ tokens, column }], column, quoted: true }]
  if (term.broken) return conceptsOfPhrase(term.text, tokens, column)
  if (only !== undefined && second === undefined) {
    const word = prefix || isUnspaced(only) ? undefined : only
    return [{ typed: term.text, wordings: [{ tokens, prefix, column }], word, column }]
  }
  if (tokens.some(isUnspaced)) {
    const stopPairs = findStopPairs(term.text)
    return tokens.map((token, index) => {
      const wording = { tokens: [token], prefix: index === tokens.length - 1 ? prefix : false, column }
      const word = isUnspaced(token) ? undefined : token
      return { typed: token, term: term.text, wordings: [wording], word, column, isStopPair: stopPairs.has(token) }
    })
  }
  return [{ typed: term.text, wordings: [{ tokens, prefix, column }], column }]
}

/** Returns the pairs of characters that overlap a stop word everywhere in a text without spaces. */
function findStopPairs(text: string): Set<string> {
  const characters = splitCharacters(foldWord(text))
  const isStop = characters.length < MIN_SENTENCE_LENGTH ? [] : findStopCharacters(characters.join(''))
  const pairs = characters.slice(1).map((character, index) => ({
    pair: `${characters[index]}${character}`,
    isStop: isStop[index] || isStop[index + 1]
  }))
  const content = new Set(pairs.filter((entry) => !entry.isStop).map(({ pair }) => pair))
  return new Set(pairs.map(({ pair }) => pair).filter((pair) => !content.has(pair)))
}

/** Minimum length of a text without spaces that may be a sentence with stop words, in characters. */
const MIN_SENTENCE_LENGTH = 7

/** Returns the words of a phrase that no bookmark has, and its pairs of adjacent words. */
function conceptsOfPhrase(text: string, tokens: string[], column: Column | undefined): Concept[] {
  const pairs = tokens.slice(1).map((token, index) => [tokens[index] ?? '', token])
  return [...tokens.map((token) => [token]), ...pairs].map((words) => ({
    typed: words.join(' '),
    term: text,
    word: words.length === 1 && !words.some(isUnspaced) ? words[0] : undefined,
    wordings: [{ tokens: words, column }],
    column
  }))
}

/**
 * Splits a term of several words, such as `owner/name`, into its words, if no bookmark has it as typed, written as one
 * word, or as a beginning.
 */
function splitUnknown(concept: Concept, vocabulary: Vocabulary): Concept[] {
  const { wordings, typed, column } = concept
  const [{ tokens, prefix } = { tokens: [] }, other] = wordings
  if (other || prefix || concept.quoted || tokens.length < 2 || concept.term !== undefined) return [concept]
  if (vocabulary.countBookmarks(asPrefixes(wordings)) > 0) return [concept]
  if (vocabulary.findKnown([tokens.join('')]).length > 0) return [concept]
  return tokens.map((word) => ({ typed: word, term: typed, word, wordings: [{ tokens: [word], column }], column }))
}

/** Allows longer last words: `owner/na` also matches `owner/name`. */
function asPrefixes(wordings: Wording[]): Wording[] {
  return wordings.map((wording) => ({ ...wording, prefix: (wording.tokens.at(-1)?.length ?? 0) > 1 }))
}

/** Finds adjacent words that some bookmark writes as one (`text book`: `textbook`), by the index of each of the two. */
function findJoined(concepts: Concept[], vocabulary: Vocabulary): Map<number, string[]> {
  const pairs = concepts.slice(1).flatMap((second, index) => {
    const first = concepts[index]
    return first?.word !== undefined && second.word !== undefined ? [{ index, word: first.word + second.word }] : []
  })
  const known = new Set(vocabulary.findKnown(pairs.map(({ word }) => word)))
  const joined = new Map<number, string[]>()
  for (const { index, word } of pairs) {
    if (!known.has(word)) continue
    for (const partIndex of [index, index + 1]) joined.set(partIndex, [...(joined.get(partIndex) ?? []), word])
  }
  return joined
}

function joinedWordings(joined: string[] = []): Alternative[] {
  return joined.map((whole) => ({ tokens: [whole], weight: WEIGHT.joined }))
}

/**
 * @param asTyped how many bookmarks have the concept as typed or joined
 * @param position absent if no other wordings are searched
 */
function createGroup(
  concept: Concept,
  isStopWord: boolean,
  joined: Alternative[],
  asTyped: number,
  position: WordPosition | undefined,
  vocabulary: Vocabulary
): Group {
  const { typed, word, wordings, column } = concept
  const alternatives: Alternative[] = [...wordings.map((wording) => ({ ...wording, weight: 1 })), ...joined]
  const add = (weight: number, tokens: string[], more: Partial<Wording> = {}) =>
    alternatives.push({ tokens, column, ...more, weight })
  const reword = () => {
    if (!position) return undefined
    if (word !== undefined) return addWordings(word, asTyped, position, add, vocabulary)
    // A concept with a `term` is a part of a phrase or of a text without spaces, and not a compound.
    return concept.term === undefined ? addCompounds(wordings, asTyped, add, vocabulary) : undefined
  }
  const replacement = reword()
  for (const { tokens, prefix } of wordings) {
    const other = tokens.map((token) => (isUnspaced(token) ? otherKana(token) : token))
    if (other.some((token, index) => token !== tokens[index])) add(WEIGHT.form, other, { prefix })
  }
  const added = alternatives.slice(wordings.length + joined.length)
  const matchCount =
    added.length === 0 || asTyped >= MAX_COUNTED_FORMS
      ? asTyped
      : vocabulary.countBookmarks(asTyped === 0 ? added : alternatives)
  const idf = Math.log(1 + vocabulary.bookmarks / Math.max(1, matchCount))
  return {
    typed,
    term: concept.term ?? typed,
    alternatives,
    weight: isStopWord ? idf * STOP_WORD_SHARE : idf,
    isStopWord,
    matchCount,
    replacement: asTyped === 0 ? replacement : undefined
  }
}

/** Returns hiragana as katakana and the reverse: the blocks have the same order, 0x60 apart (Unicode, U+3040 to U+30FF). */
function otherKana(token: string): string {
  return token.replace(/[ぁ-ゖゝゞァ-ヶヽヾ]/g, (kana) =>
    String.fromCharCode(kana.charCodeAt(0) + (kana < 'ァ' ? 0x60 : -0x60))
  )
}

/** If more bookmarks have the word as typed, its other forms are not counted: they would hardly change its weight. */
const MAX_COUNTED_FORMS = 1500
