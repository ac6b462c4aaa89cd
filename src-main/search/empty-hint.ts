import type { BookmarkFilter, BookmarkQuery } from '../contract/bookmark.ts'
import { isoDay } from '../core/iso-time.ts'
import { listed } from './hint.ts'
import type { ParsedQuery } from './query-nodes.ts'

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

function wordsOfFacts({ type, visibility, is, before, after, untagged, opened }: BookmarkFilter): string[] {
  return [
    ...(type ? [`type “${type}”`] : []),
    ...(visibility ? [`visibility “${visibility}”`] : []),
    ...(is ? [is.length === 0 ? 'is:broken and is:moved together' : is.map((mark) => `is:${mark}`).join(' OR ')] : []),
    ...(before === undefined ? [] : [`before:${isoDay(before)}`]),
    ...(after === undefined ? [] : [`after:${isoDay(after)}`]),
    ...(untagged ? ['is:untagged'] : []),
    ...(opened ? ['what was opened lately'] : [])
  ]
}

/** Says that a page lies behind the last. */
export function pastEnd(page: number, limit: number, total: number, atLeast: boolean): string {
  if (atLeast) return `Page ${page} is further than a search goes: narrow it by more words or a filter.`
  const pages = Math.ceil(total / limit)
  return `Page ${page} is past the end: there ${pages === 1 ? 'is one page' : `are ${pages} pages`}.`
}

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
  count(query: BookmarkQuery, parsed: ParsedQuery | undefined): Count
  nearestTag(tag: string): string | undefined
  nearestSite(site: string): string | undefined
  /** Whether a link that the caller may see was ever checked. */
  anyLinkChecked(): boolean
}

/**
 * Says what emptied a search: excluded words, a tag or a site nobody has, the one filter without which something is
 * found, or all filters together.
 *
 * @returns `undefined` if it was none of them
 */
export function explainEmpty(
  query: BookmarkQuery,
  parsed: ParsedQuery | undefined,
  lookup: Lookup
): string | undefined {
  const { words, typing, now: _, page: __, limit: ___, ...beside } = query
  const inside = parsed?.filters ?? []
  const filters = [beside, ...inside]
  const countWithout: EmptySearch['countWithout'] = (changed, reparsed) =>
    lookup.count({ ...query, ...ONE, ...changed }, parsed && { ...parsed, ...reparsed })
  const search: EmptySearch = { words, typing, parsed, beside, inside, filters, lookup, countWithout }
  for (const explain of REASONS) {
    const sentence = explain(search)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

/** A search that found nothing. */
interface EmptySearch extends Pick<BookmarkQuery, 'words' | 'typing'> {
  parsed: ParsedQuery | undefined
  /** The filters beside the words. */
  beside: BookmarkFilter
  /** Those in the words. */
  inside: BookmarkFilter[]
  /** Both. */
  filters: BookmarkFilter[]
  lookup: Lookup
  countWithout(changed: Partial<BookmarkQuery>, reparsed?: Partial<ParsedQuery>): Count
}

/** Each returns a sentence if it is the reason. The first that is wins. */
const REASONS = [excludedTooMuch, unknownTag, unknownSite, noLinkChecked, tagsNeverTogether, emptiedByFilters]

function excludedTooMuch({ parsed, countWithout }: EmptySearch): string | undefined {
  if (!parsed || parsed.none.length + parsed.without.length === 0) return undefined
  const found = countWithout({}, { none: [], without: [] })
  return found.total > 0 && found.whole
    ? `Nothing matches without what was left out; with it ${matches(found)}.`
    : undefined
}

function unknownTag({ beside, inside, filters, lookup, countWithout }: EmptySearch): string | undefined {
  const tag = filters.flatMap(({ tags }) => tags ?? []).find((tag) => isUnknown(lookup, { tags: [tag] }))
  if (tag === undefined) return undefined
  const found = countWithout(
    { tags: beside.tags?.filter((other) => other !== tag) },
    { filters: inside.filter(({ tags }) => !tags?.includes(tag)) }
  )
  return unknown('tag', tag, lookup.nearestTag(tag), found)
}

function unknownSite({ inside, filters, lookup, countWithout }: EmptySearch): string | undefined {
  const filter = filters.find(
    ({ domain, siteName }) => siteOf({ domain, siteName }) !== undefined && isUnknown(lookup, { domain, siteName })
  )
  const site = filter && siteOf(filter)
  if (site === undefined) return undefined
  const found = countWithout({ domain: undefined }, { filters: inside.filter((one) => siteOf(one) === undefined) })
  return unknown('domain', site, lookup.nearestSite(site), found)
}

function siteOf({ domain, siteName }: BookmarkFilter): string | undefined {
  return domain ?? siteName
}

function isUnknown({ count }: Lookup, filter: BookmarkFilter): boolean {
  return count({ ...ONE, ...filter }, undefined).total === 0
}

function noLinkChecked({ parsed, filters, lookup }: EmptySearch): string | undefined {
  const asksForMarks = parsed?.is !== undefined || filters.some(({ is }) => is)
  if (!asksForMarks || lookup.anyLinkChecked()) return undefined
  return 'No link was checked yet, so none is known as broken or moved. Check links first.'
}

function tagsNeverTogether({ inside, filters, countWithout }: EmptySearch): string | undefined {
  const tags = filters.flatMap(({ tags }) => tags ?? [])
  if (tags.length < 2) return undefined
  const found = countWithout({ tags: undefined, anyTag: tags }, { filters: inside.filter((filter) => !filter.tags) })
  if (found.total === 0) return undefined
  const either = tags.map((tag) => `tag:${/\s/.test(tag) ? `"${tag}"` : tag}`).join(' OR ')
  const count = `${found.total}${found.atLeast ? '+' : ''}`
  return `No bookmark has the tags ${listed(tags, 'and')} together; ${either} in search finds ${count}.`
}

/** Filters that are left out one by one to find which of them emptied the search. Each takes a search. */
const MAX_TRIES = 3

function emptiedByFilters({ parsed, beside, inside, filters, ...search }: EmptySearch): string | undefined {
  if (filterWords(filters).length === 0 && !parsed?.is) return undefined
  const { words, typing } = search
  const unfiltered = search.lookup.count({ ...ONE, words, typing }, parsed && { ...parsed, filters: [], is: undefined })
  if (unfiltered.total === 0) return undefined
  const tries = [
    ...Object.entries(beside)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ filter: { [name]: value }, changed: { [name]: undefined }, reparsed: {} })),
    ...inside.map((filter) => ({
      filter,
      changed: {},
      reparsed: { filters: inside.filter((other) => other !== filter) }
    })),
    ...(parsed?.is ? [{ filter: { is: parsed.is }, changed: {}, reparsed: { is: undefined } }] : [])
  ]
  const [only, second] = tries
  if (only && !second) return emptiedBy([only.filter], unfiltered)
  for (const { filter, changed, reparsed } of tries.slice(0, MAX_TRIES)) {
    const found = search.countWithout(changed, reparsed)
    if (found.total > 0) return emptiedBy([filter], found)
  }
  return emptiedBy([], unfiltered)
}

/** Says how many bookmarks match, such as “3 bookmarks match”. */
export function matches({
  total,
  atLeast,
  whole = true
}: Omit<Count, 'whole'> & Partial<Pick<Count, 'whole'>>): string {
  return `${total}${atLeast ? '+' : ''} ${total === 1 ? 'bookmark matches' : 'bookmarks match'}${whole ? '' : ' in part'}`
}

/** @param without what is found without such a filter */
function unknown(kind: 'tag' | 'domain', name: string, nearest: string | undefined, without: Count): string {
  const near = nearest === undefined ? '' : `; the nearest there is: “${nearest}”`
  const said = `No bookmark has the ${kind} “${name}”${near}.`
  return without.total === 0 ? said : `${said} Without it ${matches(without)}.`
}

/** @param filters the one that empties a search; none where only all together do */
function emptiedBy(filters: BookmarkFilter[], without: Count): string {
  const words = filterWords(filters)
  return words.length > 0
    ? `Nothing matches with ${words.join(', ')}; without it ${matches(without)}.`
    : `Nothing matches with these filters together; without them ${matches(without)}.`
}
