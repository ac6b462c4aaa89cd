import {
  type FilterName,
  FILTER_NAMES as LANGUAGE_NAMES,
  QUERY_FILTERS
} from '../../src-main/contract/query-filters.ts'
import { formatTagFilter, isState } from '../../src-main/contract/tag-names.ts'

/**
 * Reads, writes, adds and removes the filters in the text of a search. The text is the only state of a search: the field,
 * the Filter menu, the sidebar and the address read and change it with these functions.
 */

/** A row of the table of filters. */
interface FilterRow {
  also: string[]
  example: string
  values?: readonly string[]
}

/** All filters of the owner's searches. Agents do not have two of them: `organization:` and `is:opened`. */
export const FILTERS: Record<FilterName | 'organization', FilterRow> = {
  ...QUERY_FILTERS,
  is: { ...QUERY_FILTERS.is, values: [...QUERY_FILTERS.is.values, 'opened'] },
  organization: { also: [], example: 'organization:Acme' }
}

export type OwnFilterName = keyof typeof FILTERS

const NAMES: ReadonlyMap<string, OwnFilterName> = new Map([...LANGUAGE_NAMES, ['organization', 'organization']])

/** A filter at the top level of a text. */
export interface TextFilter {
  /** As it is in the text: `-tag:"to read"`. */
  source: string
  name: OwnFilterName
  value: string
  /** Whether it excludes. */
  minus: boolean
}

export interface ReadText {
  filters: TextFilter[]
  /** The text without them. */
  rest: string
}

/**
 * Separates the filters of a text from the rest. Filters in brackets, or next to OR, AND or NOT, stay in the rest, as do
 * filters with an invalid value.
 *
 * @param until the position before which a filter must be complete, with a space after it; by default all are
 */
export function readText(text: string, until = Number.POSITIVE_INFINITY): ReadText {
  const tokens = [...text.matchAll(/(?:"[^"]*"?|'[^']*'(?=\s|$)|[^\s"])+/g)]
  const filters: TextFilter[] = []
  let rest = ''
  let end = 0
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    const [source] = token
    const after = token.index + source.length
    const [previous = '', next] = [tokens[index - 1]?.[0], tokens[index + 1]?.[0]]
    const isTopLevel = depth === 0 && after < until && !OPERATOR.test(previous) && next !== 'OR'
    const filter = isTopLevel ? readFilter(source) : undefined
    depth += bracketsIn(source)
    if (!filter) continue
    filters.push(filter)
    rest += text.slice(end, token.index)
    end = after
    // Of the spaces around the filter, one stays.
    if (/^\s|^$/.test(text.slice(end)) && (rest === '' || /\s$/.test(rest))) end += 1
  }
  return { filters, rest: rest + text.slice(end) }
}

const OPERATOR = /^(?:OR|AND|NOT)$/

function bracketsIn(token: string): number {
  const bare = token.replace(/"[^"]*"?/g, '')
  return bare.split('(').length - bare.split(')').length
}

/** Parses a text that is one filter. Returns `undefined` if it is not valid. */
export function readFilter(source: string): TextFilter | undefined {
  const [, minus, typed = '', quoted, single, bare] = FILTER.exec(source) ?? []
  const name = NAMES.get(typed.toLowerCase())
  const value = quoted ?? single ?? bare
  if (name === undefined || value === undefined || !isValue(name, value)) return undefined
  // The filters that only the window has cannot exclude.
  if (minus && (name === 'organization' || value.toLowerCase() === 'opened')) return undefined
  return { source, name, value: value.trim(), minus: minus === '-' }
}

const FILTER = /^(-?)([a-z_]+):(?:"([^"]+)"|'([^']*"[^']*)'|([^\s"()[\]{}]+))$/i

const DAY = /^\d{4}(?:[-/]\d{1,2}(?:[-/]\d{1,2})?)?$/
const DATE_WORDS = /^(?:today|yesterday|(?:last|this)[-_ ](?:week|month|year))$/i

function isValue(name: OwnFilterName, value: string): boolean {
  const { values, example } = FILTERS[name]
  if (values) return values.includes(value.toLowerCase())
  if (name === 'last') return /^[1-9]\d{0,2}[dwmy]$/i.test(value)
  if (/\d{4}-/.test(example)) return DAY.test(value) || DATE_WORDS.test(value)
  return value.trim() !== ''
}

/** Writes a filter. A value that contains `"` is put in single quotes, which only the window reads. */
export function writeFilter(name: OwnFilterName, value: string): string {
  if (value.includes('"')) return `${name}:'${value.replaceAll("'", '’')}'`
  return `${name}:${/^[\p{L}\p{M}\p{N}=/_.-]+$/u.test(value) ? value : `"${value}"`}`
}

/** Writes the filter for a tag: `tag:travel`, but `is:unread` for a state. */
export function tagFilter(tag: string): string {
  return isState(tag) ? writeFilter('is', tag.toLowerCase()) : writeFilter('tag', formatTagFilter(tag))
}

/** Returns the address of the list of a search. */
export function searchAddress(text: string, order?: string): string {
  const query = new URLSearchParams()
  if (text !== '') query.set('q', text)
  if (order !== undefined) query.set('order', order)
  // These need no escape in a query (RFC 3986, 3.4), and without it people can read the address.
  const search = query.toString().replace(/%(?:3A|2F)/g, decodeURIComponent)
  return search === '' ? '/' : `/?${search}`
}

/** Joins filters and the rest to a text. The rest comes last, because an open quote in it would include what follows. */
export function joinText(sources: string[], rest: string): string {
  return [...sources, ...(rest === '' ? [] : [rest])].join(' ')
}

/** Removes the filters for which `isReplaced` is true, and adds others. */
export function replaceFilters(text: string, isReplaced: (filter: TextFilter) => boolean, added: string[]): string {
  const { filters, rest } = readText(text)
  const remaining = filters.filter((filter) => !isReplaced(filter)).map(({ source }) => source)
  const missing = added.filter((source) => !remaining.some((other) => other.toLowerCase() === source.toLowerCase()))
  return joinText([...remaining, ...missing], rest.trim())
}

/** Sets a filter to one value, or removes it. Returns the text. */
export function setFilter(text: string, name: OwnFilterName, value: string | undefined): string {
  const added = value === undefined ? [] : [writeFilter(name, value)]
  return replaceFilters(text, (filter) => filter.name === name && !filter.minus, added)
}

/** Adds a filter for a tag, unless the text has it already. Returns the text. */
export function addTag(text: string, tag: string): string {
  return replaceFilters(text, ({ name, value }) => name === 'is' && value === 'untagged', [tagFilter(tag)])
}

/** Returns the values of a filter in the text, without excluded ones. */
export function valuesOf(text: string, filter: OwnFilterName): string[] {
  return readText(text).filters.flatMap(({ name, value, minus }) => (name === filter && !minus ? value : []))
}

/** Returns the first and the last day of a date. Of `2026-02`: `2026-02-01` and `2026-02-28`. */
export function daysIn(date: string): { first: string; last: string } | undefined {
  const [year, month, day] = date.split(/[-/]/).map(Number)
  if (!DAY.test(date) || year === undefined) return undefined
  const first = new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1))
  const last = day ? first : new Date(Date.UTC(year, month ?? 12, 0))
  if ((month !== undefined && first.getUTCMonth() !== month - 1) || (day && first.getUTCDate() !== day))
    return undefined
  return { first: isoDay(first), last: isoDay(last) }
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10)
}

export function dayBefore(day: string): string {
  return isoDay(new Date(Date.parse(day) - 86_400_000))
}

/** Returns the word before the caret. In quotes, spaces belong to the word. */
export function wordBefore(text: string, caret: number): string {
  return /(?:"[^"]*"|"[^"]*$|[^\s"])*$/.exec(text.slice(0, caret))?.[0] ?? ''
}
