import type { BookmarkFilter, BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValue } from '../../database/sql.ts'
import { readExclusion } from '../dialects.ts'
import { describeMatches, explainEmpty, explainHidden, type Lookup, pastEndHint } from '../empty-hint.ts'
import { FILTER_LIST } from '../filter-values.ts'
import { termExpression } from '../match.ts'
import { parseQuery } from '../query.ts'
import { hasFilter, type ParsedQuery } from '../query-nodes.ts'
import { readRelativeDates, readTimePhrase } from '../time-phrase.ts'
import { planPermission } from './filter-plan.ts'
import { mostUsedTags, nearestSite, nearestTags } from './nearest-names.ts'
import {
  type Criteria,
  countAsTyped,
  createCriteria,
  isFoundAsTyped,
  readCriteria,
  type SearchResult,
  search
} from './search.ts'
import { matchTitle } from './top-matches.ts'
import { countMatches } from './word-matches.ts'

/** A page of results as row ids, best first. */
export type ResultPage = Pick<SearchResult, 'ids' | 'total' | 'atLeast' | 'note' | 'relaxed' | 'words'>

/** Finds a page of bookmarks by words and filters. `note` is the hint: how the query was read, and why a page is empty. */
export function findResults(db: ReadConnection, caller: Caller, query: BookmarkQuery): ResultPage {
  const sentence = readSentence(db, caller, query)
  if (!sentence) return findPage(db, caller, query)
  const page = findPage(db, caller, { ...query, words: sentence.words })
  if (page.total > 0) return { ...page, note: joinNotes(sentence.note, page.note), words: page.words ?? sentence.words }
  const other = sentence.rest === '' ? page : findPage(db, caller, { ...query, words: sentence.rest })
  const note = other.total > 0 ? sentence.emptyNote(other) : sentence.note
  return { ...other, note: joinNotes(note, other.note), words: other.words ?? (sentence.rest || sentence.words) }
}

function joinNotes(...notes: (string | undefined)[]): string {
  return notes.filter((note) => note !== undefined).join(' ')
}

function findPage(db: ReadConnection, caller: Caller, query: BookmarkQuery): ResultPage {
  const criteria = correctCriteria(db, readCriteria(db, caller, query))
  const page = slicePage(search(db, criteria), query)
  return { ...page, note: createNote(db, criteria, page) }
}

/** A query with a time or an exclusion in words, such as “last month”, translated to filters and excluded words. */
interface SentenceReading {
  words: string
  /** The query without the time or exclusion; empty if it has no other words. */
  rest: string
  /** The sentence that explains the translation. */
  note: string
  /** Returns the sentence for an empty result. `without` is the result without the time or exclusion. */
  emptyNote: (without: ResultPage) => string
}

/**
 * Reads “last month”, “but not the official one” and `last:7d` in the words of a query. They remain words if a title has
 * them as typed, or if bookmarks are only found with all words as typed.
 */
function readSentence(db: ReadConnection, caller: Caller, query: BookmarkQuery): SentenceReading | undefined {
  if (query.words === undefined || query.now === undefined) return undefined
  const dated = readRelativeDates(query.words, query.now)
  const sentence = readTime(dated, query.now) ?? readExcluded(dated)
  const asDated =
    dated === query.words ? undefined : { words: dated, rest: '', note: `Read as ${dated}.`, emptyNote: () => '' }
  if (!sentence) return asDated
  const typed = readCriteria(db, caller, { ...query, words: dated })
  if (isTitle(db, typed, sentence.rest === '')) return asDated
  const isFound = (words: string) => isFoundAsTyped(db, readCriteria(db, caller, { ...query, words }))
  return !isFound(sentence.words) && isFoundAsTyped(db, typed) ? asDated : sentence
}

const IN_QUOTES = 'Put it in quotes to search for the words.'

function readTime(text: string, now: number): SentenceReading | undefined {
  const time = readTimePhrase(text, now)
  if (!time) return undefined
  const note = `“${time.typed}” was read as time: saved ${time.span}. ${IN_QUOTES}`
  const emptyNote = (without: ResultPage) =>
    `Nothing that was saved ${time.span} matches; without the time ${describeMatches(without)}.`
  return { words: time.words, rest: time.rest, note, emptyNote }
}

function readExcluded(text: string): SentenceReading | undefined {
  const exclusion = readExclusion(text)
  if (!exclusion) return undefined
  const { words, typed, excluded } = exclusion
  const note = `“${typed}” was read as -${excluded}. ${IN_QUOTES}`
  const rest = words.slice(0, words.lastIndexOf(' -'))
  const emptyNote = (without: ResultPage) =>
    `Nothing matches without “${excluded}”; with it ${describeMatches(without)}.`
  return { words, rest, note, emptyNote }
}

/**
 * Returns whether a title contains the typed words as a phrase.
 *
 * @param mustBeWholeTitle whether the title must have no other words
 */
function isTitle(db: ReadConnection, { query, plan }: Criteria, mustBeWholeTitle: boolean): boolean {
  const words = query.words ?? ''
  if (!plan) return false
  if (mustBeWholeTitle) return matchTitle(db, words, plan).length > 0
  const expression = termExpression({ text: words, phrase: true, column: 'title' })
  return expression !== undefined && countMatches(db, expression, plan, 1) > 0
}

/**
 * Corrects the filters of a query that matches nothing as typed. Unknown filters become the most likely ones or are left
 * out. A tag or a site that no bookmark has is replaced by a similar one, if there is only one.
 */
export function correctCriteria(db: ReadConnection, typed: Criteria): Criteria {
  const { caller, query, parsed } = typed
  if (!parsed || query.words === undefined) return typed
  const isNamed = ({ tags, domain, siteName }: BookmarkFilter) => (tags ?? domain ?? siteName) !== undefined
  if (parsed.invalidFilters.length === 0 && !parsed.filters.some(isNamed)) return typed
  if (isFoundAsTyped(db, typed)) return typed
  const reading = parsed.invalidFilters.length > 0 ? parseQuery(query.words, true) : parsed
  const misread = [...reading.misread]
  const filters = reading.filters.map((filter) => {
    const nearest = isNamed(filter) ? nearFilter(db, caller, filter) : undefined
    if (nearest) misread.push(nearest.note)
    return nearest?.filter ?? filter
  })
  return createCriteria(db, caller, query, { ...reading, filters, misread })
}

/** Returns the similar tag or site for a filter that no bookmark matches, if there is only one. */
function nearFilter(
  db: ReadConnection,
  caller: Caller,
  filter: BookmarkFilter
): { filter: BookmarkFilter; note: string } | undefined {
  const [tag] = filter.tags ?? []
  const site = filter.domain ?? filter.siteName
  if (hasMatch(db, caller, filter)) return undefined
  if (tag !== undefined) {
    const [nearest, other] = nearestTags(db, caller, tag)
    if (nearest === undefined || other !== undefined) return undefined
    return { filter: { tags: [nearest] }, note: `No bookmark has the tag “${tag}”; searched for the tag “${nearest}”.` }
  }
  const nearest = site === undefined ? undefined : siteNear(db, caller, site)
  if (nearest === undefined || !nearest.isNamed) return undefined
  return {
    filter: { domain: nearest.site },
    note: `No bookmark has the domain “${site}”; searched for “${nearest.site}”.`
  }
}

function hasMatch(db: ReadConnection, caller: Caller, filter: BookmarkFilter): boolean {
  return search(db, createCriteria(db, caller, { ...filter, page: 1, limit: 1 }, undefined)).total > 0
}

function siteNear(db: ReadConnection, caller: Caller, site: string) {
  return nearestSite(db, site, (named) => search(db, readCriteria(db, caller, named)))
}

function slicePage(
  { ids, total, atLeast, note, relaxed, words }: ResultPage,
  { page, limit }: BookmarkQuery
): ResultPage {
  const start = (page - 1) * limit
  return { ids: ids.slice(start, start + limit), total, atLeast, note, relaxed, words }
}

/** Writes the hint: parts that were read differently, words that were replaced, and why the page is empty. */
function createNote(
  db: ReadConnection,
  { caller, query, parsed }: Criteria,
  { ids, total, atLeast, note, relaxed }: ResultPage
): string | undefined {
  const lookup = lookupIn(db, caller)
  const parts = [...(parsed?.misread ?? [])]
  if (MY_TAGS.test(query.words ?? '')) parts.push(tagsInUse(db, caller))
  if (total === 0) {
    const empty = parsed && isEmptyQuery(parsed) ? 'The search has no words.' : 'Nothing matches.'
    parts.push(explainEmpty(query, parsed, lookup) ?? emptyLibrary(db, caller) ?? note ?? empty)
  } else if (ids.length === 0) parts.push(pastEndHint(query.page, query.limit, total, atLeast))
  else {
    const hidden = relaxed && parsed && explainHidden(query, parsed, relaxed.absent, lookup)
    if (hidden !== undefined) parts.push(hidden)
    if (note !== undefined) parts.push(note)
  }
  return parts.length === 0 ? undefined : withOneList([...new Set(parts)].join(' '))
}

/** If several filters are unknown, lists the known filters only once, at the end. */
function withOneList(text: string): string {
  return text.includes(FILTER_LIST) ? `${text.replaceAll(` ${FILTER_LIST}`, '')} ${FILTER_LIST}` : text
}

/** A query about the tags themselves, such as “my tags”. */
const MY_TAGS = /^\s*(?:(?:list|show|what are)\s+)?(?:me\s+)?(?:(?:all|my|all my)\s+)?tags\s*\??\s*$/i

const MAX_TAGS = 20

function tagsInUse(db: ReadConnection, caller: Caller): string {
  const tags = mostUsedTags(db, caller, MAX_TAGS).map(({ name, bookmarks }) => `${name} (${bookmarks})`)
  return tags.length === 0 ? 'There are no tags yet.' : `The most used tags: ${tags.join(', ')}.`
}

function lookupIn(db: ReadConnection, caller: Caller): Lookup {
  const criteria = (query: BookmarkQuery, parsed: ParsedQuery | undefined) =>
    createCriteria(db, caller, query, parsed && isEmptyQuery(parsed) ? undefined : parsed)
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

function isEmptyQuery(parsed: ParsedQuery): boolean {
  return parsed.all.length === 0 && parsed.excludedTerms.length === 0 && !hasFilter(parsed)
}

function emptyLibrary(db: ReadConnection, caller: Caller): string | undefined {
  if (search(db, readCriteria(db, caller, { page: 1, limit: 1 })).total > 0) return undefined
  return caller.owner === null ? 'There are no bookmarks yet.' : 'There are no bookmarks that this key may see.'
}
