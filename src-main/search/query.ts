import { FILTER_NAMES } from '../contract/query-filters.ts'
import { nearPage } from '../core/page-key.ts'
import { readDialect } from './dialects.ts'
import { type FilterReading, isForeignName, readFilter } from './filter-values.ts'
import { leaveOutCostly, type ParsedQuery, place, type QueryNode, type Term, termsOf } from './query-nodes.ts'
import { type QueryTokens, queryTokens, saysSomething } from './segment.ts'

/** Maximum number of terms. Further terms are ignored, which limits the cost of a query. */
const MAX_TERMS = 32

/** Maximum number of words in all terms: sixteen phrases of thirty words each took two seconds. */
const MAX_WORDS = 128

/** Maximum depth of nested brackets. Deeper ones are left out. */
const MAX_BRACKETS = 8

/**
 * The query language (grammar: docs/search.md): words must all match, `"a phrase"` together, `-word` must not match, `a OR b`
 * either of them, `begin*` whatever begins so; `name:value` filters. OR joins the two beside it, words or filters, and
 * brackets make one of several. Anything is a valid query. What looks like a filter and is none is searched as words, and
 * listed in `unread`.
 *
 * @param loosely reads what looks like a filter as what was probably meant, or leaves it out; `misread` says so
 */
export function parseQuery(text: string, loosely = false): ParsedQuery {
  const state: State = { loosely, misread: [], unread: [], count: 0, words: 0, onlyTitles: false }
  const frames: Frame[] = [newFrame(false)]
  const top = () => frames.at(-1) as Frame
  const plain = readDialect(text)
  const hasLowerCase = /\p{Ll}/u.test(plain)
  let deeper = 0
  for (const [, minus = '', bracket, name, quoted, open, list, bare] of plain.matchAll(PART)) {
    const { not } = top()
    if (bracket !== undefined) {
      if (frames.length > MAX_BRACKETS) deeper += 1
      else frames.push(newFrame(minus === '-' || not))
      continue
    }
    if (bare !== undefined && name === undefined && minus === '' && isOperator(bare, hasLowerCase)) {
      if (bare === 'OR') top().either = top().nodes.length > 0
      if (bare === 'NOT') top().not = true
      continue
    }
    const closing = bare === undefined ? 0 : Math.min(closingBrackets(bare), frames.length - 1 + deeper)
    const part = { name, quoted: quoted ?? open, bare: list ?? bare?.slice(0, bare.length - closing) }
    const node = readPart(state, part)
    if (node) addNode(top(), node, minus === '-' || not)
    for (let left = closing; left > 0; left--) {
      if (deeper > 0) deeper -= 1
      else closeFrame(frames)
    }
  }
  if (frames.length > 1 && frames.some(({ nodes }) => nodes.some((node) => !('term' in node)))) {
    state.misread.push(`A closing bracket is missing after “${text.trim().slice(-40)}”; it was added at the end.`)
  }
  while (frames.length > 1) closeFrame(frames)
  const { misread, unread, order } = state
  const query: ParsedQuery = { all: [], none: [], filters: [], without: [], nodes: [], order, misread, unread }
  for (const node of top().nodes) place(query, node)
  withCheapBeginnings(query)
  leaveOutCostly(query)
  if (state.onlyTitles) for (const term of termsOf(query)) term.column ??= 'title'
  return query
}

/** Returns whether words ask for all bookmarks: `*`, as other search engines have it. */
export function asksEverything(words: string): boolean {
  return /^\s*\*(?::\*)?\s*$/.test(words)
}

/** An open bracket with the parts read in it so far; the first frame is the whole query. */
interface Frame {
  nodes: QueryNode[]
  /** Whether it must not hold. */
  minus: boolean
  /** Whether what comes next is an alternative to what came last. */
  either: boolean
  not: boolean
}

function newFrame(minus: boolean): Frame {
  return { nodes: [], minus, either: false, not: false }
}

function addNode(frame: Frame, node: QueryNode, minus: boolean): void {
  const added = minus ? { not: node } : node
  const last = frame.either ? frame.nodes.pop() : undefined
  const alternatives = (one: QueryNode) => ('any' in one ? one.any : [one])
  frame.nodes.push(last ? { any: [last, added].flatMap(alternatives) } : added)
  frame.either = false
  frame.not = false
}

function closeFrame(frames: Frame[]): void {
  const { nodes, minus } = frames.pop() as Frame
  const outer = frames.at(-1)
  const [only, second] = nodes
  if (only) outer && addNode(outer, second ? { all: nodes } : only, minus)
}

/** Returns how many brackets at the end of a word close others than the word itself opens. */
function closingBrackets(bare: string): number {
  let end = 0
  while (bare.at(-1 - end) === ')') end += 1
  const opened = bare.split('(').length - 1
  return Math.max(0, Math.min(end, bare.split(')').length - 1 - opened))
}

/** Words in capitals that join others: `AND` and `NOT` only where not everything is in capitals. */
function isOperator(bare: string, hasLowerCase: boolean): boolean {
  return bare === 'OR' || (hasLowerCase && (bare === 'AND' || bare === 'NOT'))
}

interface State extends Pick<ParsedQuery, 'misread' | 'unread' | 'order'> {
  loosely: boolean
  count: number
  words: number
  onlyTitles: boolean
}

interface Part {
  /** The word before a colon. */
  name: string | undefined
  quoted: string | undefined
  bare: string | undefined
}

/**
 * A minus, then a bracket, or a name with a colon and "a phrase", an unclosed quote up to the end, a list in brackets after the
 * name of a tag or a site, or a run without spaces.
 */
const PART =
  /(?<![^\s"(])(-?)(?:(\()|(?:([A-Za-z_]+):(?=[^\s/]))?(?:"([^"]*)"|"([^"]*)$|(?<=(?:tags?|site|domain|labels?|category|categories|topic|host|hostname):)(\([^()"]*\)|\[[^[\]]*\])(?![^\s)])|([^\s"]+)))/gi

/** @returns `undefined` for what says nothing, is beyond the limits, or holds for the whole query */
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
    return readFiltered(state, { unread: sentence, words: value, other: reading }, termNode(typed, false))
  }
  const [, tag] = isQuoted ? [] : (HASH_TAG.exec(typed) ?? [])
  if (tag !== undefined && !HEX_COLOR.test(typed)) {
    const sentence = `“#${tag}” was searched in all texts.`
    const tagged: Term = { text: tag, phrase: false, column: 'tags' }
    return readFiltered(state, { unread: sentence, words: tag, isKnownName: false }, { term: tagged })
  }
  return limited(state, termNode(typed, isQuoted))
}

const HASH_TAG = /^#([\p{L}][\p{L}\p{N}_/-]*)$/u
const HEX_COLOR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i

function isFilterName(name: string): boolean {
  return FILTER_NAMES.has(name.toLowerCase()) || isForeignName(name.toLowerCase())
}

/** @param asTyped what is searched for where it is no filter */
function readFiltered(state: State, reading: FilterReading, asTyped: QueryNode | undefined): QueryNode | undefined {
  if ('node' in reading) return limited(state, reading.node)
  if ('option' in reading) {
    if (reading.option === 'only-titles') state.onlyTitles = true
    else state.order = reading.option === 'oldest-first' ? 'oldest' : 'newest'
    return undefined
  }
  if (!state.loosely) {
    state.unread.push({ sentence: reading.unread, isKnownName: reading.isKnownName !== false })
    return limited(state, asTyped)
  }
  const { other, words } = reading
  state.misread.push(reading.unread)
  if (other && !('unread' in other)) return readFiltered(state, other, undefined)
  const nodes = words
    .replace(/[()[\]"]/g, ' ')
    .split(/\s+/)
    .flatMap((word) => limited(state, termNode(word, false)) ?? [])
  const [only, second] = nodes
  return second ? { all: nodes } : only
}

function termNode(text: string, phrase: boolean): { term: Term } | undefined {
  const term = readTerm(text, phrase)
  return term && { term }
}

/** Returns a node without the terms and filters beyond the limits; `undefined` if nothing is left of it. */
function limited(state: State, node: QueryNode | undefined): QueryNode | undefined {
  if (!node) return undefined
  if ('term' in node) {
    const { text, phrase, column } = node.term
    const term = column ? readTerm(text, phrase) : node.term
    if (!term || isTooMuch(state, term)) return undefined
    return { term: column ? { ...term, column } : term }
  }
  if ('filter' in node) return ++state.count > MAX_TERMS ? undefined : node
  const within = 'not' in node ? [node.not] : 'all' in node ? node.all : node.any
  const [first, ...others] = within.flatMap((one) => limited(state, one) ?? [])
  if (!first) return undefined
  if ('not' in node) return { not: first }
  if (others.length === 0) return first
  return 'all' in node ? { all: [first, ...others] } : { any: [first, ...others] }
}

/** Counts a term; returns whether the query has more than it may by now. */
function isTooMuch(state: State, { text }: Term): boolean {
  state.count += 1
  state.words += queryTokens(text).tokens.length
  return state.count > MAX_TERMS || state.words > MAX_WORDS
}

/**
 * Reads short beginnings as the words they are: one letter beside other words, and two letters from the second on. At
 * 100,000 bookmarks one letter takes 30 ms each time it is looked for.
 */
function withCheapBeginnings(query: ParsedQuery): void {
  const terms = termsOf(query)
  const short = terms.filter(({ prefix, text }) => prefix === true && [...text].length <= 2)
  const dear = short.filter(({ text }, index) => index > 0 || ([...text].length < 2 && terms.length > 1))
  for (const term of dear) term.prefix = false
  if (dear.length > 0) {
    query.misread.push('A beginning of one letter is searched only by itself, and of two letters (ab*) only once.')
  }
}

/**
 * Returns a query in which the phrases that no bookmark has are replaced by their words; `undefined` if there are none. A
 * single word in quotes is such a phrase only if the query has words without quotes. Otherwise every word is meant exactly.
 *
 * @param isMet whether a bookmark holds a phrase
 */
export function withoutPhrases(query: ParsedQuery, isMet: (term: Term) => boolean): ParsedQuery | undefined {
  const isExact = query.all.every((terms) => terms.every(({ phrase }) => phrase))
  const isBroken = (term: Term) => term.phrase && !(isExact && queryTokens(term.text).tokens.length < 2) && !isMet(term)
  if (!query.all.flat().some(isBroken)) return undefined
  const all = query.all.map((terms) =>
    terms.map((term) => (isBroken(term) ? { ...term, phrase: false, broken: true } : term))
  )
  return { ...query, all }
}

function readTerm(typed: string, phrase: boolean): Term | undefined {
  const text = typed.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()
  if (!saysSomething(text)) return undefined
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
  const plain = readDialect(words)
  const hasLowerCase = /\p{Ll}/u.test(plain)
  const quote = (whole: string, ...[minus, bracket, name, quoted, open, list, bare = '']: (string | undefined)[]) => {
    if (minus === undefined) return ' '
    if (minus !== '' || (bracket ?? quoted ?? open) !== undefined) return whole
    if (
      name === undefined
        ? isOperator(bare, hasLowerCase)
        : isKept(name, list ?? bare.slice(0, bare.length - closingBrackets(bare)))
    )
      return whole
    const field = name !== undefined && /^(?:in)?title$/i.test(name) ? `${name}:` : ''
    const text = whole.slice(field.length, whole.length - closingBrackets(bare))
    const term = readTerm(text, false)
    return term && !term.prefix ? `${field}"${text}"${whole.slice(field.length + text.length)}` : whole
  }
  return plain.replace(PART_OR_QUOTE, quote).trim()
}

function isKept(name: string, value: string): boolean {
  const reading = readFilter(name.toLowerCase(), value, false)
  return !('unread' in reading) && !('node' in reading && 'term' in reading.node)
}

// A quote within a word begins no phrase. Beside the new quotes it would.
const PART_OR_QUOTE = new RegExp(`${PART.source}|"\\s*`, 'gi')
