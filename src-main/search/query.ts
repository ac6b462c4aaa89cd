import { FILTER_NAMES } from '../contract/query-filters.ts'
import { nearPage } from '../core/page-key.ts'
import { readDialect } from './dialects.ts'
import { type FilterReading, isForeignName, readFilter } from './filter-values.ts'
import {
  addPart,
  childrenOf,
  limitPrefixes,
  type ParsedQuery,
  type QueryNode,
  removeCostlyNodes,
  type Term,
  termsOf
} from './query-nodes.ts'
import { isSearchable, type QueryTokens, queryTokens } from './segment.ts'

/** Maximum number of terms. Further terms are ignored, which limits the cost of a query. */
const MAX_TERMS = 32

/** Maximum number of words in all terms: a query with sixteen phrases of thirty words each took two seconds. */
const MAX_WORDS = 128

/** Maximum depth of nested brackets. Deeper brackets are ignored, but not the words in them. */
const MAX_BRACKETS = 8

/**
 * Parses the query language of docs/search.md. Every text is a valid query. An unknown filter, such as `node:fs`, is
 * searched as words and listed in `invalidFilters`.
 *
 * @param isLoose reads an unknown filter as the most likely one (`tga:rust` as `tag:rust`) or leaves it out, with a
 *   sentence in `misread`
 */
export function parseQuery(text: string, isLoose = false): ParsedQuery {
  const state: State = { isLoose, misread: [], invalidFilters: [], count: 0, words: 0, titlesOnly: false }
  const frames: Frame[] = [newFrame(false)]
  const top = () => frames.at(-1) as Frame
  const rewritten = readDialect(text)
  const hasLowerCase = /\p{Ll}/u.test(rewritten)
  let tooDeep = 0
  for (const [, minus = '', bracket, name, quoted, open, list, bare] of rewritten.matchAll(PART)) {
    const { not } = top()
    if (bracket !== undefined) {
      if (frames.length > MAX_BRACKETS) tooDeep += 1
      else frames.push(newFrame(minus === '-' || not))
      continue
    }
    if (bare !== undefined && name === undefined && minus === '' && isOperator(bare, hasLowerCase)) {
      if (bare === 'OR') top().afterOr = top().nodes.length > 0
      if (bare === 'NOT') top().not = true
      continue
    }
    const closing = bare === undefined ? 0 : Math.min(closingBrackets(bare), frames.length - 1 + tooDeep)
    const part = { name, quoted: quoted ?? open, bare: list ?? bare?.slice(0, bare.length - closing) }
    const node = readPart(state, part)
    if (node) addNode(top(), node, minus === '-' || not)
    for (let remaining = closing; remaining > 0; remaining--) {
      if (tooDeep > 0) tooDeep -= 1
      else closeFrame(frames)
    }
  }
  if (frames.length > 1 && frames.some(({ nodes }) => nodes.some((node) => !('term' in node)))) {
    state.misread.push(`A closing bracket is missing after “${text.trim().slice(-40)}”; it was added at the end.`)
  }
  while (frames.length > 1) closeFrame(frames)
  const { misread, invalidFilters, order } = state
  const query: ParsedQuery = {
    all: [],
    excludedTerms: [],
    filters: [],
    excludedFilters: [],
    nodes: [],
    order,
    misread,
    invalidFilters
  }
  for (const node of top().nodes) addPart(query, node)
  limitPrefixes(query)
  removeCostlyNodes(query)
  if (state.titlesOnly) for (const term of termsOf(query)) term.column ??= 'title'
  return query
}

/** Returns whether a query is `*` or `*:*`, which match everything in other search engines too. */
export function matchesEverything(words: string): boolean {
  return /^\s*\*(?::\*)?\s*$/.test(words)
}

/** An open bracket with its nodes so far; the first frame is the whole query. */
interface Frame {
  nodes: QueryNode[]
  /** Whether the bracket is negated. */
  minus: boolean
  /** Whether the last part was `OR`, so that the next node is an alternative to the last one. */
  afterOr: boolean
  /** Whether the last part was `NOT`. */
  not: boolean
}

function newFrame(minus: boolean): Frame {
  return { nodes: [], minus, afterOr: false, not: false }
}

function addNode(frame: Frame, node: QueryNode, minus: boolean): void {
  const added = minus ? { not: node } : node
  const last = frame.afterOr ? frame.nodes.pop() : undefined
  const alternatives = (child: QueryNode) => ('any' in child ? child.any : [child])
  frame.nodes.push(last ? { any: [last, added].flatMap(alternatives) } : added)
  frame.afterOr = false
  frame.not = false
}

function closeFrame(frames: Frame[]): void {
  const { nodes, minus } = frames.pop() as Frame
  const outer = frames.at(-1)
  const [only, second] = nodes
  if (only) outer && addNode(outer, second ? { all: nodes } : only, minus)
}

/** Counts the brackets at the end of a word that close a bracket before the word: 1 for `f(x))`. */
function closingBrackets(bare: string): number {
  let end = 0
  while (bare.at(-1 - end) === ')') end += 1
  const opened = bare.split('(').length - 1
  return Math.max(0, Math.min(end, bare.split(')').length - 1 - opened))
}

/** `AND` and `NOT` are words if the whole query is in capitals. */
function isOperator(bare: string, hasLowerCase: boolean): boolean {
  return bare === 'OR' || (hasLowerCase && (bare === 'AND' || bare === 'NOT'))
}

/** The state of one parse: settings, the counts that limits apply to, and what applies to the whole query. */
interface State extends Pick<ParsedQuery, 'misread' | 'invalidFilters' | 'order'> {
  isLoose: boolean
  count: number
  words: number
  titlesOnly: boolean
}

/** One match of `PART` that is not a bracket. */
interface Part {
  /** The name before a colon. */
  name: string | undefined
  quoted: string | undefined
  bare: string | undefined
}

/**
 * An optional minus, then an opening bracket, or an optional `name:` and one of these values: a phrase in quotes; a quote
 * that is not closed, with the rest of the query; a list in brackets, such as `tag:(a OR b)`; characters without spaces.
 */
const PART =
  /(?<![^\s"(])(-?)(?:(\()|(?:([A-Za-z_]+):(?=[^\s/]))?(?:"([^"]*)"|"([^"]*)$|(?<=(?:tags?|site|domain|labels?|category|categories|topic|host|hostname):)(\([^()"]*\)|\[[^[\]]*\])(?![^\s)])|([^\s"]+)))/gi

/** @returns `undefined` for a part without letters, beyond the limits, or that applies to the whole query */
function readPart(state: State, { name, quoted, bare }: Part): QueryNode | undefined {
  const typed = quoted ?? bare ?? ''
  const isQuoted = quoted !== undefined
  if (name !== undefined) {
    const text = isQuoted ? typed : `${name}:${typed}`
    return readFiltered(state, readFilter(name.toLowerCase(), typed.trim(), isQuoted), termNode(text, isQuoted))
  }
  const [, key, value] = isQuoted ? [] : (/^([A-Za-z_]+)=(.+)$/.exec(typed) ?? [])
  if (key !== undefined && value !== undefined && isFilterName(key)) {
    const sentence = `“${typed}” was read as ${key}:${value}.`
    const reading = readFilter(key.toLowerCase(), value, false)
    return readFiltered(state, { invalid: sentence, words: value, other: reading }, termNode(typed, false))
  }
  const [, tag] = isQuoted ? [] : (HASH_TAG.exec(typed) ?? [])
  if (tag !== undefined && !HEX_COLOR.test(typed)) {
    const sentence = `“#${tag}” was searched in all texts.`
    const tagged: Term = { text: tag, phrase: false, column: 'tags' }
    return readFiltered(state, { invalid: sentence, words: tag, isKnownName: false }, { term: tagged })
  }
  return limitNode(state, termNode(typed, isQuoted))
}

const HASH_TAG = /^#([\p{L}][\p{L}\p{N}_/-]*)$/u
const HEX_COLOR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i

function isFilterName(name: string): boolean {
  return FILTER_NAMES.has(name.toLowerCase()) || isForeignName(name.toLowerCase())
}

/** @param asTyped the words to search for if this is not a filter */
function readFiltered(state: State, reading: FilterReading, asTyped: QueryNode | undefined): QueryNode | undefined {
  if ('node' in reading) return limitNode(state, reading.node)
  if ('option' in reading) {
    if (reading.option === 'only-titles') state.titlesOnly = true
    else state.order = reading.option === 'oldest-first' ? 'oldest' : 'newest'
    return undefined
  }
  if (!state.isLoose) {
    state.invalidFilters.push({ sentence: reading.invalid, isKnownName: reading.isKnownName !== false })
    return limitNode(state, asTyped)
  }
  const { other, words } = reading
  state.misread.push(reading.invalid)
  if (other && !('invalid' in other)) return readFiltered(state, other, undefined)
  const nodes = words
    .replace(/[()[\]"]/g, ' ')
    .split(/\s+/)
    .flatMap((word) => limitNode(state, termNode(word, false)) ?? [])
  const [only, second] = nodes
  return second ? { all: nodes } : only
}

function termNode(text: string, phrase: boolean): { term: Term } | undefined {
  const term = readTerm(text, phrase)
  return term && { term }
}

/** Removes the terms and filters beyond the limits from a node; returns `undefined` if none remain. */
function limitNode(state: State, node: QueryNode | undefined): QueryNode | undefined {
  if (!node) return undefined
  if ('term' in node) {
    const { text, phrase, column } = node.term
    const term = column ? readTerm(text, phrase) : node.term
    if (!term || exceedsLimits(state, term)) return undefined
    return { term: column ? { ...term, column } : term }
  }
  if ('filter' in node) return ++state.count > MAX_TERMS ? undefined : node
  const [first, ...others] = childrenOf(node).flatMap((child) => limitNode(state, child) ?? [])
  if (!first) return undefined
  if ('not' in node) return { not: first }
  if (others.length === 0) return first
  return 'all' in node ? { all: [first, ...others] } : { any: [first, ...others] }
}

/** Counts a term, and returns whether the query now exceeds a limit. */
function exceedsLimits(state: State, { text }: Term): boolean {
  state.count += 1
  state.words += queryTokens(text).tokens.length
  return state.count > MAX_TERMS || state.words > MAX_WORDS
}

/**
 * Replaces the phrases that no bookmark has by their words. If the whole query is in quotes, single words in quotes stay:
 * the user wants exact matches.
 *
 * @returns `undefined` if bookmarks have all phrases
 */
export function breakPhrases(query: ParsedQuery, hasMatch: (term: Term) => boolean): ParsedQuery | undefined {
  const isExact = query.all.every((terms) => terms.every(({ phrase }) => phrase))
  const isBroken = (term: Term) =>
    term.phrase && !(isExact && queryTokens(term.text).tokens.length < 2) && !hasMatch(term)
  if (!query.all.flat().some(isBroken)) return undefined
  const all = query.all.map((terms) =>
    terms.map((term) => (isBroken(term) ? { ...term, phrase: false, broken: true } : term))
  )
  return { ...query, all }
}

function readTerm(typed: string, phrase: boolean): Term | undefined {
  const text = typed.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()
  if (!isSearchable(text)) return undefined
  if (!phrase && /[^*]\*$/.test(text)) return { text: text.replace(/\*+$/, '').trim(), phrase, prefix: true }
  const address = phrase || !ADDRESS.test(text) ? null : URL.parse(text.replace(/^(?!https?:)/i, 'https://'))
  return address === null ? { text, phrase } : { text, phrase, address: address.href }
}

/** Splits a term into tokens. Of an address, only the parts that identify the page become tokens. */
export function termTokens({ text, address }: Term): QueryTokens {
  return queryTokens(address === undefined ? text : nearPage(address))
}

/** An address with a scheme or `www.`, or a host with a path. */
const ADDRESS = /^(?:https?:\/\/|www\.)[^\s/]+|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/./i

/** Puts every word of a query in quotes, so that only exact matches are found. */
export function quoteWords(words: string): string {
  const rewritten = readDialect(words)
  const hasLowerCase = /\p{Ll}/u.test(rewritten)
  const quote = (whole: string, ...[minus, bracket, name, quoted, open, list, bare = '']: (string | undefined)[]) => {
    if (minus === undefined) return ' '
    if (minus !== '' || (bracket ?? quoted ?? open) !== undefined) return whole
    if (
      name === undefined
        ? isOperator(bare, hasLowerCase)
        : isFilter(name, list ?? bare.slice(0, bare.length - closingBrackets(bare)))
    )
      return whole
    const field = name !== undefined && /^(?:in)?title$/i.test(name) ? `${name}:` : ''
    const text = whole.slice(field.length, whole.length - closingBrackets(bare))
    const term = readTerm(text, false)
    return term && !term.prefix ? `${field}"${text}"${whole.slice(field.length + text.length)}` : whole
  }
  return rewritten.replace(PART_OR_QUOTE, quote).trim()
}

function isFilter(name: string, value: string): boolean {
  const reading = readFilter(name.toLowerCase(), value, false)
  return !('invalid' in reading) && !('node' in reading && 'term' in reading.node)
}

// A quote inside a word does not begin a phrase. Next to the added quotes it would, so it is replaced.
const PART_OR_QUOTE = new RegExp(`${PART.source}|"\\s*`, 'gi')
