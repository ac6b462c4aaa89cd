import type { BookmarkFilter, BookmarkQuery } from '../contract/bookmark.ts'
import { queryTime } from '../core/iso-time.ts'
import { listInQuotes } from './hint.ts'
import { filtersOf, type ParsedQuery, positiveTerms } from './query-nodes.ts'

/** A search with its parsed words. */
export interface Search {
  query: BookmarkQuery
  parsed: ParsedQuery | undefined
}

/** A part of a search that leaves bookmarks out: a filter, or an excluded word. */
export interface Obstacle {
  /** The text for hints: `-draft`, or `type “link”`. */
  name: string
  /** Returns the search without the obstacle. */
  remove(search: Search): Search
  /** The tag or site of the filter. */
  requested?: RequestedName | undefined
}

export interface RequestedName {
  kind: 'tag' | 'domain'
  name: string
  filter: BookmarkFilter
  /** Returns the search with another tag or site instead. */
  replace(search: Search, name: string): Search
}

/** Lists what leaves bookmarks out of a search: first the filters given besides the words, then those in the words. */
export function listObstacles({ query, parsed }: Search): Obstacle[] {
  const { words: _, typing: __, now: ___, page: ____, limit: _____, tags = [], before, after, ...rest } = query
  const parsedFilters = parsed?.filters ?? []
  return [
    ...tags.map((tag) =>
      filterObstacle({ tags: [tag] }, ({ query, parsed }, replacement) => {
        const others = query.tags?.filter((other) => other !== tag) ?? []
        return { query: { ...query, tags: [...others, ...(replacement?.tags ?? [])] }, parsed }
      })
    ),
    ...Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) =>
        filterObstacle({ [key]: value }, ({ query, parsed }, replacement) => ({
          query: { ...query, [key]: undefined, ...replacement },
          parsed
        }))
      ),
    ...parsedFilters
      .filter((filter) => describeFilters([withoutDates(filter)]).length > 0)
      .map((filter) =>
        filterObstacle(filter, ({ query, parsed }, replacement) => ({
          query,
          parsed: parsed && replaceFilter(parsed, filter, replacement)
        }))
      ),
    ...dateObstacle([{ before, after }, ...parsedFilters]),
    ...(parsed ? obstaclesInWords(parsed) : [])
  ]
}

/** @param substitute returns the search with another filter instead of this one, or without it */
function filterObstacle(
  filter: BookmarkFilter,
  substitute: (search: Search, replacement: BookmarkFilter | undefined) => Search
): Obstacle {
  const [tag] = filter.tags ?? []
  const name = tag ?? filter.domain ?? filter.siteName
  return {
    name: describeFilters([filter]).join(),
    remove: (search) => substitute(search, undefined),
    requested:
      name === undefined
        ? undefined
        : {
            kind: tag === undefined ? 'domain' : 'tag',
            name,
            filter,
            replace: (search, nearest) =>
              substitute(search, tag === undefined ? { domain: nearest } : { tags: [nearest] })
          }
  }
}

function replaceFilter(
  parsed: ParsedQuery,
  filter: BookmarkFilter,
  replacement: BookmarkFilter | undefined
): ParsedQuery {
  const filters = parsed.filters.flatMap((other) => (other === filter ? (replacement ?? []) : other))
  // `site:github.com/owner` is a filter and a term for the path, which is removed too.
  const path = `${filter.domain}/`
  const all = parsed.all.filter(
    (terms) => !terms.some(({ column, text }) => column === 'address' && text.startsWith(path))
  )
  return { ...parsed, filters, all }
}

/** All dates of a search are one obstacle. */
function dateObstacle(filters: BookmarkFilter[]): Obstacle[] {
  const name = describeFilters(filters.map(({ before, after }) => ({ before, after }))).join(' ')
  if (name === '') return []
  const remove = ({ query, parsed }: Search): Search => ({
    query: { ...query, before: undefined, after: undefined },
    parsed: parsed && { ...parsed, filters: parsed.filters.map(withoutDates) }
  })
  return [{ name, remove }]
}

function withoutDates({ before: _, after: __, ...filter }: BookmarkFilter): BookmarkFilter {
  return filter
}

/** Lists excluded filters and words, and brackets that have filters or only excluded words. */
function obstaclesInWords({ excludedFilters, excludedTerms, nodes }: ParsedQuery): Obstacle[] {
  const obstacle = (name: string, remove: (parsed: ParsedQuery) => ParsedQuery): Obstacle => ({
    name,
    remove: ({ query, parsed }) => ({ query, parsed: parsed && remove(parsed) })
  })
  const brackets = nodes.filter((node) => filtersOf(node).length > 0 || positiveTerms(node).length === 0)
  return [
    ...excludedFilters.map((filter) =>
      obstacle(`-${formatFilter(filter)}`, (query) => ({
        ...query,
        excludedFilters: query.excludedFilters.filter((other) => other !== filter)
      }))
    ),
    ...excludedTerms.map((term) =>
      obstacle(`-${inQuotes(term.text)}`, (query) => ({
        ...query,
        excludedTerms: query.excludedTerms.filter((other) => other !== term)
      }))
    ),
    ...brackets.map((node) =>
      obstacle('what is in brackets', (query) => ({ ...query, nodes: query.nodes.filter((other) => other !== node) }))
    )
  ]
}

/** Writes a filter in the query language: `tag:"to read"`. */
export function formatFilter({ tags, anyTag, domain, siteName, type, visibility, ...rest }: BookmarkFilter): string {
  const [tag] = tags ?? anyTag ?? []
  if (tag !== undefined) return `tag:${inQuotes(tag)}`
  const site = domain ?? siteName
  if (site !== undefined) return `site:${site}`
  if (type) return `type:${type}`
  return visibility ? `visibility:${visibility}` : describeFilters([rest]).join(' ')
}

function inQuotes(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text
}

/** Returns a phrase for each filter, such as `type “link”` and `before:2026-01-01`. */
export function describeFilters(filters: BookmarkFilter[]): string[] {
  return filters.flatMap((filter) => [...describeNames(filter), ...describeFacts(filter)])
}

function describeNames({ tags, anyTag, domain, siteName, organization }: BookmarkFilter): string[] {
  return [
    ...(tags && tags.length > 0 ? [`${tags.length === 1 ? 'tag' : 'tags'} ${listInQuotes(tags, 'and')}`] : []),
    ...(anyTag ? [`tags ${listInQuotes(anyTag, 'or')}`] : []),
    ...(domain ? [`domain “${domain}”`] : []),
    ...(siteName ? [`domain “${siteName}”`] : []),
    ...(organization === undefined ? [] : ['this organization'])
  ]
}

function describeFacts({
  type,
  visibility,
  is,
  before,
  after,
  untagged,
  highlighted,
  import: id,
  opened
}: BookmarkFilter): string[] {
  return [
    ...(type ? [`type “${type}”`] : []),
    ...(visibility ? [`visibility “${visibility}”`] : []),
    ...(is ? [is.map((mark) => `is:${mark}`).join(' OR ')] : []),
    ...(before === undefined ? [] : [`before:${queryTime(before)}`]),
    ...(after === undefined ? [] : [`after:${queryTime(after)}`]),
    ...(untagged ? ['is:untagged'] : []),
    ...(highlighted ? ['is:highlighted'] : []),
    ...(id === undefined ? [] : [`import:${id}`]),
    ...(opened ? ['what was opened lately'] : [])
  ]
}
