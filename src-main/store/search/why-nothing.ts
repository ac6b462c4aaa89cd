import { type AskedFilter, type BookmarkQuery, LIMITS } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { foldName } from '../../core/fold-name.ts'
import type { ParsedQuery } from '../../core/parse-query.ts'
import { filterWords, leftOut, unknownSite, unknownTag, withFilterWords } from '../../core/search-hint.ts'
import { oneLetterAway } from '../../core/spelling.ts'
import { wordForms } from '../../core/word-forms.ts'
import type { ReadConnection } from '../connection.ts'
import { statements } from '../statements.ts'

/** What a search would find; `whole` says whether every word is in it. */
interface Count {
  total: number
  atLeast: boolean
  whole: boolean
}

/** Filters that are tried one by one. */
const MOST_TRIED = 6

/** No tag is longer, in UTF-16 code units. */
const LONGEST_TAG = LIMITS.tag

/** A shorter beginning is that of too many tags, in letters. */
const SHORTEST_BEGINNING = 3

type CountAs = (caller: Caller, query: BookmarkQuery, parsed: ParsedQuery | undefined) => Count

/** The least there is to ask for. */
const one = { page: 1, limit: 1 }

/**
 * Says what emptied a search: a tag or a site nobody has, and the nearest tag there is; the one filter without which something is
 * found; or all of them together.
 */
export function whyNothing(db: ReadConnection, count: CountAs) {
  const nearestTag = nearestTags(db, count)

  const isUnknown = (caller: Caller, filter: AskedFilter) => count(caller, { ...one, ...filter }, undefined).total === 0

  return (caller: Caller, query: BookmarkQuery, parsed: ParsedQuery | undefined): string | undefined => {
    const { words, typing, page: _, limit: __, ...outside } = query
    const inside = parsed?.filters ?? []
    if (parsed && parsed.none.length + parsed.without.length > 0) {
      const found = count(caller, { ...query, ...one }, { ...parsed, none: [], without: [] })
      if (found.total > 0 && found.whole) return leftOut(found)
    }
    if (filterWords([outside, ...inside]).length === 0 && !parsed?.is) return undefined
    const asked = [outside, ...inside]
    const unknown = asked.flatMap(({ tags }) => tags ?? []).find((tag) => isUnknown(caller, { tags: [tag] }))
    if (unknown !== undefined) {
      const untagged = inside.filter(({ tags }) => tags === undefined)
      const without = count(caller, { ...query, ...one, tags: undefined }, parsed && { ...parsed, filters: untagged })
      return unknownTag(unknown, nearestTag(caller, unknown), without)
    }
    const site = asked.flatMap(({ domain }) => domain ?? []).find((domain) => isUnknown(caller, { domain }))
    if (site !== undefined) {
      const anywhere = inside.filter(({ domain }) => domain === undefined)
      const without = count(caller, { ...query, ...one, domain: undefined }, parsed && { ...parsed, filters: anywhere })
      return unknownSite(site, without)
    }
    for (const [name, value] of Object.entries(outside) as [keyof AskedFilter, never][]) {
      if (value === undefined) continue
      const found = count(caller, { ...query, ...one, [name]: undefined }, parsed)
      if (found.total > 0) return withFilterWords(filterWords([{ [name]: value }]), found)
    }
    for (const filter of inside.slice(0, MOST_TRIED)) {
      const found = count(
        caller,
        { ...query, ...one },
        parsed && { ...parsed, filters: inside.filter((other) => other !== filter) }
      )
      if (found.total > 0) return withFilterWords(filterWords([filter]), found)
    }
    if (parsed?.is) {
      const found = count(caller, { ...query, ...one }, { ...parsed, is: undefined })
      if (found.total > 0) return withFilterWords(filterWords([{ is: parsed.is }]), found)
    }
    const found = count(caller, { ...one, words, typing }, parsed && { ...parsed, filters: [], is: undefined })
    return found.total > 0 ? withFilterWords([], found) : undefined
  }
}

/** Finds the nearest tag that the caller may see a bookmark of, folded: its spelling may be somebody else's. */
function nearestTags(db: ReadConnection, count: CountAs) {
  const prepared = statements(db)
  return (caller: Caller, tag: string): string | undefined => {
    const folded = foldName(tag)
    if (folded.length > LONGEST_TAG) return undefined
    const near = JSON.stringify([...oneLetterAway(folded), ...wordForms(folded)])
    const names = prepared(
      `SELECT folded FROM tags WHERE folded IN (SELECT value FROM json_each(@near))
       UNION SELECT folded FROM tags WHERE folded >= @folded AND folded < @end
         AND length(@folded) >= ${SHORTEST_BEGINNING}`
    )
      .pluck()
      .all({ near, folded, end: `${folded}\uffff` }) as string[]
    return names
      .map((name) => ({ name, held: count(caller, { ...one, tags: [name] }, undefined).total }))
      .filter(({ held }) => held > 0)
      .sort((a, b) => b.held - a.held || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))[0]?.name
  }
}
