import { BOOKMARK_TYPES } from '../../contract/bookmark.ts'
import type { ParsedQuery, Term } from '../../core/parse-query.ts'
import { queryTokens } from '../../core/segment.ts'
import { filterToken } from './filter-tokens.ts'

/** A query as FTS5 takes it, for each of the two indexes. Every token is quoted; nothing of what was typed is raw. */
export interface Match {
  /** In all texts. */
  texts: string
  /** In the index of titles; `undefined` where it cannot say: it does not know which words stand together. */
  titles: string | undefined
  /** The tokens of each group's terms: of every group, one term must match with all its tokens. */
  groups: { tokens: string[]; prefix: boolean }[][]
  excludes: boolean
}

/**
 * @param lastIsPrefix reads the last word as the beginning of one
 * @returns `undefined` when no word must match
 */
export function matchOf(query: ParsedQuery, lastIsPrefix: boolean): Match | undefined {
  const groups = query.all.map((group) => group.map(readTerm).filter(hasTokens)).filter((group) => group.length > 0)
  if (groups.length === 0) return undefined
  const none = query.none.map(readTerm).filter(hasTokens)
  const last = groups.at(-1)?.at(-1)
  if (lastIsPrefix && last && !last.phrase) last.prefix = true
  const all = groups.map((group) => `(${group.map(phrase).join(' OR ')})`).join(' AND ')
  const without = none.length === 0 ? '' : ` NOT (${none.map(phrase).join(' OR ')})`
  const single = groups.every((group) => group.every((term) => term.tokens.length === 1))
  return {
    texts: `(${all})${without}`,
    // What must not match may stand anywhere in a bookmark, so titles alone cannot tell.
    titles: single && none.length === 0 ? all : undefined,
    groups,
    excludes: none.length > 0
  }
}

/** Everything but what must not match, where nothing must. */
export function exceptOf(query: ParsedQuery): string | undefined {
  const none = query.none.map(readTerm).filter(hasTokens)
  return none.length === 0 ? undefined : `(${EVERYTHING}) NOT (${none.map(phrase).join(' OR ')})`
}

/** Every indexed bookmark has the token of its type. */
const EVERYTHING = BOOKMARK_TYPES.map((type) => `"${filterToken.type(type)}"`).join(' OR ')

/** All of these filters; each is one of several tokens. */
export function withFilters(expression: string, filters: string[][]): string {
  const parts = filters.map((tokens) => `(${tokens.map((token) => `"${token}"`).join(' OR ')})`)
  return expression === '' ? parts.join(' AND ') : [`(${expression})`, ...parts].join(' AND ')
}

interface ReadTerm {
  tokens: string[]
  prefix: boolean
  phrase: boolean
}

function readTerm(term: Term): ReadTerm {
  if (term.mark) return { tokens: [filterToken.link(term.mark)], prefix: false, phrase: true }
  return { ...queryTokens(term.text), phrase: term.phrase }
}

function hasTokens(term: ReadTerm): boolean {
  return term.tokens.length > 0
}

function phrase({ tokens, prefix }: ReadTerm): string {
  return `"${tokens.join(' ')}"${prefix ? ' *' : ''}`
}
