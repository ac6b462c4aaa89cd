import { BOOKMARK_TYPES } from '../contract/bookmark.ts'
import { filterToken } from './filter-tokens.ts'
import { termTokens } from './query.ts'
import type { ParsedQuery, Term } from './query-nodes.ts'
import type { RankedGroup } from './rank.ts'
import { foldWord } from './segment.ts'
import type { Wording } from './wordings.ts'

/** A query as expressions for the full-text indexes (FTS5). Every token is in quotes, so that no typed text is syntax. */
export interface Match {
  /** The expression for `bookmark_texts`, the index of all texts. */
  texts: string
  /**
   * The expression for `bookmark_titles`, the index of titles and tags. `undefined` for phrases, columns and excluded
   * words: this index has no positions, and not all texts.
   */
  titles: string | undefined
  /** The words by which matching bookmarks are ranked. */
  groups: RankedGroup[]
}

/**
 * Returns the expressions that match bookmarks with every word.
 *
 * @param lastIsPrefix whether longer words that begin with the last word match too
 * @returns `undefined` if the query has no word that must match
 */
export function createMatch(query: ParsedQuery, lastIsPrefix: boolean): Match | undefined {
  const groups = query.all.map((group) => group.map(readTerm).filter(hasTokens)).filter((group) => group.length > 0)
  if (groups.length === 0) return undefined
  const excluded = query.excludedTerms.map(readTerm).filter(hasTokens)
  const last = groups.at(-1)?.at(-1)
  if (lastIsPrefix && last && !last.phrase) last.prefix = true
  const all = allOf(groups)
  const exclusion = excluded.length === 0 ? '' : ` NOT ${anyOf(excluded)}`
  const isSimple = groups.every((group) => group.every((term) => term.tokens.length === 1 && !term.column))
  return {
    texts: `(${all})${exclusion}`,
    // An excluded word may be in any text of a bookmark, and this index has only titles and tags.
    titles: isSimple && excluded.length === 0 ? all : undefined,
    groups: groups.map(toRankedGroup)
  }
}

/** If every bookmark has all words, their frequency says nothing: all have the same weight. */
function toRankedGroup(wordings: Wording[]): RankedGroup {
  const alternatives = wordings.map((wording) => ({ ...wording, tokens: wording.tokens.map(foldWord), weight: 1 }))
  return { alternatives, weight: 1, matchCount: 1, isStopWord: false }
}

/** Returns the expression for bookmarks with a term; `undefined` if the term has no tokens. */
export function termExpression(term: Term): string | undefined {
  const wording = readTerm(term)
  return hasTokens(wording) ? writeWording(wording) : undefined
}

/** Returns the expression for all bookmarks without the excluded words; `undefined` if there are none. */
export function exclusionExpression(query: ParsedQuery): string | undefined {
  const excluded = query.excludedTerms.map(readTerm).filter(hasTokens)
  return excluded.length === 0 ? undefined : `(${ALL_BOOKMARKS}) NOT ${anyOf(excluded)}`
}

/** Matches every indexed bookmark, because each has the token of its type. */
export const ALL_BOOKMARKS = BOOKMARK_TYPES.map((type) => `"${filterToken.type(type)}"`).join(' OR ')

/** Adds filters to an expression. Each filter is a list of tokens of which the bookmark must have at least one. */
export function withFilters(expression: string, filters: string[][]): string {
  const parts = filters.map((tokens) => `(${tokens.map((token) => `"${token}"`).join(' OR ')})`)
  return expression === '' ? parts.join(' AND ') : [`(${expression})`, ...parts].join(' AND ')
}

function allOf(groups: Wording[][]): string {
  return groups.map(anyOf).join(' AND ')
}

export function anyOf(wordings: Wording[]): string {
  return `(${wordings.map(writeWording).join(' OR ')})`
}

function writeWording({ tokens, prefix, apart, column }: Wording): string {
  const expression = apart
    ? `(${tokens.map((token) => `"${token}"`).join(' AND ')})`
    : `"${tokens.join(' ')}"${prefix ? ' *' : ''}`
  return column ? `${column} : ${expression}` : expression
}

interface ReadTerm extends Wording {
  prefix: boolean
  phrase: boolean
}

function readTerm(term: Term): ReadTerm {
  const { phrase, prefix, column } = term
  const read = termTokens(term)
  return { tokens: read.tokens, prefix: prefix === true || read.prefix, phrase, column }
}

function hasTokens({ tokens }: Wording): boolean {
  return tokens.length > 0
}
