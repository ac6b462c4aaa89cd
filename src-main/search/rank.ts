import { percentDecoded } from '../core/address.ts'
import type { Group } from './groups.ts'
import type { Column } from './query-nodes.ts'
import { isUnspaced, spacedWords } from './segment.ts'
import type { Alternative } from './wordings.ts'

/** The texts of a bookmark that it is ranked by. */
export interface Rankable {
  title: string
  tags: string[]
  domain: string | null
  url: string | null
  description: string
}

/** The weight of a word in each field. */
const FIELD_WEIGHT = { title: 1, tags: 0.85, domain: 0.75, description: 0.6, address: 0.6 } as const

/** The weight of a word that only the full-text index found: in the bookmark’s own text, or in the text of its page. */
const OTHER_TEXT_WEIGHT = 0.35

/**
 * With at most this many words, the share of matched words is squared: each word of a short query was chosen with care,
 * but a long query also has words that only complete a sentence.
 */
const FEW_WORDS = 6

/** The share of the total weight that is added if the query covers the whole title. */
const WHOLE_TITLE = 0.25

/** The properties of a group that the rank depends on. */
export type RankedGroup = Pick<Group, 'weight' | 'matchCount' | 'alternatives' | 'isStopWord'>

/** A bookmark's score in one search, and the groups that it matches. */
export interface Fit {
  score: number
  /** The matched groups as a bit set. */
  matchedBits: number
}

/**
 * Returns a function that scores bookmarks, also those that match only some of the groups: (sum + bonus) × share², or
 * × share for long queries.
 *
 * - sum: group weight × alternative weight × field weight, for each matched group
 * - bonus: `WHOLE_TITLE`, or a part of it if the query covers a part of the title
 * - share: weight of the matched groups ÷ weight of all groups
 *
 * The function takes a bookmark and a bit set of the groups that the index found in it, in any text. The bookmark may
 * match more groups.
 *
 * @param certainBits a bit set of the groups for which `indexBits` is always complete
 */
export function createRanking(groups: RankedGroup[], certainBits = 0): (bookmark: Rankable, indexBits: number) => Fit {
  const prepared = groups.map(({ weight, matchCount, alternatives }, index) => ({
    weight: matchCount === 0 ? 0 : weight,
    bit: 1 << index,
    alternatives: alternatives.map(readAlternative).sort((a, b) => b.weight - a.weight)
  }))
  const totalWeight = prepared.reduce((sum, { weight }) => sum + weight, 0)
  const power = groups.filter(({ isStopWord }) => !isStopWord).length <= FEW_WORDS ? 2 : 1

  return (bookmark, indexBits) => {
    const textOf = fieldTexts(bookmark)
    let [sum, matchedWeight, coveredLetters, matchedBits] = [0, 0, 0, 0]
    for (const { weight, bit, alternatives } of prepared) {
      if (weight === 0 || (certainBits & bit & ~indexBits) !== 0) continue
      const { value, letters } = findBestField(alternatives, textOf)
      if (value === 0 && ((indexBits & bit) === 0 || alternatives.every(({ fields }) => fields !== FIELDS))) continue
      matchedBits |= bit
      matchedWeight += weight
      sum += weight * (value || OTHER_TEXT_WEIGHT)
      coveredLetters += letters
    }
    const share = totalWeight === 0 ? 0 : matchedWeight / totalWeight
    const titleShare = Math.min(1, coveredLetters / countLetters(textOf('title')))
    return { score: (sum + totalWeight * WHOLE_TITLE * titleShare) * share ** power, matchedBits }
  }
}

type Field = keyof typeof FIELD_WEIGHT
const FIELDS = Object.keys(FIELD_WEIGHT) as Field[]
/** The fields in each column of the index. */
const FIELDS_OF_COLUMN: Record<Column, Field[]> = { title: ['title'], tags: ['tags'], address: ['domain', 'address'] }

/** Returns a function for the folded text of each field, which it computes once and only if needed. */
function fieldTexts(bookmark: Rankable): (field: Field) => string {
  const texts: Partial<Record<Field, string>> = {}
  return (field) => {
    texts[field] ??= readField(field, bookmark)
    return texts[field]
  }
}

function readField(field: Field, { title, tags, domain, url, description }: Rankable): string {
  switch (field) {
    case 'title':
      return spacedWords(title)
    case 'tags':
      return tags.map(spacedWords).join('\n')
    case 'domain':
      return spacedWords(domain ?? '')
    case 'description':
      return spacedWords(description)
    case 'address':
      return spacedWords(percentDecoded(url ?? ''))
  }
}

/** An alternative in the form in which it is searched in fields. */
interface FieldTerm {
  weight: number
  /** Strings that the field must all contain. */
  parts: string[]
  /** The number of letters in all tokens. */
  letters: number
  /** The fields to search. */
  fields: Field[]
}

function readAlternative({ tokens, prefix, apart, column, weight }: Alternative): FieldTerm {
  const parts = apart ? tokens.map((token) => ` ${token} `) : [partOf(tokens, prefix)]
  const letters = tokens.reduce((sum, { length }) => sum + length, 0)
  return { weight, parts, letters, fields: column ? FIELDS_OF_COLUMN[column] : FIELDS }
}

function partOf(tokens: string[], prefix: boolean | undefined): string {
  const [only] = tokens
  if (tokens.length === 1 && only !== undefined && isUnspaced(only)) return only
  return ` ${tokens.join(' ')}${prefix ? '' : ' '}`
}

/**
 * Returns the highest product of alternative weight and field weight, or 0 if no field has an alternative. `letters` is
 * the number of letters of that alternative if it is in the title.
 */
function findBestField(
  alternatives: FieldTerm[],
  textOf: (field: Field) => string
): { value: number; letters: number } {
  let value = 0
  let letters = 0
  for (const alternative of alternatives) {
    // The highest field weight is 1, so alternatives from here on cannot be better.
    if (alternative.weight <= value) break
    for (const field of alternative.fields) {
      const product = alternative.weight * FIELD_WEIGHT[field]
      if (product <= value) break
      const text = textOf(field)
      if (!alternative.parts.every((part) => text.includes(part))) continue
      value = product
      letters = field === 'title' ? alternative.letters : 0
      break
    }
  }
  return { value, letters }
}

function countLetters(title: string): number {
  return Math.max(1, title.replaceAll(' ', '').length)
}
