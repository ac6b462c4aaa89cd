import { BOOKMARK_TYPES, VISIBILITIES } from '../contract/bookmark.ts'
import { LINK_MARKS } from '../contract/link-check.ts'
import { FILTER_NAMES, type FilterName, QUERY_FILTERS } from '../contract/query-filters.ts'
import { STATES } from '../contract/tag-names.ts'
import { percentDecoded, readSite } from '../core/address.ts'
import { editDistance } from '../core/edit-distance.ts'
import type { QueryNode } from './query-nodes.ts'

/** The meaning of `name:value`. */
export type FilterReading =
  | { node: QueryNode }
  /** An option that applies to the whole query. */
  | { option: 'only-titles' | 'oldest-first' | 'newest-first' }
  /**
   * Not a filter of this query language. `invalid` is the sentence for the hint, `words` are the words to search for
   * instead, and `other` is the most likely meaning.
   */
  | { invalid: string; words: string; other?: FilterReading | undefined; isKnownName?: boolean }

/**
 * Reads a filter by its name and value. Names of other programs, misspelled names and impossible values are `invalid`:
 * they are first searched as typed, because `node:fs` may be in a title.
 *
 * @param quoted whether the value was in quotes, so that commas and brackets are part of it
 */
export function readFilter(name: string, value: string, quoted: boolean): FilterReading {
  const filter = FILTER_NAMES.get(name)
  if (filter) return READERS[filter](value, quoted, name)
  const meaning = FOREIGN.get(name) ?? misspelled(name)
  if (meaning === 'words') return invalid(`“${name}:” is not a filter; its words were searched. ${FILTER_LIST}`, value)
  if (meaning === 'nothing') return invalid(`“${name}:” is not a filter and was left out. ${FILTER_LIST}`)
  if (meaning === 'tag-words') {
    const nodes = (quoted ? [value] : listIn(value)).map((text) => ({
      term: { text, phrase: /\s/.test(text), column: 'tags' as const }
    }))
    return { ...invalid(`“${name}:” was read as a word of a tag.`, value), other: { node: allOf(nodes) } }
  }
  if (meaning === undefined) {
    return { ...invalid(`“${name}:” is not a filter and was left out. ${FILTER_LIST}`, value), isKnownName: false }
  }
  return { ...invalid(`“${name}:” was read as ${meaning}:.`), other: READERS[meaning](value, quoted, meaning) }
}

/** Filter names of other programs, with their meaning here. */
const FOREIGN = new Map<string, Meaning>([
  ...entries('label labels category categories topic topics folder collection group', 'tag-words'),
  ...entries('host hostname website source', 'site'),
  ...entries('kind', 'type'),
  ...entries('updated modified', 'on'),
  ...entries('orderby sortby', 'order'),
  ...entries(
    'description desc content body text name note notes summary abstract keyword keywords query q search',
    'words'
  ),
  ...entries(
    'words term terms url inurl allinurl intext allintext link path owner user username by author org',
    'words'
  ),
  ...entries('organization repo repository project filetype ext extension format about subject', 'words'),
  ...entries('limit size count page per_page lang language locale max min top score boost', 'nothing')
])

/** `tag-words`: a word of a tag. `words`: only the value is searched. `nothing`: the filter is left out. */
type Meaning = FilterName | 'tag-words' | 'words' | 'nothing'

function entries(names: string, meaning: Meaning): [string, Meaning][] {
  return names.split(' ').map((name) => [name, meaning])
}

export function isForeignName(name: string): boolean {
  return FOREIGN.has(name)
}

/** Returns the filter whose name differs by one letter; `undefined` if there is none or the name is short. */
function misspelled(name: string): FilterName | undefined {
  if (name.length < 3) return undefined
  return [...FILTER_NAMES].find(([known]) => known.length > 2 && editDistance(name, known, 1) <= 1)?.[1]
}

/** The end of a hint on an unknown filter. Without `import:`, which agents do not need. */
export const FILTER_LIST = `Filters: ${Object.keys(QUERY_FILTERS)
  .filter((name) => name !== 'import')
  .map((name) => `${name}:`)
  .join(' ')}.`

function invalid(sentence: string, words = ''): Extract<FilterReading, { invalid: string }> {
  return { invalid: sentence, words }
}

type Reader = (value: string, quoted: boolean, name: string) => FilterReading

const READERS: Record<FilterName, Reader> = {
  tag(value, quoted) {
    const names = quoted ? [value] : listIn(value)
    const nodes = names.map((name) => ({ filter: { tags: [name.replace(/^#(?!\ufe0f)/, '')] } }))
    return nodes.length === 0
      ? invalid(`“tag:” has no tag.`)
      : { node: isAlternative(value) ? anyOf(nodes) : allOf(nodes) }
  },
  site(value, quoted) {
    const nodes = (quoted ? [value] : listIn(value)).flatMap(siteNode)
    return nodes.length === 0 ? invalid(`“site:${value}” is not the address of a site.`, value) : { node: anyOf(nodes) }
  },
  type(value) {
    const singular = value.toLowerCase().replace(/s$/, '')
    const type = BOOKMARK_TYPES.find((name) => name === singular)
    if (type) return { node: { filter: { type } } }
    return invalid(`There is no type “${value}”; it was left out. Types: ${BOOKMARK_TYPES.join(', ')}.`)
  },
  is(value) {
    const lower = value.toLowerCase()
    if (lower === 'untagged') return { node: { filter: { untagged: true } } }
    if (lower === 'highlighted') return { node: { filter: { highlighted: true } } }
    const linkMark = LINK_MARKS.find((mark) => mark === lower)
    if (linkMark) return { node: { filter: { is: [linkMark] } } }
    const state = STATES.find((name) => name === lower)
    if (state) return { node: { filter: { tags: [state] } } }
    return invalid(`“is:${value}” is not known and was left out. Known: is:${QUERY_FILTERS.is.values.join(', is:')}.`)
  },
  title: (value, quoted) => ({ node: { term: { text: value, phrase: quoted, column: 'title' } } }),
  in: (value) =>
    value.toLowerCase() === 'title'
      ? { option: 'only-titles' }
      : invalid(`“in:${value}” was left out: only in:title is known.`),
  after: (value, _, name) => dateNode(value, name, ({ start }) => [{ after: start }]),
  before: (value, _, name) => dateNode(value, name, ({ start }) => [{ before: start }]),
  until: (value, _, name) => dateNode(value, name, ({ end }) => [{ before: end }]),
  on(value, _, name) {
    const [, sign = '', date = '', to] = /^([<>]=?)?(.*?)(?:\.\.(.*))?$/.exec(value) ?? []
    if (sign.startsWith('>')) return READERS.after(date, false, name)
    if (sign.startsWith('<')) return READERS[sign === '<' ? 'before' : 'until'](date, false, name)
    const last = to === undefined ? undefined : periodIn(to)
    return dateNode(date, name, ({ start, end }) => [{ after: start }, { before: last?.end ?? end }])
  },
  // Valid values never get here: `time-phrase.ts` replaces them by dates, because they depend on the current time.
  last: (value) => invalid(`“last:${value}” is not a time: write last:7d, last:3w, last:6m or last:1y.`),
  order(value) {
    if (/^(?:oldest|asc|ascending|date-asc|created-asc)$/i.test(value)) return { option: 'oldest-first' }
    if (/^(?:newest|latest|desc|descending|date|created|date-desc|recent)$/i.test(value))
      return { option: 'newest-first' }
    return invalid(`“order:${value}” was left out: order:oldest and order:newest are known.`)
  },
  visibility(value) {
    const visibility = VISIBILITIES.find((name) => name === value.toLowerCase())
    if (visibility) return { node: { filter: { visibility } } }
    return invalid(`There is no visibility “${value}”; it was left out. Visibilities: ${VISIBILITIES.join(', ')}.`)
  },
  import: (value) =>
    /^[1-9]\d{0,14}$/.test(value)
      ? { node: { filter: { import: Number(value) } } }
      : invalid(`“import:${value}” was left out: an import has a number, such as import:3.`)
}

/** Reads `a,b`, `[a, b]` and `(a OR b)`. */
function listIn(value: string): string[] {
  return value
    .replace(/^[[({]|[\])}]$/g, '')
    .split(/\s+OR\s+|\s+AND\s+|[,|]/)
    .map((item) => item.trim().replace(/^["']|["']$/g, ''))
    .filter((item) => item !== '')
}

function isAlternative(value: string): boolean {
  return /\sOR\s|\|/.test(value)
}

function anyOf(nodes: QueryNode[]): QueryNode {
  return nodes.length === 1 && nodes[0] ? nodes[0] : { any: nodes }
}

function allOf(nodes: QueryNode[]): QueryNode {
  return nodes.length === 1 && nodes[0] ? nodes[0] : { all: nodes }
}

/** Reads a host, a name without its ending (`github`, `github.*`), or an address, whose path must begin a page’s path. */
function siteNode(value: string): QueryNode[] {
  const text = value.replace(/\.\*$/, '')
  const domain = readSite(text)
  if (domain === '') return []
  const path = percentDecoded(/^(?:[a-z]+:\/\/)?[^/?#]+\/([^?#]*[^/?#])/i.exec(text)?.[1] ?? '')
  if (path === '') return [{ filter: domain.includes('.') ? { domain: text } : { siteName: domain } }]
  return [{ all: [{ filter: { domain } }, { term: { text: `${domain}/${path}`, phrase: true, column: 'address' } }] }]
}

/** A time from `start` to before `end`, in ms since 1970. */
interface Period {
  start: number
  end: number
}

function dateNode(
  value: string,
  name: string,
  filters: (period: Period) => { after?: number; before?: number }[]
): FilterReading {
  const period = periodIn(value)
  if (period) return { node: allOf(filters(period).map((filter) => ({ filter }))) }
  return invalid(`“${name}:${value}” is not a date: write 2026, 2026-01 or 2026-01-31.`, value)
}

/**
 * Reads a year, month, day or minute (ISO 8601, also with `/`). A minute is in UTC; the others are in this machine’s time
 * zone.
 *
 * @returns `undefined` for any other text
 */
function periodIn(text: string): Period | undefined {
  const [, year, month, day, time] =
    /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2})(?:T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?Z)?)?)?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const start = new Date(y, m, d)
  if (start.getMonth() !== m || start.getDate() !== d) return undefined
  if (time !== undefined) {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const minute = Date.UTC(y, m, d, hours, minutes)
    return hours > 23 || minutes > 59 ? undefined : { start: minute, end: minute + 60_000 }
  }
  const end = day ? new Date(y, m, d + 1) : month ? new Date(y, m + 1) : new Date(y + 1, 0)
  return { start: start.getTime(), end: end.getTime() }
}
