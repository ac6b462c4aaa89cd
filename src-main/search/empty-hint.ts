import type { AskedFilter, BookmarkQuery } from '../contract/bookmark.ts'
import { filterWords } from './hint.ts'
import type { ParsedQuery } from './query-nodes.ts'

/** The least there is to ask for. */
const ONE = { page: 1, limit: 1 }

/** How many bookmarks a search finds; `whole` where the first of them holds every word. */
export interface Count {
  total: number
  atLeast: boolean
  whole: boolean
}

/** Look-ups in the library, all of them among bookmarks that the caller may see. */
export interface Lookup {
  /** How many filters may be left out one by one to find which emptied the search. Each takes a search. */
  tries: number
  count(query: BookmarkQuery, parsed: ParsedQuery | undefined): Count
  nearestTag(tag: string): string | undefined
  nearestSite(site: string): string | undefined
}

/**
 * Says what emptied a search: excluded words, a tag or a site nobody has, the one filter without which something is
 * found, or all filters together.
 *
 * @returns `undefined` where it was none of them
 */
export function explainEmpty(
  query: BookmarkQuery,
  parsed: ParsedQuery | undefined,
  { tries, count, nearestTag, nearestSite }: Lookup
): string | undefined {
  const { words, typing, page: _, limit: __, ...beside } = query
  const inside = parsed?.filters ?? []
  const countWithout = (changed: Partial<BookmarkQuery>, reparsed: Partial<ParsedQuery> = {}) =>
    count({ ...query, ...ONE, ...changed }, parsed && { ...parsed, ...reparsed })
  const isUnknown = (filter: AskedFilter) => count({ ...ONE, ...filter }, undefined).total === 0

  if (parsed && parsed.none.length + parsed.without.length > 0) {
    const found = countWithout({}, { none: [], without: [] })
    if (found.total > 0 && found.whole) {
      return `Nothing matches without what was left out; with it ${matches(found)}.`
    }
  }
  const all: AskedFilter[] = [beside, ...inside]
  if (filterWords(all).length === 0 && !parsed?.is) return undefined
  const tag = all.flatMap(({ tags }) => tags ?? []).find((one) => isUnknown({ tags: [one] }))
  if (tag !== undefined) {
    const untagged = countWithout(
      { tags: beside.tags?.filter((one) => one !== tag) },
      { filters: inside.filter(({ tags }) => !tags?.includes(tag)) }
    )
    return unknown('tag', tag, nearestTag(tag), untagged)
  }
  const site = all.flatMap(({ domain }) => domain ?? []).find((domain) => isUnknown({ domain }))
  if (site !== undefined) {
    const anywhere = countWithout(
      { domain: undefined },
      { filters: inside.filter(({ domain }) => domain === undefined) }
    )
    return unknown('domain', site, nearestSite(site), anywhere)
  }
  const found = count({ ...ONE, words, typing }, parsed && { ...parsed, filters: [], is: undefined })
  if (found.total === 0) return undefined
  const filters = [
    ...Object.entries(beside)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ filter: { [name]: value }, without: () => countWithout({ [name]: undefined }) })),
    ...inside.map((filter) => ({
      filter,
      without: () => countWithout({}, { filters: inside.filter((other) => other !== filter) })
    })),
    ...(parsed?.is ? [{ filter: { is: parsed.is }, without: () => countWithout({}, { is: undefined }) }] : [])
  ]
  const [only, second] = filters
  if (only && !second) return emptiedBy([only.filter], found)
  for (const { filter, without } of filters.slice(0, tries)) {
    const more = without()
    if (more.total > 0) return emptiedBy([filter], more)
  }
  return emptiedBy([], found)
}

function matches({ total, atLeast, whole }: Count): string {
  return `${total}${atLeast ? '+' : ''} ${total === 1 ? 'bookmark matches' : 'bookmarks match'}${whole ? '' : ' in part'}`
}

/** @param without what is found without such a filter */
function unknown(kind: 'tag' | 'domain', name: string, nearest: string | undefined, without: Count): string {
  const near = nearest === undefined ? '' : `; the nearest there is: “${nearest}”`
  const said = `No bookmark has the ${kind} “${name}”${near}.`
  return without.total === 0 ? said : `${said} Without it ${matches(without)}.`
}

/** @param filters the one that empties a search; none where only all together do */
function emptiedBy(filters: AskedFilter[], without: Count): string {
  const words = filterWords(filters)
  return words.length > 0
    ? `Nothing matches with ${words.join(', ')}; without it ${matches(without)}.`
    : `Nothing matches with these filters together; without them ${matches(without)}.`
}
