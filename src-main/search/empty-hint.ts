import type { BookmarkQuery } from '../contract/bookmark.ts'
import { listed } from './hint.ts'
import { type Obstacle, obstaclesOf, type Search, written } from './obstacles.ts'
import type { ParsedQuery } from './query-nodes.ts'

/** Says that a page lies behind the last. */
export function pastEnd(page: number, limit: number, total: number, atLeast: boolean): string {
  if (atLeast) return `Page ${page} is further than a search goes: narrow the search by more words or a filter.`
  const pages = Math.ceil(total / limit)
  return `Page ${page} is past the end: there ${pages === 1 ? 'is one page' : `are ${pages} pages`}.`
}

/** A search that only counts reads one bookmark. */
const ONE = { page: 1, limit: 1 }

/** How many bookmarks a search finds; `whole` if the first of them holds every word. */
export interface Count {
  total: number
  atLeast: boolean
  whole: boolean
  /** How many of them hold every word in some form, if fewer were found than are shown. */
  inSomeForm?: number | undefined
}

/** Look-ups in the library, all of them among bookmarks that the caller may see. */
export interface Lookup {
  count(query: BookmarkQuery, parsed: ParsedQuery | undefined): Count
  /** Counts only the bookmarks that hold all words as typed, which is quicker. */
  countAsTyped(query: BookmarkQuery, parsed: ParsedQuery | undefined): Count
  nearestTag(tag: string): string | undefined
  nearestSite(site: string): string | undefined
  /** Whether a link that the caller may see was ever checked. */
  anyLinkChecked(): boolean
}

/**
 * Says which filters or excluded words emptied a search, and how much is found without them.
 *
 * @returns `undefined` if it has none, or nothing is found without them
 */
export function explainEmpty(
  query: BookmarkQuery,
  parsed: ParsedQuery | undefined,
  lookup: Lookup
): string | undefined {
  const search = { query, parsed }
  const obstacles = obstaclesOf(search)
  const blamed = findBlamed(search, obstacles, lookup)
  const involved = blamed?.obstacles ?? obstacles
  const sentences = faultsOf(search, involved, lookup)
  const tags = tagsApart(search, involved, lookup)
  if (tags !== undefined) sentences.push(tags)
  if (blamed) {
    const isOne = blamed.obstacles.length === 1
    const names = listedNames(blamed.obstacles)
    const found = matches(blamed.found)
    if (sentences.length > 0) sentences.push(`Without ${isOne && tags === undefined ? 'it' : names} ${found}.`)
    else sentences.push(`Nothing matches with ${names}; without ${isOne ? 'it' : 'them'} ${found}.`)
  }
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** Maximum number of bookmarks with a word that is named, because of more the word finds too many. */
const MAX_OF_WORD = 100

/**
 * Says which filters or excluded words hide the bookmarks with all words, or those with a word that none of the shown ones
 * has.
 *
 * @param absent the words that none of them has
 */
export function explainHidden(
  query: BookmarkQuery,
  parsed: ParsedQuery,
  absent: string[],
  lookup: Lookup
): string | undefined {
  const find = (parsed: ParsedQuery) => {
    const search = { query, parsed }
    return findSmallest(obstaclesOf(search), (some) => countWithout(search, some, lookup.countAsTyped))
  }
  const whole = find(parsed)
  if (whole) return hidden(whole, 'all words')
  const obstacles = absent.length === 0 ? [] : obstaclesOf({ query, parsed })
  for (const obstacle of obstacles.length > MAX_SEARCHED ? [] : obstacles) {
    const { inSomeForm: total = 0 } = countWithout({ query, parsed }, [obstacle], lookup.count)
    const found = { total, atLeast: false, whole: true }
    if (total > 0) return hidden({ obstacles: [obstacle], found }, 'all words, in other forms')
  }
  const [rarest] = absent
    .map((word) => ({ word, blamed: find({ ...parsed, all: [[{ text: word, phrase: false }]] }) }))
    .flatMap(({ word, blamed }) => (blamed && blamed.found.total <= MAX_OF_WORD ? [{ word, blamed }] : []))
    .sort((a, b) => a.blamed.found.total - b.blamed.found.total)
  return rarest && hidden(rarest.blamed, `“${rarest.word}”`)
}

function hidden({ obstacles, found: { total, atLeast } }: Blamed, what: string): string {
  const has = total === 1 ? 'bookmark has' : 'bookmarks have'
  return `Without ${listedNames(obstacles)} ${total}${atLeast ? '+' : ''} ${has} ${what}.`
}

interface Blamed {
  obstacles: Obstacle[]
  found: Count
}

/** Of more obstacles, only all of them together are left out, because each attempt is a search. */
const MAX_TRIED = 5

/** The same for searches of other forms of the words, which take ten times as long. */
const MAX_SEARCHED = 3

/** Finds the fewest obstacles without which something is found: all words as typed, else other forms, else a part. */
function findBlamed(search: Search, obstacles: Obstacle[], { count, countAsTyped }: Lookup): Blamed | undefined {
  if (obstacles.length === 0) return undefined
  const asTyped = findSmallest(obstacles, (some) => countWithout(search, some, countAsTyped))
  if (asTyped) return asTyped
  const alone = (obstacles.length > MAX_SEARCHED ? [] : obstacles)
    .map((obstacle) => ({ obstacles: [obstacle], found: countWithout(search, [obstacle], count) }))
    .filter(({ found }) => found.total > 0)
  const whole = alone.find(({ found }) => found.whole)
  if (whole) return whole
  const found = countWithout(search, obstacles, count)
  if (found.total === 0) return undefined
  return found.whole ? { obstacles, found } : (alone[0] ?? { obstacles, found })
}

/** Returns the one obstacle without which something is found, or else the fewest that have to go together. */
function findSmallest(obstacles: Obstacle[], count: (without: Obstacle[]) => Count): Blamed | undefined {
  for (const obstacle of triedAlone(obstacles)) {
    const found = count([obstacle])
    if (found.total > 0) return { obstacles: [obstacle], found }
  }
  if (obstacles.length < 2 || count(obstacles).total === 0) return undefined
  let needed = obstacles
  for (const obstacle of triedAlone(obstacles)) {
    const fewer = needed.filter((one) => one !== obstacle)
    if (fewer.length > 0 && count(fewer).total > 0) needed = fewer
  }
  return { obstacles: needed, found: count(needed) }
}

function triedAlone(obstacles: Obstacle[]): Obstacle[] {
  return obstacles.length > MAX_TRIED ? [] : obstacles
}

function countWithout(search: Search, obstacles: Obstacle[], count: Lookup['count']): Count {
  const { query, parsed } = obstacles.reduce((rest, { remove }) => remove(rest), search)
  return count({ ...query, ...ONE }, parsed)
}

/** Says what is wrong with obstacles by themselves: links that were never checked, tags and sites that no bookmark has. */
function faultsOf(search: Search, involved: Obstacle[], lookup: Lookup): string[] {
  const isUnchecked = involved.some(({ name }) => /is:(?:broken|moved)/.test(name)) && !lookup.anyLinkChecked()
  const faults = isUnchecked ? ['No link was checked yet, so none is known as broken or moved.'] : []
  const unknown = involved.flatMap(({ asked }) => {
    if (!asked || lookup.count({ ...ONE, ...asked.filter }, undefined).total > 0) return []
    return { asked, nearest: asked.kind === 'tag' ? lookup.nearestTag(asked.name) : lookup.nearestSite(asked.name) }
  })
  const near = unknown.flatMap(({ asked, nearest }) => (nearest === undefined ? [] : { asked, nearest }))
  const { query, parsed } = near.reduce((rest, { asked, nearest }) => asked.replace(rest, nearest), search)
  const found = near.length === 0 ? undefined : lookup.count({ ...query, ...ONE }, parsed)
  // Names that lead nowhere are no help.
  const isHelp = found !== undefined && found.total > 0 && found.whole
  for (const { asked, nearest } of unknown) {
    const fault = `No bookmark has the ${asked.kind} “${asked.name}”`
    const help = `; the nearest ${asked.kind} is “${nearest}”`
    if (!isHelp || nearest === undefined) faults.push(`${fault}.`)
    else faults.push(near.length === 1 ? `${fault}${help}, with which ${matches(found)}.` : `${fault}${help}.`)
  }
  if (isHelp && near.length > 1) faults.push(`With these ${matches(found)}.`)
  return faults
}

/** Says that tags are on no bookmark together, and what is found with one of them. */
function tagsApart({ query, parsed }: Search, involved: Obstacle[], lookup: Lookup): string | undefined {
  const inside = parsed?.filters ?? []
  const tags = [query, ...inside].flatMap(({ tags }) => tags ?? [])
  if (tags.length < 2 || !involved.every(({ asked }) => asked?.kind === 'tag')) return undefined
  if (lookup.count({ ...ONE, tags }, undefined).total > 0) return undefined
  const filters = inside.filter((filter) => !filter.tags)
  const found = lookup.count({ ...query, ...ONE, tags: undefined, anyTag: tags }, parsed && { ...parsed, filters })
  if (found.total === 0 || !found.whole) return undefined
  const either = tags.map((tag) => written({ tags: [tag] })).join(' OR ')
  const how =
    query.tags && query.tags.length > 0
      ? `search for “${query.words ? `${query.words} (${either})` : either}” without tags beside it`
      : `search for ${either}`
  return `No bookmark has the tags ${listed(tags, 'and')} together; ${how}: ${matches(found)}.`
}

function listedNames(obstacles: Obstacle[]): string {
  const names = obstacles.map(({ name }) => name)
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Says how many bookmarks match, such as “3 bookmarks match”. */
export function matches({
  total,
  atLeast,
  whole = true
}: Omit<Count, 'whole'> & Partial<Pick<Count, 'whole'>>): string {
  return `${total}${atLeast ? '+' : ''} ${total === 1 ? 'bookmark matches' : 'bookmarks match'}${whole ? '' : ' in part'}`
}
