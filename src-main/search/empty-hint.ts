import type { BookmarkQuery } from '../contract/bookmark.ts'
import { listInQuotes } from './hint.ts'
import { formatFilter, listObstacles, type Obstacle, type RequestedName, type Search } from './obstacles.ts'
import type { ParsedQuery } from './query-nodes.ts'

/** Explains why a page after the last one is empty. */
export function pastEndHint(page: number, limit: number, total: number, atLeast: boolean): string {
  if (atLeast) return `Page ${page} is further than a search goes: narrow the search by more words or a filter.`
  const pages = Math.ceil(total / limit)
  return `Page ${page} is past the end: there ${pages === 1 ? 'is one page' : `are ${pages} pages`}.`
}

/** The page of a search that only counts. */
const ONE_RESULT = { page: 1, limit: 1 }

/** How many bookmarks a search finds. */
export interface Count {
  total: number
  atLeast: boolean
  /** Whether the first result has every word. */
  hasAllWords: boolean
  /** How many results have every word in some form; only given if the search also included bookmarks without some words. */
  inSomeForm?: number | undefined
}

/** Searches that the hints need, limited to bookmarks that the caller may see. */
export interface Lookup {
  count(query: BookmarkQuery, parsed: ParsedQuery | undefined): Count
  /** Counts only bookmarks with all words as typed, which is faster. */
  countAsTyped(query: BookmarkQuery, parsed: ParsedQuery | undefined): Count
  nearestTag(tag: string): string | undefined
  nearestSite(site: string): string | undefined
  /** Whether any link that the caller may see was ever checked. */
  anyLinkChecked(): boolean
}

/**
 * Explains which filters or excluded words cause an empty result, and how many bookmarks match without them.
 *
 * @returns `undefined` if there are none, or nothing matches without them either
 */
export function explainEmpty(
  query: BookmarkQuery,
  parsed: ParsedQuery | undefined,
  lookup: Lookup
): string | undefined {
  const search = { query, parsed }
  const obstacles = listObstacles(search)
  const cause = findCause(search, obstacles, lookup)
  const involved = cause?.obstacles ?? obstacles
  const sentences = explainNames(search, involved, lookup)
  const tags = explainTags(search, involved, lookup)
  if (tags !== undefined) sentences.push(tags)
  if (cause) {
    const isOne = cause.obstacles.length === 1
    const names = listNames(cause.obstacles)
    const matches = describeMatches(cause.count)
    if (sentences.length > 0) sentences.push(`Without ${isOne && tags === undefined ? 'it' : names} ${matches}.`)
    else sentences.push(`Nothing matches with ${names}; without ${isOne ? 'it' : 'them'} ${matches}.`)
  }
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** A word that more bookmarks have is not named in a hint, because it is not specific. */
const MAX_OF_WORD = 100

/**
 * Explains which filters or excluded words hide bookmarks with all words, or bookmarks with an absent word.
 *
 * @param absent the words that no result has
 */
export function explainHidden(
  query: BookmarkQuery,
  parsed: ParsedQuery,
  absent: string[],
  lookup: Lookup
): string | undefined {
  const find = (parsed: ParsedQuery) => {
    const search = { query, parsed }
    return findSmallest(listObstacles(search), (removed) => countWithout(search, removed, lookup.countAsTyped))
  }
  const cause = find(parsed)
  if (cause) return describeHidden(cause, 'all words')
  const obstacles = absent.length === 0 ? [] : listObstacles({ query, parsed })
  for (const obstacle of obstacles.length > MAX_SEARCHED ? [] : obstacles) {
    const { inSomeForm: total = 0 } = countWithout({ query, parsed }, [obstacle], lookup.count)
    const count = { total, atLeast: false, hasAllWords: true }
    if (total > 0) return describeHidden({ obstacles: [obstacle], count }, 'all words, in other forms')
  }
  const [rarest] = absent
    .map((word) => ({ word, cause: find({ ...parsed, all: [[{ text: word, phrase: false }]] }) }))
    .flatMap(({ word, cause }) => (cause && cause.count.total <= MAX_OF_WORD ? [{ word, cause }] : []))
    .sort((a, b) => a.cause.count.total - b.cause.count.total)
  return rarest && describeHidden(rarest.cause, `“${rarest.word}”`)
}

function describeHidden({ obstacles, count: { total, atLeast } }: Cause, words: string): string {
  const has = total === 1 ? 'bookmark has' : 'bookmarks have'
  return `Without ${listNames(obstacles)} ${total}${atLeast ? '+' : ''} ${has} ${words}.`
}

/** Obstacles that hide bookmarks, and how many match without them. */
interface Cause {
  obstacles: Obstacle[]
  count: Count
}

/** With more obstacles, they are only removed all together, because each attempt is a search. */
const MAX_TRIED = 5

/** The same maximum for searches of other forms of the words, which take ten times as long. */
const MAX_SEARCHED = 3

/**
 * Finds the fewest obstacles without which bookmarks match: preferably with all words as typed, then with other forms,
 * then with some of the words.
 */
function findCause(search: Search, obstacles: Obstacle[], lookup: Lookup): Cause | undefined {
  if (obstacles.length === 0) return undefined
  const asTyped = findSmallest(obstacles, (removed) => countWithout(search, removed, lookup.countAsTyped))
  if (asTyped) return asTyped
  const causes = (obstacles.length > MAX_SEARCHED ? [] : obstacles)
    .map((obstacle) => ({ obstacles: [obstacle], count: countWithout(search, [obstacle], lookup.count) }))
    .filter(({ count }) => count.total > 0)
  const withAllWords = causes.find(({ count }) => count.hasAllWords)
  if (withAllWords) return withAllWords
  const count = countWithout(search, obstacles, lookup.count)
  if (count.total === 0) return undefined
  return count.hasAllWords ? { obstacles, count } : (causes[0] ?? { obstacles, count })
}

/** Returns a single obstacle without which bookmarks match, or else a small set that must be removed together. */
function findSmallest(obstacles: Obstacle[], countIfRemoved: (obstacles: Obstacle[]) => Count): Cause | undefined {
  const tried = obstacles.length > MAX_TRIED ? [] : obstacles
  for (const obstacle of tried) {
    const count = countIfRemoved([obstacle])
    if (count.total > 0) return { obstacles: [obstacle], count }
  }
  if (obstacles.length < 2 || countIfRemoved(obstacles).total === 0) return undefined
  let needed = obstacles
  for (const obstacle of tried) {
    const fewer = needed.filter((other) => other !== obstacle)
    if (fewer.length > 0 && countIfRemoved(fewer).total > 0) needed = fewer
  }
  return { obstacles: needed, count: countIfRemoved(needed) }
}

function countWithout(search: Search, obstacles: Obstacle[], count: Lookup['count']): Count {
  const { query, parsed } = obstacles.reduce((rest, { remove }) => remove(rest), search)
  return count({ ...query, ...ONE_RESULT }, parsed)
}

/** Explains obstacles that match no bookmark at all: unchecked links, and tags and sites that no bookmark has. */
function explainNames(search: Search, involved: Obstacle[], lookup: Lookup): string[] {
  const isUnchecked = involved.some(({ name }) => /is:(?:broken|moved)/.test(name)) && !lookup.anyLinkChecked()
  const sentences = isUnchecked ? ['No link was checked yet, so none is known as broken or moved.'] : []
  const nearestOf = ({ kind, name }: RequestedName) =>
    kind === 'tag' ? lookup.nearestTag(name) : lookup.nearestSite(name)
  const unknown = involved.flatMap(({ requested }) => {
    if (!requested || lookup.count({ ...ONE_RESULT, ...requested.filter }, undefined).total > 0) return []
    return { requested, nearest: nearestOf(requested) }
  })
  const near = unknown.flatMap(({ requested, nearest }) => (nearest === undefined ? [] : { requested, nearest }))
  const { query, parsed } = near.reduce((rest, { requested, nearest }) => requested.replace(rest, nearest), search)
  const count = near.length === 0 ? undefined : lookup.count({ ...query, ...ONE_RESULT }, parsed)
  // The nearest names are only suggested if a search for them finds bookmarks with all words.
  const isHelpful = count !== undefined && count.total > 0 && count.hasAllWords
  for (const { requested, nearest } of unknown) {
    const fault = `No bookmark has the ${requested.kind} “${requested.name}”`
    const help = `; the nearest ${requested.kind} is “${nearest}”`
    if (!isHelpful || nearest === undefined) sentences.push(`${fault}.`)
    else if (near.length === 1) sentences.push(`${fault}${help}, with which ${describeMatches(count)}.`)
    else sentences.push(`${fault}${help}.`)
  }
  if (isHelpful && near.length > 1) sentences.push(`With these ${describeMatches(count)}.`)
  return sentences
}

/** Explains that no bookmark has all of the tags, and how many have one of them. */
function explainTags({ query, parsed }: Search, involved: Obstacle[], lookup: Lookup): string | undefined {
  const parsedFilters = parsed?.filters ?? []
  const tags = [query, ...parsedFilters].flatMap(({ tags }) => tags ?? [])
  if (tags.length < 2 || !involved.every(({ requested }) => requested?.kind === 'tag')) return undefined
  if (lookup.count({ ...ONE_RESULT, tags }, undefined).total > 0) return undefined
  const filters = parsedFilters.filter((filter) => !filter.tags)
  const anyTagQuery = { ...query, ...ONE_RESULT, tags: undefined, anyTag: tags }
  const count = lookup.count(anyTagQuery, parsed && { ...parsed, filters })
  if (count.total === 0 || !count.hasAllWords) return undefined
  const either = tags.map((tag) => formatFilter({ tags: [tag] })).join(' OR ')
  const how =
    query.tags && query.tags.length > 0
      ? `search for “${query.words ? `${query.words} (${either})` : either}” without tags beside it`
      : `search for ${either}`
  return `No bookmark has the tags ${listInQuotes(tags, 'and')} together; ${how}: ${describeMatches(count)}.`
}

function listNames(obstacles: Obstacle[]): string {
  const names = obstacles.map(({ name }) => name)
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Returns “3 bookmarks match”, or “3 bookmarks match in part” if the first result lacks words. */
export function describeMatches({
  total,
  atLeast,
  hasAllWords = true
}: Omit<Count, 'hasAllWords'> & Partial<Pick<Count, 'hasAllWords'>>): string {
  return `${total}${atLeast ? '+' : ''} ${total === 1 ? 'bookmark matches' : 'bookmarks match'}${hasAllWords ? '' : ' in part'}`
}
