import { BOOKMARK_TYPES } from '../contract/bookmark.ts'
import { filterToken } from './filter-tokens.ts'
import type { Wording } from './groups.ts'
import type { ParsedQuery, Term } from './query.ts'
import { queryTokens } from './segment.ts'

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
  const all = allOf(groups)
  const without = none.length === 0 ? '' : ` NOT ${anyOf(none)}`
  const single = groups.every((group) => group.every((term) => term.tokens.length === 1 && !term.inTitle))
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
  return none.length === 0 ? undefined : `(${EVERYTHING}) NOT ${anyOf(none)}`
}

/** Every indexed bookmark has the token of its type. */
const EVERYTHING = BOOKMARK_TYPES.map((type) => `"${filterToken.type(type)}"`).join(' OR ')

/** All of these filters; each is one of several tokens. */
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

function written({ tokens, prefix, apart, inTitle }: Wording): string {
  const said = apart
    ? `(${tokens.map((token) => `"${token}"`).join(' AND ')})`
    : `"${tokens.join(' ')}"${prefix ? ' *' : ''}`
  return inTitle ? `title : ${said}` : said
}

interface ReadTerm extends Wording {
  prefix: boolean
  phrase: boolean
}

function readTerm({ text, phrase, prefix, inTitle }: Term): ReadTerm {
  const read = queryTokens(text)
  return { tokens: read.tokens, prefix: prefix === true || read.prefix, phrase, inTitle }
}

function hasTokens({ tokens }: Wording): boolean {
  return tokens.length > 0
}
