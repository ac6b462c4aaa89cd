import { BOOKMARK_TYPES, type BookmarkFilter } from '../contract/bookmark.ts'
import { LINK_MARKS } from '../contract/link-check.ts'
import { readSite } from '../core/address.ts'
import { nearPage } from '../core/page-key.ts'
import { leaveOutCostly, type ParsedQuery, place, type QueryNode, type Term, termsOf } from './query-nodes.ts'
import { type QueryTokens, queryTokens, saysSomething } from './segment.ts'

/** Maximum number of terms. Further terms are ignored, which limits the cost of a query. */
const MAX_TERMS = 32

/** Maximum number of words in all terms: sixteen phrases of thirty words each took two seconds. */
const MAX_WORDS = 128

/** Maximum depth of nested brackets. Deeper ones are left out. */
const MAX_BRACKETS = 8

/**
 * The query language: words must all match, `"a phrase"` together, `-word` must not match, `a OR b` either of them,
 * `begin*` whatever begins so; `tag:`, `site:`, `type:`, `before:`, `after:`, `is:` and `in:title` filter. OR joins the two
 * beside it, words or filters, and brackets make one of several. Anything is a valid query; what makes no sense is read as
 * words, and `misread` says so where it looks like more.
 */
export function parseQuery(text: string): ParsedQuery {
  const state: State = { misread: [], count: 0, words: 0, short: 0, onlyTitles: false }
  const frames: Frame[] = [newFrame(false)]
  const top = () => frames.at(-1) as Frame
  const hasLowerCase = /\p{Ll}/u.test(text)
  let deeper = 0
  for (const [, minus = '', bracket, name, quoted, open, bare] of text.matchAll(PART)) {
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
    const part = { name, quoted: quoted ?? open, bare: bare?.slice(0, bare.length - closing) }
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
  const query: ParsedQuery = { all: [], none: [], filters: [], without: [], nodes: [], misread: state.misread }
  for (const node of top().nodes) place(query, node)
  leaveOutCostly(query)
  if (state.onlyTitles) for (const term of termsOf(query)) term.inTitle = true
  return query
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

interface State {
  misread: string[]
  count: number
  words: number
  /** Short beginnings so far. */
  short: number
  onlyTitles: boolean
}

interface Part {
  /** The word before a colon. */
  name: string | undefined
  quoted: string | undefined
  bare: string | undefined
}

// A minus, then a bracket, or a name with a colon and "a phrase", an unclosed quote up to the end, or a run without spaces.
const PART = /(?<![^\s"(])(-?)(?:(\()|(?:([A-Za-z]+):(?=[^\s/]))?(?:"([^"]*)"|"([^"]*)$|([^\s"]+)))/g

/** @returns `undefined` for what says nothing, or is beyond the limits */
function readPart(state: State, part: Part): QueryNode | undefined {
  const filter = part.name === undefined ? undefined : readFilter(state, part.name.toLowerCase(), part)
  if (filter === IGNORED || (filter && 'filter' in filter && ++state.count > MAX_TERMS)) return undefined
  if (filter) return filter
  const typed = part.quoted ?? part.bare ?? ''
  const text = part.name === undefined || part.quoted !== undefined ? typed : `${part.name}:${typed}`
  return termNode(state, text, part.quoted !== undefined)
}

function termNode(state: State, text: string, phrase: boolean): { term: Term } | undefined {
  const term = readTerm(text, phrase)
  return term && !isTooMuch(state, term) ? { term: withCheapBeginning(term, state) } : undefined
}

/** Counts a term; returns whether the query has more than it may by now. */
function isTooMuch(state: State, { text }: Term): boolean {
  state.count += 1
  state.words += queryTokens(text).tokens.length
  return state.count > MAX_TERMS || state.words > MAX_WORDS
}

/** Reads a short beginning as the word it is, where a query has enough of them: one letter takes 60 ms of 100,000 bookmarks. */
function withCheapBeginning(term: Term, state: State): Term {
  if (!isShortBeginning(term) || ++state.short <= MAX_SHORT_BEGINNINGS) return term
  state.misread.push('Only the first three beginnings of one or two letters (a*) are searched as such.')
  return { ...term, prefix: false }
}

function isShortBeginning({ prefix, text }: Term): boolean {
  return prefix === true && [...text].length <= 2
}

const MAX_SHORT_BEGINNINGS = 3

/** A part such as `in:title` that was understood and holds for the whole query. */
const IGNORED: QueryNode = { all: [] }

/** @returns `undefined` where it is to be read as words */
function readFilter(state: State, name: string, part: Part): QueryNode | undefined {
  const value = (part.quoted ?? part.bare ?? '').trim()
  if (name === 'in' && value.toLowerCase() === 'title') {
    state.onlyTitles = true
    return IGNORED
  }
  if (name === 'title' || name === 'intitle') {
    const node = termNode(state, value, part.quoted !== undefined)
    return node && { term: { ...node.term, inTitle: true } }
  }
  const filter = name === 'is' ? markOf(value, state.misread) : filterOf(name, value, state.misread)
  return filter && { filter }
}

function markOf(value: string, misread: string[]): BookmarkFilter | undefined {
  const named = value.toLowerCase()
  if (named === 'untagged') return { untagged: true }
  const mark = LINK_MARKS.find((one) => one === named)
  if (mark) return { is: [mark] }
  misread.push(`“is:${value}” is not known: is:${[...LINK_MARKS, 'untagged'].join(', is:')}.`)
  return undefined
}

/** Returns a filter by its name and value; `undefined` where either is unknown, which `misread` then says. */
function filterOf(name: string, value: string, misread: string[]): BookmarkFilter | undefined {
  if (name === 'tag' || name === 'tags') return { tags: [value.replace(/^#(?!\ufe0f)/, '')] }
  if (name === 'site' || name === 'domain') return readSite(value) === '' ? undefined : { domain: value }
  if (name === 'type') {
    const type = BOOKMARK_TYPES.find((one) => one === value.toLowerCase().replace(/s$/, ''))
    if (type) return { type }
    misread.push(`There is no type “${value}”. Types: ${BOOKMARK_TYPES.join(', ')}.`)
  } else if (name === 'before' || name === 'after') {
    const start = startOf(value)
    if (start !== undefined) return name === 'before' ? { before: start } : { after: start }
    misread.push(`“${name}:${value}” is not a date: write 2026, 2026-01 or 2026-01-31.`)
  } else if (FOREIGN.has(name)) {
    misread.push(`“${name}:” is not a filter and was searched as a word. ${OURS}`)
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

const OURS = 'Filters: tag:, site:, type:, in:title, before:, after:, is:broken, is:moved, is:untagged.'

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
  const hasLowerCase = /\p{Ll}/u.test(words)
  const quote = (whole: string, ...[minus, bracket, name, quoted, open, bare = '']: (string | undefined)[]) => {
    if (minus === undefined) return ' '
    if (minus !== '' || (bracket ?? quoted ?? open) !== undefined) return whole
    if (name === undefined ? isOperator(bare, hasLowerCase) : FILTERS.has(name.toLowerCase())) return whole
    const field = name !== undefined && /^(?:in)?title$/i.test(name) ? `${name}:` : ''
    const text = whole.slice(field.length, whole.length - closingBrackets(bare))
    const term = readTerm(text, false)
    return term && !term.prefix ? `${field}"${text}"${whole.slice(field.length + text.length)}` : whole
  }
  return words.replace(PART_OR_QUOTE, quote).trim()
}

// A quote within a word begins no phrase. Beside the new quotes it would.
const PART_OR_QUOTE = new RegExp(`${PART.source}|"\\s*`, 'g')

/** Words before a colon that make a filter. */
const FILTERS = new Set(['tag', 'tags', 'site', 'domain', 'type', 'before', 'after', 'is', 'in'])
