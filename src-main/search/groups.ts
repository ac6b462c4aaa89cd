import { emptyCharacters, emptyWords } from './empty-words.ts'
import { termTokens } from './query.ts'
import { type Column, type ParsedQuery, positiveTerms, type Term } from './query-nodes.ts'
import { charactersOf, foldWord, isRun } from './segment.ts'
import {
  type Alternative,
  addCompounds,
  addWordings,
  type Instead,
  type Place,
  type Vocabulary,
  WEIGHT,
  type Wording
} from './wordings.ts'

/** One thing that a query says: a word with its alternatives. */
export interface Group {
  /** As it was typed; of a run, a pair of its characters. */
  typed: string
  /** The whole word or run it is of. */
  term: string
  alternatives: Alternative[]
  /** How much it tells: more, the fewer bookmarks hold it. */
  weight: number
  /** Whether it carries nothing, like `the`. */
  empty: boolean
  /** Bookmarks that hold one of the alternatives, counted as far as the vocabulary counts; 0 where none does. */
  held: number
  /** The replacement of a word that no bookmark holds. */
  instead: Instead | undefined
}

/** The share of its weight that a word keeps that carries nothing. */
const EMPTY = 0.1

/** Maximum number of groups of a query, each of which is a bit of a number. */
const MAX_GROUPS = 30

/**
 * Takes a query apart into what was said, each with the wordings the library has for it: other forms of a word, words
 * joined or split, mistyped ones put right. A run of Chinese characters or kana is its pairs, each by itself. A term
 * of several words that no bookmark has, such as an address, is its words. Alternatives (`a OR b`) are a group each, because a bookmark
 * that has more of them fits better. A phrase in quotes is taken as it is.
 *
 * @param typing the last word is still being typed
 * @param asTyped no other wordings are looked for
 */
export function searchGroups(
  query: ParsedQuery,
  vocabulary: Vocabulary,
  { typing = false, asTyped: isAsTyped = false } = {}
): Group[] {
  const all = [...query.all.flat(), ...query.nodes.flatMap(positiveTerms)].flatMap(piecesOf)
  const said = all.filter(({ wordings }) => wordings.length > 0).flatMap((one) => partsOf(one, vocabulary))
  const distinct = [...new Map(said.map((one) => [JSON.stringify([one.wordings, one.term]), one])).values()]
  const joined = isAsTyped ? new Map<number, string[]>() : joinNeighbours(distinct, vocabulary)
  const empty = emptyWords(distinct.flatMap(({ word }) => word ?? []))
  const isEmpty = (one: Said) => one.empty || (one.word !== undefined && empty.has(one.word))
  // Of a query that has no other words, they are what was meant: `книга` also finds `книги`.
  const onlyEmpty = distinct.every(isEmpty)
  const lastIndex = distinct.length - 1
  const counts = distinct.map((one, index) => vocabulary.held([...one.wordings, ...wholes(joined.get(index))]))
  return distinct.slice(0, MAX_GROUPS).map((one, index) => {
    const asTyped = counts[index] ?? 0
    const place = { isLast: index === lastIndex, alone: lastIndex === 0, typing }
    const weighted = { ...one, empty: !onlyEmpty && isEmpty(one) }
    const reworded = !weighted.empty && !one.quoted && !isAsTyped
    return groupOf(weighted, wholes(joined.get(index)), asTyped, reworded ? place : undefined, vocabulary)
  })
}

/** Returns the bit of a group in a set of groups. */
export function bitOf(groups: Group[], group: Group): number {
  return 1 << groups.indexOf(group)
}

/** Returns the set of some of the groups, as bits by their place. */
export function bitsOf(groups: Group[], some: Group[]): number {
  return some.reduce((bits, group) => bits | bitOf(groups, group), 0)
}

/** Returns the groups that carry something; all of them where none does. */
export function fullGroups(groups: Group[]): Group[] {
  const full = groups.filter(({ empty }) => !empty)
  return full.length > 0 ? full : groups
}

interface Said {
  typed: string
  term?: string | undefined
  wordings: Wording[]
  /** The word, folded; absent where no other wordings are looked for. */
  word?: string | undefined
  column: Column | undefined
  empty?: boolean | undefined
  /** Whether it stood in quotes, and has no other wordings. */
  quoted?: boolean | undefined
}

function wordingOf(term: Term): Wording {
  const read = termTokens(term)
  return { tokens: read.tokens.map(foldWord), prefix: term.prefix || read.prefix, column: term.column }
}

/** One thing for a word; several for a run of characters, whose parts may have been remembered from different places. */
function piecesOf(term: Term): Said[] {
  const { tokens, prefix, column } = wordingOf(term)
  if (tokens.length === 0) return []
  const [only, second] = tokens
  if (term.phrase) return [{ typed: term.text, wordings: [{ tokens, column }], column, quoted: true }]
  if (term.broken) return partsOfPhrase(term.text, tokens, column)
  if (only !== undefined && second === undefined) {
    const word = prefix || isRun(only) ? undefined : only
    return [{ typed: term.text, wordings: [{ tokens, prefix, column }], word, column }]
  }
  if (tokens.some(isRun)) {
    const runs = emptyPairs(term.text)
    return tokens.map((token, index) => {
      const wording = { tokens: [token], prefix: index === tokens.length - 1 ? prefix : false, column }
      const word = isRun(token) ? undefined : token
      return { typed: token, term: term.text, wordings: [wording], word, column, empty: runs.has(token) }
    })
  }
  return [{ typed: term.text, wordings: [{ tokens, prefix, column }], column }]
}

/** Returns the pairs of neighbours that are no part of a word that carries something. */
function emptyPairs(text: string): Set<string> {
  const characters = charactersOf(foldWord(text))
  const empty = characters.length < MIN_QUESTION_LENGTH ? [] : emptyCharacters(characters.join(''))
  const pairs = characters
    .slice(1)
    .map((character, at) => ({ pair: `${characters[at]}${character}`, empty: empty[at] || empty[at + 1] }))
  const full = new Set(pairs.filter((one) => !one.empty).map(({ pair }) => pair))
  return new Set(pairs.map(({ pair }) => pair).filter((pair) => !full.has(pair)))
}

/** Shorter runs of characters are no questions, because each of their characters was chosen. */
const MIN_QUESTION_LENGTH = 7

/** The words of a phrase, and those that stand beside each other in it. */
function partsOfPhrase(text: string, tokens: string[], column: Column | undefined): Said[] {
  const pairs = tokens.slice(1).map((token, index) => [tokens[index] ?? '', token])
  return [...tokens.map((token) => [token]), ...pairs].map((some) => ({
    typed: some.join(' '),
    term: text,
    word: some.length === 1 && !some.some(isRun) ? some[0] : undefined,
    wordings: [{ tokens: some, column }],
    column
  }))
}

/** Reads a term of several words as those words, where no bookmark has it as typed, joined or as a beginning. */
function partsOf(said: Said, vocabulary: Vocabulary): Said[] {
  const { wordings, typed, column } = said
  const [{ tokens, prefix } = { tokens: [] }, other] = wordings
  if (other || prefix || said.quoted || tokens.length < 2 || said.term !== undefined) return [said]
  if (vocabulary.held(begun(wordings)) > 0 || vocabulary.known([tokens.join('')]).length > 0) return [said]
  return tokens.map((word) => ({ typed: word, term: typed, word, wordings: [{ tokens: [word], column }], column }))
}

/** A compound whose last word may be half typed, as in `owner/na`. */
function begun(wordings: Wording[]): Wording[] {
  return wordings.map((wording) => ({ ...wording, prefix: (wording.tokens.at(-1)?.length ?? 0) > 1 }))
}

/** Words that stand joined in some bookmark: `text book` is `textbook` to it. By the place of each of the two. */
function joinNeighbours(said: Said[], vocabulary: Vocabulary): Map<number, string[]> {
  const pairs = said.slice(1).flatMap((second, at) => {
    const first = said[at]
    return first?.word !== undefined && second.word !== undefined ? [{ at, word: first.word + second.word }] : []
  })
  const known = new Set(vocabulary.known(pairs.map(({ word }) => word)))
  const joined = new Map<number, string[]>()
  for (const { at, word } of pairs) {
    if (!known.has(word)) continue
    for (const place of [at, at + 1]) joined.set(place, [...(joined.get(place) ?? []), word])
  }
  return joined
}

/** Words that two neighbours are joined to, as wordings. */
function wholes(joined: string[] = []): Alternative[] {
  return joined.map((whole) => ({ tokens: [whole], weight: WEIGHT.joined }))
}

/** @param place absent where other wordings of it would change little */
function groupOf(
  said: Said,
  joined: Alternative[],
  asTyped: number,
  place: Place | undefined,
  vocabulary: Vocabulary
): Group {
  const { typed, word, wordings, column, empty = false } = said
  const alternatives: Alternative[] = [...wordings.map((wording) => ({ ...wording, weight: 1 })), ...joined]
  const add = (weight: number, tokens: string[], more: Partial<Wording> = {}) =>
    alternatives.push({ tokens, column, ...more, weight })
  const reword = () => {
    if (!place) return undefined
    if (word !== undefined) return addWordings(word, asTyped, place, add, vocabulary)
    // A pair of a phrase's words is looked for as it is.
    return said.term === undefined ? addCompounds(said.wordings, asTyped, add, vocabulary) : undefined
  }
  const instead = reword()
  for (const { tokens, prefix } of wordings) {
    const other = tokens.map((token) => (isRun(token) ? otherKana(token) : token))
    if (other.some((token, at) => token !== tokens[at])) add(WEIGHT.form, other, { prefix })
  }
  const more = alternatives.slice(wordings.length + joined.length)
  const held =
    more.length === 0 || asTyped >= MANY_HOLD ? asTyped : vocabulary.held(asTyped === 0 ? more : alternatives)
  const tells = Math.log(1 + vocabulary.bookmarks / Math.max(1, held)) * (empty ? EMPTY : 1)
  return {
    typed,
    term: said.term ?? typed,
    alternatives,
    weight: tells,
    empty,
    held,
    instead: asTyped === 0 ? instead : undefined
  }
}

/** Returns hiragana as katakana and the reverse: the blocks have the same order, 0x60 apart (Unicode, U+3040 to U+30FF). */
function otherKana(token: string): string {
  return token.replace(/[ぁ-ゖゝゞァ-ヶヽヾ]/g, (kana) =>
    String.fromCharCode(kana.charCodeAt(0) + (kana < 'ァ' ? 0x60 : -0x60))
  )
}

/** A word that as many bookmarks hold tells as little with its other forms. */
const MANY_HOLD = 1500
