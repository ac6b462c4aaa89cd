import { type AskedFilter, type BookmarkQuery, LIMITS } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { siteOf } from '../../core/address.ts'
import { foldName } from '../../core/fold-name.ts'
import type { ReadConnection } from '../../store/connection.ts'
import { filterToken } from '../filter-tokens.ts'
import { filterWords, leftOut, unknownSite, unknownTag, withFilterWords } from '../hint.ts'
import { type ParsedQuery, parseQuery } from '../query.ts'
import { oneLetterAway } from '../spelling.ts'
import { wordForms } from '../word-forms.ts'

/** What a search would find, the first of it by their row ids; `whole` says whether every word is in it. */
interface Count {
  ids: number[]
  total: number
  atLeast: boolean
  whole: boolean
}

/** Filters that are tried one by one. */
const MOST_TRIED = 6

/** No tag is longer, in UTF-16 code units. */
const LONGEST_TAG = LIMITS.tag

/** Tags with the same beginning that are looked at. */
const MOST_NEAR = 100

/** Bookmarks of an organization whose tags are looked at, the newest first. */
const MOST_LOOKED_AT = 2000

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
  const nearestTag = nearestTags(db)
  const nearestSite = nearestSites(db, count)

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
      return unknownSite(site, nearestSite(caller, site), without)
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

/**
 * Finds the nearest tag that the caller may see a bookmark of, folded: its spelling may be somebody else's. Looks at a
 * limited number of tags, and only at those of bookmarks that the caller may see: what others have must not even cost time.
 */
function nearestTags(db: ReadConnection) {
  const ofLibrary = db.prepare<[object], NearTag>(
    `SELECT t.folded AS name, c.bookmarks AS held FROM (
       SELECT id, folded FROM tags WHERE folded IN (SELECT value FROM json_each(@near))
       UNION SELECT * FROM (SELECT id, folded FROM tags WHERE folded >= @folded AND folded < @end
         AND length(@folded) >= ${SHORTEST_BEGINNING} LIMIT ${MOST_NEAR})
     ) t JOIN filter_counts c ON c.filter = @mark || t.id`
  )
  const ofOrganization = db.prepare<[object], NearTag>(
    `SELECT t.folded AS name, count(*) AS held
     FROM (SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH @visible ORDER BY rowid DESC LIMIT ${MOST_LOOKED_AT}) b
       JOIN bookmark_tags bt ON bt.bookmark_id = b.rowid JOIN tags t ON t.id = bt.tag_id
     WHERE t.folded IN (SELECT value FROM json_each(@near))
       OR (t.folded >= @folded AND t.folded < @end AND length(@folded) >= ${SHORTEST_BEGINNING})
     GROUP BY t.id`
  )
  return (caller: Caller, tag: string): string | undefined => {
    const folded = foldName(tag)
    if (folded.length > LONGEST_TAG) return undefined
    const near = JSON.stringify([...oneLetterAway(folded), ...wordForms(folded), ...otherwiseJoined(folded)])
    const asked = { near, folded, end: `${folded}\uffff` }
    const found =
      caller.owner === null
        ? ofLibrary.all({ ...asked, mark: filterToken.anyTag })
        : ofOrganization.all({ ...asked, visible: visibleTo(caller.owner) })
    return found
      .filter(({ held }) => held > 0)
      .sort((a, b) => b.held - a.held || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))[0]?.name
  }
}

/** `to-read` as `to read`, `to_read` and `toread`. */
function otherwiseJoined(tag: string): string[] {
  const words = tag.split(/[ _.-]+/)
  return words.length < 2 ? [] : [' ', '-', '_', '.', ''].map((between) => words.join(between))
}

/** Bookmarks that are looked at for the site that was meant. */
const MOST_OF_SITE = 20

/**
 * Finds the site that was meant by a part of its name, or by what its pages are called: that of most of the first
 * bookmarks that the caller finds by the name as a word.
 */
function nearestSites(db: ReadConnection, count: CountAs) {
  const domainsOf = db
    .prepare<[string], string>(
      'SELECT domain FROM bookmarks WHERE id IN (SELECT value FROM json_each(?)) AND domain IS NOT NULL'
    )
    .pluck()
  return (caller: Caller, asked: string): string | undefined => {
    const labels = siteOf(asked).split('.')
    const name = labels.length > 1 ? (labels.at(-2) ?? '') : (labels[0] ?? '')
    if (!/^[\p{L}\p{N}-]+$/u.test(name)) return undefined
    const query = { page: 1, limit: MOST_OF_SITE, words: `"${name}"` }
    const sites = new Map<string, number>()
    for (const domain of domainsOf.all(JSON.stringify(count(caller, query, parseQuery(query.words)).ids))) {
      const parts = domain.split('.')
      const at = parts.indexOf(name)
      const isNamed = at >= 0 && at < parts.length - 1
      const site = isNamed ? parts.slice(at).join('.') : domain
      // A site of that name comes before any that only has pages about it.
      sites.set(site, (sites.get(site) ?? 0) + (isNamed ? MOST_OF_SITE : 1))
    }
    return [...sites].sort(([, one], [, other]) => other - one)[0]?.[0]
  }
}

interface NearTag {
  name: string
  /** How many bookmarks have it. */
  held: number
}

/** What an organization's key may see, as a full-text expression. */
function visibleTo(organization: number): string {
  return `filters : ("${filterToken.organization(organization)}" OR "${filterToken.visibility('public')}")`
}
