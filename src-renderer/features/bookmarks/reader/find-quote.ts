/**
 * Finds the quotes of highlights in a text that may have changed since. A quote that is no longer at its position, with
 * the same text around it, is aligned with the text word by word, together with the words around it. So it is found even
 * if words were replaced, and if a passage occurs more than once, the words around it and its position decide. Hypothesis
 * does the same with letters (https://web.hypothes.is/blog/fuzzy-anchoring/). Words are faster, and matches are whole words.
 */
import type { Highlight } from '../../../../src-main/contract/highlight.ts'

export type Quote = Pick<Highlight, 'quote' | 'prefix' | 'suffix' | 'start'>

/** A part of a text, in UTF-16 code units. */
export interface Span {
  start: number
  end: number
}

/** Returns a function that finds quotes in a text. It returns `undefined` for a quote that is not in it. */
export function quoteFinder(text: string): (quote: Quote) => Span | undefined {
  let words: TextWords | undefined
  // Text that was added above a quote moved all later quotes by the same distance.
  let shift = 0
  return (quote) => {
    const { quote: passage, prefix, suffix, start } = quote
    for (const moved of start === null ? [] : [start, start + shift]) {
      const isSame = text.startsWith(prefix + passage + suffix, moved - prefix.length)
      if (isSame) return { start: moved, end: moved + passage.length }
    }
    words ??= indexWords(text)
    const span = findAligned(text, words, quote)
    if (span && start !== null) shift = span.start - start
    return span
  }
}

/** In scripts without spaces, each letter counts as a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu

interface Word extends Span {
  word: string
}

function listWords(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: index,
    end: index + word.length
  }))
}

/** The words of a text; equal words have the same number. */
interface TextWords {
  spans: Span[]
  numbers: number[]
  numberOf: Map<string, number>
  /** For each number, the indexes in `spans` at which the word occurs. */
  indexes: number[][]
}

function indexWords(text: string): TextWords {
  const spans = listWords(text)
  const numberOf = new Map<string, number>()
  const indexes: number[][] = []
  const numbers = spans.map(({ word }, index) => {
    const number = numberOf.get(word) ?? numberOf.size
    numberOf.set(word, number)
    indexes[number] ??= []
    indexes[number].push(index)
    return number
  })
  return { spans, numbers, numberOf, indexes }
}

/** The words of a quote and those around it, as numbers of the text's words; -1 for a word that is not in the text. */
interface Pattern {
  numbers: number[]
  /** The words of the quote are at the indexes from `from` to before `to`. */
  from: number
  to: number
}

/** By how much the score of a candidate is lower for each doubling of its distance from the stored position. */
const DISTANCE_WEIGHT = 0.06
/** Shorter distances hardly count, in UTF-16 code units. */
const NEAR = 32
/** Minimum lead of the best candidate's score. With a smaller one the quote is ambiguous, and counts as not found. */
const MIN_LEAD = 0.02

/** Minimum share of the quote's words, and minimum score with and without words around the quote. */
const MIN_SHARE = 0.4
const MIN_SCORE = 0.6
const MIN_SCORE_ALONE = 0.75

function findAligned(text: string, textWords: TextWords, { quote, prefix, suffix, start }: Quote): Span | undefined {
  const before = listWords(prefix)
  const quoteWords = listWords(quote)
  const all = [...before, ...quoteWords, ...listWords(suffix)]
  const numbers = all.map(({ word }) => textWords.numberOf.get(word) ?? -1)
  const pattern = { numbers, from: before.length, to: before.length + quoteWords.length }
  const candidates = listCandidates(textWords, pattern, start)
    .flatMap((near) => align(textWords.numbers, pattern, near) ?? [])
    .map((candidate) => ({ ...candidate, rank: candidate.score - distancePenalty(candidate) }))
    .sort((a, b) => b.rank - a.rank)
  function distancePenalty({ first }: Alignment): number {
    if (start === null) return 0
    return DISTANCE_WEIGHT * Math.log2(1 + Math.abs((textWords.spans[first]?.start ?? 0) - start) / NEAR)
  }

  const [best] = candidates
  const hasSurroundings = all.length > quoteWords.length
  if (!best || best.share < MIN_SHARE || best.score < (hasSurroundings ? MIN_SCORE : MIN_SCORE_ALONE)) return
  const rival = candidates.find(({ first, last }) => first > best.last || last < best.first)
  if (hasSurroundings && rival && best.rank - rival.rank < MIN_LEAD) return
  const span = { start: textWords.spans[best.first]?.start ?? 0, end: textWords.spans[best.last]?.end ?? 0 }
  return withPunctuation(text, span, quote, quoteWords)
}

/** Adds the punctuation at the ends of a quote, if the text has it too. */
function withPunctuation(text: string, { start, end }: Span, quote: string, words: Span[]): Span {
  const before = quote.slice(0, words[0]?.start)
  const after = quote.slice(words.at(-1)?.end)
  return {
    start: text.endsWith(before, start) ? start - before.length : start,
    end: text.startsWith(after, end) ? end + after.length : end
  }
}

/** Maximum number of candidates that are aligned, and the precision of their starts, in words. */
const MAX_CANDIDATES = 8
const BUCKET = 16

/** Returns the word indexes near which the pattern may begin. Its words vote for them; a rare word counts more. */
function listCandidates({ spans, indexes }: TextWords, { numbers, from }: Pattern, start: number | null): number[] {
  // The pattern may begin before the text.
  const before = Math.ceil(numbers.length / BUCKET) + 1
  const votes = new Float64Array(before + spans.length / BUCKET + 1)
  for (const [offset, number] of numbers.entries()) {
    const list = indexes[number] ?? []
    for (const index of list) {
      const bucket = before + Math.floor((index - offset) / BUCKET)
      votes[bucket] = (votes[bucket] ?? 0) + 1 / list.length
    }
  }
  // Added or missing words may move half of the votes to the next bucket.
  const strengths = Array.from(votes, (strength, bucket) => strength + (votes[bucket + 1] ?? 0))
  const minimum = Math.max(...strengths) / 2
  const expected = start === null ? 0 : spans.findIndex(({ end }) => end > start) - from
  return strengths
    .flatMap((strength, bucket) => (strength > 0 && strength >= minimum ? (bucket - before) * BUCKET : []))
    .sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected))
    .slice(0, MAX_CANDIDATES)
}

interface Alignment {
  /** The first and the last word of the quote in the text. */
  first: number
  last: number
  /** The share of the quote's words that are the same. */
  share: number
  /** The same share, including the words around the quote. */
  score: number
}

/** The weight of a word around the quote; a word of the quote has 1. */
const AROUND = 0.7

/** A cost higher than any number of differences. */
const FAR = 60_000

/**
 * Aligns a pattern with the text near a word so that the fewest words are replaced, added or missing: a Levenshtein
 * distance, for which the pattern may begin and end at any word of the text, computed only near the diagonal.
 */
function align(text: number[], { numbers, from, to }: Pattern, near: number): Alignment | undefined {
  const begin = near - BUCKET
  const width = 3 * BUCKET + (numbers.length >> 3)
  const columns = width + 2 // one more at each end, which is never the cheapest
  const costs = new Uint16Array((numbers.length + 1) * columns).fill(FAR)
  costs.fill(0, 1, width + 1)
  // The word of the text that a cell aligns with the row's word of the pattern.
  const wordAt = (row: number, column: number) => begin + row + column - 2
  const replaced = (row: number, column: number) => {
    const word = text[wordAt(row, column)]
    const difference = word === numbers[row - 1] ? 0 : word === undefined ? 2 : 1
    return (costs[(row - 1) * columns + column] ?? FAR) + difference
  }
  const missing = (row: number, column: number) => (costs[(row - 1) * columns + column + 1] ?? FAR) + 1
  for (let row = 1; row <= numbers.length; row++) {
    for (let column = 1; column <= width; column++) {
      const added = (costs[row * columns + column - 1] ?? FAR) + 1
      costs[row * columns + column] = Math.min(replaced(row, column), missing(row, column), added)
    }
  }

  const lastRow = costs.subarray(numbers.length * columns)
  let column = lastRow.lastIndexOf(Math.min(...lastRow))
  // Back along the cheapest path. A replaced word is preferred to a missing one, so that it stays a part of the quote.
  const quoted: number[] = []
  let same = 0
  let sameAround = 0
  for (let row = numbers.length; row > 0; ) {
    const cost = costs[row * columns + column]
    if (cost === replaced(row, column)) {
      const isQuote = row > from && row <= to
      const isSame = text[wordAt(row, column)] === numbers[row - 1]
      if (isQuote) quoted.push(wordAt(row, column))
      if (isSame && isQuote) same++
      else if (isSame) sameAround++
      row--
    } else if (cost === missing(row, column)) {
      row--
      column++
    } else column--
  }
  const last = quoted[0]
  const first = quoted.at(-1)
  if (first === undefined || last === undefined) return undefined
  const count = to - from
  const score = (same + AROUND * sameAround) / (count + AROUND * (numbers.length - count))
  return { first, last, share: same / count, score }
}
