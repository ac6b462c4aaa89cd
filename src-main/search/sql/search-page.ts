import type { BookmarkFilter, BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValue } from '../../database/sql.ts'
import { readExclusion } from '../dialects.ts'
import { explainEmpty, explainHidden, type Lookup, matches, pastEnd } from '../empty-hint.ts'
import { FILTER_LIST } from '../filter-values.ts'
import { matchTerm } from '../match.ts'
import { parseQuery } from '../query.ts'
import { hasFilter, type ParsedQuery } from '../query-nodes.ts'
import { readRelativeDates, readTimePhrase } from '../time-phrase.ts'
import { planPermission } from './filter-plan.ts'
import { matchTitle } from './front-matches.ts'
import { mostUsedTags, nearestSite, nearestTags } from './nearest-names.ts'
import { type Answer, type Criteria, countAsTyped, criteriaOf, isFoundAsTyped, readCriteria, search } from './search.ts'
import { countMatches } from './word-matches.ts'

/** A page of what was found, as row ids, best first. */
export type FoundPage = Pick<Answer, 'ids' | 'total' | 'atLeast' | 'note' | 'relaxed' | 'words'>

/**
 * Returns a page of bookmarks found by words and filters. `note` says what was done, and of an empty page why it is.
 */
export function findResults(db: ReadConnection, caller: Caller, query: BookmarkQuery): FoundPage {
  const said = readSentence(db, caller, query)
  if (!said) return findPage(db, caller, query)
  const page = findPage(db, caller, { ...query, words: said.words })
  if (page.total > 0) return { ...page, note: joined(said.note, page.note), words: page.words ?? said.words }
  const other = said.rest === '' ? page : findPage(db, caller, { ...query, words: said.rest })
  const note = other.total > 0 ? said.sayNothing(other) : said.note
  return { ...other, note: joined(note, other.note), words: other.words ?? (said.rest || said.words) }
}

function joined(...notes: (string | undefined)[]): string {
  return notes.filter((note) => note !== undefined).join(' ')
}

function findPage(db: ReadConnection, caller: Caller, query: BookmarkQuery): FoundPage {
  const criteria = asMeant(db, readCriteria(db, caller, query))
  const page = pageOf(search(db, criteria), query)
  return { ...page, note: noteOf(db, criteria, page) }
}

/** A query whose sentence says when something was saved, or what it is not, as filters and excluded words. */
interface SentenceReading {
  words: string
  /** The query without that; empty where nothing else was asked. */
  rest: string
  note: string
  /** Returns a sentence that nothing was found, and how much is found without it. */
  sayNothing: (without: FoundPage) => string
}

/**
 * Reads “last month”, “but not the official one” and `last:7d` in the words of a query. They stay words if a title has them
 * as typed, or if only bookmarks with all the words as typed are found.
 */
function readSentence(db: ReadConnection, caller: Caller, query: BookmarkQuery): SentenceReading | undefined {
  if (query.words === undefined || query.now === undefined) return undefined
  const dated = readRelativeDates(query.words, query.now)
  const said = readTime(dated, query.now) ?? readExcluded(dated)
  const asDated =
    dated === query.words ? undefined : { words: dated, rest: '', note: `Read as ${dated}.`, sayNothing: () => '' }
  if (!said) return asDated
  const typed = readCriteria(db, caller, { ...query, words: dated })
  if (isTitle(db, typed, said.rest === '')) return asDated
  const isFound = (words: string) => isFoundAsTyped(db, readCriteria(db, caller, { ...query, words }))
  return !isFound(said.words) && isFoundAsTyped(db, typed) ? asDated : said
}

const IN_QUOTES = 'Put it in quotes to search for the words.'

function readTime(text: string, now: number): SentenceReading | undefined {
  const time = readTimePhrase(text, now)
  if (!time) return undefined
  const note = `“${time.typed}” was read as time: saved ${time.span}. ${IN_QUOTES}`
  const sayNothing = (without: FoundPage) =>
    `Nothing that was saved ${time.span} matches; without the time ${matches(without)}.`
  return { words: time.words, rest: time.rest, note, sayNothing }
}

function readExcluded(text: string): SentenceReading | undefined {
  const said = readExclusion(text)
  if (!said) return undefined
  const note = `“${said.typed}” was read as -${said.excluded}. ${IN_QUOTES}`
  const rest = said.words.slice(0, said.words.lastIndexOf(' -'))
  const sayNothing = (without: FoundPage) => `Nothing matches without “${said.excluded}”; with it ${matches(without)}.`
  return { words: said.words, rest, note, sayNothing }
}

/** @param whole whether the words must be all of a title */
function isTitle(db: ReadConnection, { query, plan }: Criteria, whole: boolean): boolean {
  const words = query.words ?? ''
  if (!plan) return false
  if (whole) return matchTitle(db, words, plan).length > 0
  const expression = matchTerm({ text: words, phrase: true, column: 'title' })
  return expression !== undefined && countMatches(db, expression, plan, 1) > 0
}

/**
 * If nothing matches a query as typed, reads it as it was probably meant: what only looks like a filter becomes one or is left
 * out, and a tag or a site that no bookmark has is replaced by the only one that is near.
 */
export function asMeant(db: ReadConnection, typed: Criteria): Criteria {
  const { caller, query, parsed } = typed
  if (!parsed || query.words === undefined) return typed
  const isNamed = ({ tags, domain, siteName }: BookmarkFilter) => (tags ?? domain ?? siteName) !== undefined
  if (parsed.unread.length === 0 && !parsed.filters.some(isNamed)) return typed
  if (isFoundAsTyped(db, typed)) return typed
  const read = parsed.unread.length > 0 ? parseQuery(query.words, true) : parsed
  const misread = [...read.misread]
  const filters = read.filters.map((filter) => {
    const near = isNamed(filter) ? nearFilter(db, caller, filter) : undefined
    if (near) misread.push(near.note)
    return near?.filter ?? filter
  })
  return criteriaOf(db, caller, query, { ...read, filters, misread })
}

/** Returns the only filter near one that no bookmark passes. */
function nearFilter(
  db: ReadConnection,
  caller: Caller,
  filter: BookmarkFilter
): { filter: BookmarkFilter; note: string } | undefined {
  const [tag] = filter.tags ?? []
  const site = filter.domain ?? filter.siteName
  if (listed(db, caller, filter).length > 0) return undefined
  if (tag !== undefined) {
    const [near, other] = nearestTags(db, caller, tag)
    if (near === undefined || other !== undefined) return undefined
    return { filter: { tags: [near] }, note: `No bookmark has the tag “${tag}”; searched for the tag “${near}”.` }
  }
  const near = site === undefined ? undefined : siteNear(db, caller, site)
  if (near === undefined || !near.isNamed) return undefined
  return { filter: { domain: near.site }, note: `No bookmark has the domain “${site}”; searched for “${near.site}”.` }
}

function listed(db: ReadConnection, caller: Caller, filter: BookmarkFilter): number[] {
  return search(db, criteriaOf(db, caller, { ...filter, page: 1, limit: 1 }, undefined)).ids
}

function siteNear(db: ReadConnection, caller: Caller, site: string) {
  return nearestSite(db, site, (named) => search(db, readCriteria(db, caller, named)))
}

function pageOf({ ids, total, atLeast, note, relaxed, words }: FoundPage, { page, limit }: BookmarkQuery): FoundPage {
  const start = (page - 1) * limit
  return { ids: ids.slice(start, start + limit), total, atLeast, note, relaxed, words }
}

/** Joins what was misread, what was searched for instead, and why the page is empty. */
function noteOf(
  db: ReadConnection,
  { caller, query, parsed }: Criteria,
  { ids, total, atLeast, note, relaxed }: FoundPage
): string | undefined {
  const lookup = lookupIn(db, caller)
  const parts = [...(parsed?.misread ?? [])]
  if (MY_TAGS.test(query.words ?? '')) parts.push(tagsInUse(db, caller))
  if (total === 0) {
    const empty = parsed && asksNothing(parsed) ? 'The search has no words.' : 'Nothing matches.'
    parts.push(explainEmpty(query, parsed, lookup) ?? emptyLibrary(db, caller) ?? note ?? empty)
  } else if (ids.length === 0) parts.push(pastEnd(query.page, query.limit, total, atLeast))
  else {
    const hidden = relaxed && parsed && explainHidden(query, parsed, relaxed.absent, lookup)
    if (hidden !== undefined) parts.push(hidden)
    if (note !== undefined) parts.push(note)
  }
  return parts.length === 0 ? undefined : withOneList([...new Set(parts)].join(' '))
}

/** Leaves the list of filters only at the end, if several filters are unknown. */
function withOneList(text: string): string {
  return text.includes(FILTER_LIST) ? `${text.replaceAll(` ${FILTER_LIST}`, '')} ${FILTER_LIST}` : text
}

/** A question for the tags themselves. */
const MY_TAGS = /^\s*(?:(?:list|show|what are)\s+)?(?:me\s+)?(?:(?:all|my|all my)\s+)?tags\s*\??\s*$/i

const MAX_TAGS = 20

function tagsInUse(db: ReadConnection, caller: Caller): string {
  const tags = mostUsedTags(db, caller, MAX_TAGS).map(({ name, held }) => `${name} (${held})`)
  return tags.length === 0 ? 'There are no tags yet.' : `The most used tags: ${tags.join(', ')}.`
}

function lookupIn(db: ReadConnection, caller: Caller): Lookup {
  const criteria = (query: BookmarkQuery, parsed: ParsedQuery | undefined) =>
    criteriaOf(db, caller, query, parsed && asksNothing(parsed) ? undefined : parsed)
  return {
    count: (query, parsed) => search(db, criteria(query, parsed)),
    countAsTyped: (query, parsed) => countAsTyped(db, criteria(query, parsed)),
    nearestTag: (tag) => nearestTags(db, caller, tag)[0],
    nearestSite: (site) => siteNear(db, caller, site)?.site,
    anyLinkChecked: () => anyLinkChecked(db, caller)
  }
}

function anyLinkChecked(db: ReadConnection, caller: Caller): boolean {
  const { condition, values } = planPermission(db, caller)
  const where = condition === '' ? '1' : condition
  const sql = `SELECT EXISTS (SELECT 1 FROM link_checks l JOIN bookmarks b ON b.id = l.bookmark_id WHERE ${where})`
  return readValue(db, sql, values) === 1
}

function asksNothing(parsed: ParsedQuery): boolean {
  return parsed.all.length === 0 && parsed.none.length === 0 && !hasFilter(parsed)
}

function emptyLibrary(db: ReadConnection, caller: Caller): string | undefined {
  if (search(db, readCriteria(db, caller, { page: 1, limit: 1 })).total > 0) return undefined
  return caller.owner === null ? 'There are no bookmarks yet.' : 'There are no bookmarks that this key may see.'
}
