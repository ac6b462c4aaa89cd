import { BOOKMARK_TYPES } from '../contract/bookmark.ts'
import { filterToken } from './filter-tokens.ts'
import { termTokens } from './query.ts'
import type { ParsedQuery, Term } from './query-nodes.ts'
import type { RankedGroup } from './rank.ts'
import { foldWord } from './segment.ts'
import type { Wording } from './wordings.ts'

/** A query as full-text expressions of FTS5, one for each index. Every token is quoted; nothing that was typed is raw. */
export interface Match {
  /** In all texts. */
  texts: string
  /** In the index of titles; `undefined` where it cannot say: it does not know which words stand together. */
  titles: string | undefined
  /** The words of which a bookmark holds one of each group, for its rank. */
  groups: RankedGroup[]
}

/**
 * Returns the expressions for bookmarks that hold every word.
 *
 * @param lastIsPrefix reads the last word as the beginning of one
 * @returns `undefined` when no word must match
 */
export function matchOf(query: ParsedQuery, lastIsPrefix: boolean): Match | undefined {
  const groups = query.all.map((group) => group.map(readTerm).filter(hasTokens)).filter((group) => group.length > 0)
  if (groups.length === 0) return undefined
  const none = query.none.map(readTerm).filter(hasTokens)
  const last = groups.at(-1)?.at(-1)
  if (lastIsPrefix && last && !last.phrase) last.prefix = true
  const all = allOf(groups)
  const without = none.length === 0 ? '' : ` NOT ${anyOf(none)}`
  const single = groups.every((group) => group.every((term) => term.tokens.length === 1 && !term.column))
  return {
    texts: `(${all})${without}`,
    // An excluded word may stand anywhere in a bookmark, so titles alone cannot tell.
    titles: single && none.length === 0 ? all : undefined,
    groups: groups.map(asGroup)
  }
}

/** Of words that all must be there, none tells more than another. */
function asGroup(wordings: Wording[]): RankedGroup {
  const alternatives = wordings.map((wording) => ({ ...wording, tokens: wording.tokens.map(foldWord), weight: 1 }))
  return { alternatives, weight: 1, held: 1, empty: false }
}

/** Returns the expression for bookmarks that hold a term; `undefined` where it holds no word. */
export function matchTerm(term: Term): string | undefined {
  const read = readTerm(term)
  return hasTokens(read) ? written(read) : undefined
}

/** Returns the expression for every bookmark without the excluded words; `undefined` where there are none. */
export function exceptOf(query: ParsedQuery): string | undefined {
  const none = query.none.map(readTerm).filter(hasTokens)
  return none.length === 0 ? undefined : `(${EVERYTHING}) NOT ${anyOf(none)}`
}

/** Every indexed bookmark has the token of its type. */
export const EVERYTHING = BOOKMARK_TYPES.map((type) => `"${filterToken.type(type)}"`).join(' OR ')

/** Adds filters to an expression: of each, one of several tokens must be there. */
export function withFilters(expression: string, filters: string[][]): string {
  const parts = filters.map((tokens) => `(${tokens.map((token) => `"${token}"`).join(' OR ')})`)
  return expression === '' ? parts.join(' AND ') : [`(${expression})`, ...parts].join(' AND ')
}

/** One of every group. */
function allOf(groups: Wording[][]): string {
  return groups.map(anyOf).join(' AND ')
}

/** One of these. */
export function anyOf(wordings: Wording[]): string {
  return `(${wordings.map(written).join(' OR ')})`
}

function written({ tokens, prefix, apart, column }: Wording): string {
  const said = apart
    ? `(${tokens.map((token) => `"${token}"`).join(' AND ')})`
    : `"${tokens.join(' ')}"${prefix ? ' *' : ''}`
  return column ? `${column} : ${said}` : said
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
