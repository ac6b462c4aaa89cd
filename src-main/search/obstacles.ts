import type { BookmarkFilter, BookmarkQuery } from '../contract/bookmark.ts'
import { queryTime } from '../core/iso-time.ts'
import { listed } from './hint.ts'
import { filtersOf, type ParsedQuery, positiveTerms } from './query-nodes.ts'

/** A search in parts. */
export interface Search {
  query: BookmarkQuery
  parsed: ParsedQuery | undefined
}

/** A part of a search that leaves bookmarks out: a filter, or an excluded word. */
export interface Obstacle {
  /** As it is written, or in words. */
  name: string
  /** Returns the search without it. */
  remove(search: Search): Search
  /** The tag or the site that it asks for. */
  asked?: AskedName | undefined
}

interface AskedName {
  kind: 'tag' | 'domain'
  name: string
  filter: BookmarkFilter
  /** Returns the search with another tag or site in its place. */
  replace(search: Search, name: string): Search
}

/** Lists what leaves bookmarks out of a search: what stands beside its words first, then what is in them. */
export function obstaclesOf({ query, parsed }: Search): Obstacle[] {
  const { words: _, typing: __, now: ___, page: ____, limit: _____, tags = [], before, after, ...rest } = query
  const inside = parsed?.filters ?? []
  return [
    ...tags.map((tag) =>
      filterObstacle({ tags: [tag] }, ({ query, parsed }, instead) => {
        const others = query.tags?.filter((other) => other !== tag) ?? []
        return { query: { ...query, tags: [...others, ...(instead?.tags ?? [])] }, parsed }
      })
    ),
    ...Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) =>
        filterObstacle({ [key]: value }, ({ query, parsed }, instead) => ({
          query: { ...query, [key]: undefined, ...instead },
          parsed
        }))
      ),
    ...inside
      .filter((filter) => filterWords([withoutDates(filter)]).length > 0)
      .map((filter) =>
        filterObstacle(filter, ({ query, parsed }, instead) => ({
          query,
          parsed: parsed && replaceFilter(parsed, filter, instead)
        }))
      ),
    ...dateObstacle([{ before, after }, ...inside]),
    ...(parsed ? obstaclesInWords(parsed) : [])
  ]
}

/** @param put puts another filter in its place, or none */
function filterObstacle(
  filter: BookmarkFilter,
  put: (search: Search, instead: BookmarkFilter | undefined) => Search
): Obstacle {
  const [tag] = filter.tags ?? []
  const name = tag ?? filter.domain ?? filter.siteName
  return {
    name: filterWords([filter]).join(),
    remove: (search) => put(search, undefined),
    asked:
      name === undefined
        ? undefined
        : {
            kind: tag === undefined ? 'domain' : 'tag',
            name,
            filter,
            replace: (search, near) => put(search, tag === undefined ? { domain: near } : { tags: [near] })
          }
  }
}

function replaceFilter(parsed: ParsedQuery, filter: BookmarkFilter, instead: BookmarkFilter | undefined): ParsedQuery {
  const filters = parsed.filters.flatMap((one) => (one === filter ? (instead ?? []) : one))
  // The path of `site:github.com/owner` goes with its site.
  const path = `${filter.domain}/`
  const all = parsed.all.filter(
    (terms) => !terms.some(({ column, text }) => column === 'address' && text.startsWith(path))
  )
  return { ...parsed, filters, all }
}

/** All dates of a search are one obstacle. */
function dateObstacle(filters: BookmarkFilter[]): Obstacle[] {
  const name = filterWords(filters.map(({ before, after }) => ({ before, after }))).join(' ')
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

/** Exclusions, and brackets with filters. */
function obstaclesInWords({ without, none, nodes }: ParsedQuery): Obstacle[] {
  const obstacle = (name: string, remove: (parsed: ParsedQuery) => ParsedQuery): Obstacle => ({
    name,
    remove: ({ query, parsed }) => ({ query, parsed: parsed && remove(parsed) })
  })
  const brackets = nodes.filter((node) => filtersOf(node).length > 0 || positiveTerms(node).length === 0)
  return [
    ...without.map((filter) =>
      obstacle(`-${written(filter)}`, (all) => ({ ...all, without: all.without.filter((one) => one !== filter) }))
    ),
    ...none.map((term) =>
      obstacle(`-${inQuotes(term.text)}`, (all) => ({ ...all, none: all.none.filter((one) => one !== term) }))
    ),
    ...brackets.map((node) =>
      obstacle('what is in brackets', (all) => ({ ...all, nodes: all.nodes.filter((one) => one !== node) }))
    )
  ]
}

/** Returns a filter as the query language has it. */
export function written({ tags, anyTag, domain, siteName, type, visibility, ...rest }: BookmarkFilter): string {
  const [tag] = tags ?? anyTag ?? []
  if (tag !== undefined) return `tag:${inQuotes(tag)}`
  const site = domain ?? siteName
  if (site !== undefined) return `site:${site}`
  if (type) return `type:${type}`
  return visibility ? `visibility:${visibility}` : filterWords([rest]).join(' ')
}

function inQuotes(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text
}

/** Returns a phrase for each filter, such as `type “link”`. */
export function filterWords(filters: BookmarkFilter[]): string[] {
  return filters.flatMap((filter) => [...wordsOfNames(filter), ...wordsOfFacts(filter)])
}

function wordsOfNames({ tags, anyTag, domain, siteName, organization }: BookmarkFilter): string[] {
  return [
    ...(tags && tags.length > 0 ? [`${tags.length === 1 ? 'tag' : 'tags'} ${listed(tags, 'and')}`] : []),
    ...(anyTag ? [`tags ${listed(anyTag, 'or')}`] : []),
    ...(domain ? [`domain “${domain}”`] : []),
    ...(siteName ? [`domain “${siteName}”`] : []),
    ...(organization === undefined ? [] : ['this organization'])
  ]
}

function wordsOfFacts({
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
