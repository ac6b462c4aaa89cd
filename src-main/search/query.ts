import { type AskedFilter, BOOKMARK_TYPES } from '../contract/bookmark.ts'
import { LINK_MARKS, type LinkMark } from '../contract/link-check.ts'
import { siteOf } from '../core/address.ts'
import { nearPage } from '../core/near-page.ts'
import { type QueryTokens, queryTokens } from './segment.ts'

/** A word, or a phrase whose words must stand together. Never holds a quote, a control character or only punctuation. */
export interface Term {
  text: string
  phrase: boolean
  /** Whether it stands for every word that begins so. */
  prefix?: boolean | undefined
  /** Whether only titles count. */
  inTitle?: boolean | undefined
  /** A phrase that no bookmark holds. */
  broken?: boolean | undefined
  /** The address that the text is. */
  address?: string | undefined
}

/** A query in parts: one term of every group in `all` must match, and none of `none`. */
export interface ParsedQuery {
  all: Term[][]
  none: Term[]
  /** Marks of a link check, of which the link must have one; absent where the query has no `is:`. */
  is?: LinkMark[] | undefined
  /** Filters of `tag:` and its like: all of them hold. */
  filters: AskedFilter[]
  /** Filters of `-tag:` and its like: none of them holds. */
  without: AskedFilter[]
  /** Sentences on parts that look like filters but were read as words. */
  misread: string[]
}

/** More terms than a person types; what is beyond them is ignored, so that no query costs more than this. */
const MOST_TERMS = 32

/** Words of all terms together, for the same reason: sixteen phrases of thirty words each took two seconds. */
const MOST_WORDS = 128

/**
 * The query language: words must all match, `"a phrase"` together, `-word` must not match, `a OR b` either of them,
 * `begin*` whatever begins so; `tag:a OR tag:b` any of several tags; `tag:`, `site:`, `type:`, `before:`, `after:`, `is:` and `in:title` filter. Anything is a
 * valid query; what makes no sense is read as words, and `misread` says so where it looks like more.
 */
export function parseQuery(text: string): ParsedQuery {
  const query: ParsedQuery = { all: [], none: [], filters: [], without: [], misread: [] }
  const state: State = { query, before: undefined, either: false, not: false, count: 0, words: 0, onlyTitles: false }
  const hasLowerCase = /\p{Ll}/u.test(text)
  for (const [, minus = '', name, quoted, open, bare] of text.matchAll(PART)) {
    if (bare !== undefined && name === undefined && minus === '' && isOperator(bare, hasLowerCase)) {
      if (bare === 'OR') state.either = state.before !== undefined
      if (bare === 'NOT') state.not = true
      continue
    }
    readPart(state, { minus: minus === '-' || state.not, name, quoted: quoted ?? open, bare })
    state.not = false
  }
  if (state.onlyTitles) for (const term of query.all.flat()) term.inTitle = true
  return query
}

/** Words in capitals that join others: `AND` and `NOT` only where not everything is in capitals. */
function isOperator(bare: string, hasLowerCase: boolean): boolean {
  return bare === 'OR' || (hasLowerCase && (bare === 'AND' || bare === 'NOT'))
}

interface State {
  query: ParsedQuery
  before: 'word' | 'mark' | 'tag' | 'filter' | undefined
  either: boolean
  not: boolean
  count: number
  words: number
  onlyTitles: boolean
}

interface Part {
  minus: boolean
  /** The word before a colon. */
  name: string | undefined
  quoted: string | undefined
  bare: string | undefined
}

// A minus, a name with a colon, then "a phrase", or an unclosed quote up to the end, or a run without spaces and quotes.
const PART = /(?<![^\s"])(-?)(?:([A-Za-z]+):(?=[^\s/]))?(?:"([^"]*)"|"([^"]*)$|([^\s"]+))/g

function readPart(state: State, part: Part): void {
  if (part.name !== undefined && readFilter(state, part.name.toLowerCase(), part)) return
  const typed = part.quoted ?? part.bare ?? ''
  const text = part.name === undefined || part.quoted !== undefined ? typed : `${part.name}:${typed}`
  const term = readTerm(text, part.quoted !== undefined)
  if (!term || isTooMuch(state, term)) return
  addTerm(state, term, part.minus)
}

/** Counts a term; returns whether the query has more than it may by now. */
function isTooMuch(state: State, { text }: Term): boolean {
  state.count += 1
  state.words += queryTokens(text).tokens.length
  return state.count > MOST_TERMS || state.words > MOST_WORDS
}

function addTerm(state: State, given: Term, minus: boolean): void {
  const { query } = state
  const term = withCheapBeginning(given, query)
  if (state.either && (state.before === 'filter' || state.before === 'tag')) query.misread.push(OR_OF_FILTERS)
  if (minus) query.none.push(term)
  else {
    if (state.either && state.before === 'word') query.all.at(-1)?.push(term)
    else query.all.push([term])
    state.before = 'word'
  }
  state.either = false
}

/** Reads a short beginning as the word it is, where a query has enough of them: one letter takes 60 ms of 100,000 bookmarks. */
function withCheapBeginning(term: Term, { all, none, misread }: ParsedQuery): Term {
  const earlier = [...all.flat(), ...none].filter(isShortBeginning).length
  if (!isShortBeginning(term) || earlier < MOST_SHORT_BEGINNINGS) return term
  misread.push('Only the first three beginnings of one or two letters (a*) are searched as such.')
  return { ...term, prefix: false }
}

function isShortBeginning({ prefix, text }: Term): boolean {
  return prefix === true && [...text].length <= 2
}

const MOST_SHORT_BEGINNINGS = 3

/** @returns false where it is to be read as words */
function readFilter(state: State, name: string, part: Part): boolean {
  const { query } = state
  const value = (part.quoted ?? part.bare ?? '').trim()
  if (name === 'is') return readMark(state, value, part.minus)
  if (name === 'in' && value.toLowerCase() === 'title' && !part.minus) {
    state.onlyTitles = true
    return true
  }
  if (name === 'title' || name === 'intitle') {
    const term = readTerm(value, part.quoted !== undefined)
    if (!term || isTooMuch(state, term)) return false
    addTerm(state, { ...term, inTitle: true }, part.minus)
    return true
  }
  const filter = filterOf(name, value, query)
  if (!filter) return false
  const other = state.either && state.before === 'tag' && filter.tags && !part.minus ? query.filters.pop() : undefined
  if (other) {
    state.either = false
    const more = ++state.count > MOST_TERMS ? [] : (filter.tags ?? [])
    query.filters.push({ anyTag: [...(other.anyTag ?? other.tags ?? []), ...more] })
    return true
  }
  if (state.either) query.misread.push(OR_OF_FILTERS)
  state.either = false
  state.before = filter.tags && !part.minus ? 'tag' : 'filter'
  const filters = part.minus ? query.without : query.filters
  const same = JSON.stringify(filter)
  if (filters.some((one) => JSON.stringify(one) === same) || ++state.count > MOST_TERMS) {
    state.before = 'filter'
    return true
  }
  filters.push(filter)
  return true
}

function readMark(state: State, value: string, minus: boolean): boolean {
  const { query } = state
  const named = value.toLowerCase()
  if (named === 'untagged') {
    ;(minus ? query.without : query.filters).push({ untagged: true })
    return true
  }
  const mark = LINK_MARKS.find((one) => one === named)
  if (!mark) {
    query.misread.push(`“is:${value}” is not known: is:${[...LINK_MARKS, 'untagged'].join(', is:')}.`)
    return false
  }
  if (minus) query.without.push({ is: [mark] })
  else {
    query.is = state.either && state.before === 'mark' ? [...(query.is ?? []), mark] : marksOfBoth(query.is, [mark])
    state.before = 'mark'
  }
  state.either = false
  return true
}

const OR_OF_FILTERS = 'OR joins words, or tags, only; other filters must all hold.'

/** Returns a filter by its name and value; `undefined` where either is unknown, which `misread` then says. */
function filterOf(name: string, value: string, query: ParsedQuery): AskedFilter | undefined {
  if (name === 'tag' || name === 'tags') return { tags: [value.replace(/^#/, '')] }
  if (name === 'site' || name === 'domain') return siteOf(value) === '' ? undefined : { domain: value }
  if (name === 'type') {
    const type = BOOKMARK_TYPES.find((one) => one === value.toLowerCase().replace(/s$/, ''))
    if (type) return { type }
    query.misread.push(`“type:${value}” is not a type: ${BOOKMARK_TYPES.join(', ')}.`)
  } else if (name === 'before' || name === 'after') {
    const start = startOf(value)
    if (start !== undefined) return name === 'before' ? { before: start } : { after: start }
    query.misread.push(`“${name}:${value}” is not a date: write 2026, 2026-01 or 2026-01-31.`)
  } else if (FOREIGN.has(name)) {
    query.misread.push(`“${name}:” means nothing here and was read as a word; ${OURS}`)
  }
  return undefined
}

/** Returns when a year, month, day or minute begins that is written as in ISO 8601, in universal time. */
function startOf(text: string): number | undefined {
  const [, year, month = '01', day = '01', time = '00:00'] =
    /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}:\d{2})Z)?)?)?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const start = Date.parse(`${year}-${month}-${day}T${time}:00Z`)
  // A day the month does not have is carried into the next by some engines.
  return new Date(start).getUTCDate() === Number(day) ? start : undefined
}

/** Names that other programs give a meaning to. */
const FOREIGN = new Set(
  'in inurl url ext filetype cache related author by date since until newer older from to lang language folder collection list note notes has created updated'.split(
    ' '
  )
)

const OURS = 'there are tag:, site:, type:, in:title, before:, after:, is:broken, is:moved and is:untagged.'

/** Returns a query whose phrases of several words are those words and their neighbours; `undefined` where it has none. */
export function withoutPhrases(query: ParsedQuery): ParsedQuery | undefined {
  const isLoose = (terms: Term[]) => terms.length === 1 && terms.some(isOfWords)
  if (!query.all.some(isLoose)) return undefined
  const broken = query.all.map((terms) =>
    isLoose(terms) ? terms.map((term) => ({ ...term, phrase: false, broken: true })) : terms
  )
  return { ...query, all: broken }
}

function isOfWords({ text, phrase }: Term): boolean {
  return phrase && queryTokens(text).tokens.length > 1
}

/** Returns whether a query has filters. */
export function hasFilter({ is, filters, without }: ParsedQuery): boolean {
  return is !== undefined || filters.length > 0 || without.length > 0
}

/** Returns the marks that pass two `is` filters, each of which may be absent. */
export function marksOfBoth(one: LinkMark[] | undefined, other: LinkMark[]): LinkMark[]
export function marksOfBoth(one: LinkMark[] | undefined, other: LinkMark[] | undefined): LinkMark[] | undefined
export function marksOfBoth(one: LinkMark[] | undefined, other: LinkMark[] | undefined): LinkMark[] | undefined {
  if (!one || !other) return one ?? other
  return one.filter((mark) => other.includes(mark))
}

function readTerm(typed: string, phrase: boolean): Term | undefined {
  const text = typed.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined
  if (!phrase && /[^*]\*$/.test(text)) return { text: text.replace(/\*+$/, '').trim(), phrase, prefix: true }
  const address = phrase || !ADDRESS.test(text) ? null : URL.parse(text.replace(/^(?!https?:)/i, 'https://'))
  return address === null ? { text, phrase } : { text, phrase, address: address.href }
}

/** Reads the words of a term: of an address those that tell its page from others. */
export function termTokens({ text, address }: Term): QueryTokens {
  return queryTokens(address === undefined ? text : nearPage(address))
}

/** With a scheme or `www.`, or a host with a path. */
const ADDRESS = /^(?:https?:\/\/|www\.)[^\s/]+|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/./i

/** Returns a query with every word in quotes, so that only bookmarks with all of them are found. */
export function exactly(words: string): string {
  const hasLowerCase = /\p{Ll}/u.test(words)
  const quote = (whole: string, minus: string, name?: string, quoted?: string, open?: string, bare?: string) => {
    if (minus !== '' || quoted !== undefined || open !== undefined || bare === undefined) return whole
    if (name === undefined && isOperator(bare, hasLowerCase)) return whole
    const term = readTerm(bare, false)
    if (!term || term.prefix || (name !== undefined && FILTERS.has(name.toLowerCase()))) return whole
    return name === undefined ? `"${bare}"` : `${name}:"${bare}"`
  }
  return words.trim().replace(PART, quote)
}

/** Words before a colon that make a filter. */
const FILTERS = new Set(['tag', 'tags', 'site', 'domain', 'type', 'before', 'after', 'is', 'in'])
