import type { BookmarkQuery, Relaxed } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { memoize } from '../../core/memoize.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { contentGroups, groupBits } from '../groups.ts'
import { relaxedHint } from '../hint.ts'
import { createMatch, exclusionExpression, type Match } from '../match.ts'
import { describeFilters } from '../obstacles.ts'
import { matchesEverything, parseQuery } from '../query.ts'
import { filtersOf, hasFilter, type ParsedQuery, positiveTerms, type QueryNode } from '../query-nodes.ts'
import { fixKeyboardLayout } from '../spelling.ts'
import type { Vocabulary } from '../wordings.ts'
import { countVisible, type FilterPlan, planQuery } from './filter-plan.ts'
import { MAX_RARE, matchRelaxed, relaxQuery, strictExpressions } from './relaxed-matches.ts'
import { findTopMatches, type TopMatches } from './top-matches.ts'
import { createVocabulary } from './vocabulary.ts'
import {
  countMatches,
  isCutShort,
  listRows,
  type Matches,
  matchByDate,
  matchRows,
  matchWords,
  rowsNeeded,
  scansByDate
} from './word-matches.ts'

/** Up to this number, the total of a list without words is exact. */
const MAX_LISTED = 1000

/** If fewer bookmarks match every word, those with other forms or some of the words are added. Agents get this number. */
export const MIN_RESULTS = 5

/** From this number of words, bookmarks with some of the words are added even if others match all of them. */
const MIN_MANY_WORDS = 3

/** A parsed search. */
export interface Criteria {
  caller: Caller
  query: BookmarkQuery
  parsed: ParsedQuery | undefined
  /** `undefined` if no bookmark can match the filters. */
  plan: FilterPlan | undefined
}

/** A parsed search with words, and with filters that bookmarks can match. */
type ReadCriteria = Criteria & { parsed: ParsedQuery; plan: FilterPlan }

/** The result of a search: row ids, best first. */
export interface SearchResult extends Matches {
  /** Whether the first bookmark has every word. */
  hasAllWords: boolean
  /** How many bookmarks have every word in some form; only given if bookmarks with some of the words were added. */
  inSomeForm?: number | undefined
  /** The hint: what was searched instead of the words as typed. */
  note?: string | undefined
  relaxed?: Relaxed | undefined
  /** The searched words, if they differ from the typed ones. */
  words?: string | undefined
}

const NOTHING: SearchResult = { ids: [], total: 0, atLeast: false, hasAllWords: true }

/** Reads a query's words and plans its filters. */
export function readCriteria(db: ReadConnection, caller: Caller, query: BookmarkQuery): Criteria {
  const words = query.words === undefined || matchesEverything(query.words) ? undefined : query.words
  return createCriteria(db, caller, query, words === undefined ? undefined : parseQuery(words))
}

/** @param parsed used instead of parsing the query's words */
export function createCriteria(
  db: ReadConnection,
  caller: Caller,
  query: BookmarkQuery,
  parsed: ParsedQuery | undefined
): Criteria {
  return { caller, query, parsed, plan: planQuery(db, caller, query, parsed) }
}

/**
 * Finds bookmarks by words and filters, among those that the caller may see. If fewer than `MIN_RESULTS` have every word,
 * bookmarks with other forms or some of the words follow.
 */
export function search(db: ReadConnection, criteria: Criteria): SearchResult {
  const { parsed, plan, query } = criteria
  if (!plan) return NOTHING
  if (!parsed) return listByDate(db, { plan, query, parsed })
  const match = createMatch(parsed, query.typing === true)
  const hasWords = match !== undefined || parsed.nodes.some((node) => positiveTerms(node).length > 0)
  if (!hasWords) {
    const exclusion = exclusionExpression(parsed)
    const isList = exclusion !== undefined || hasFilter(parsed) || parsed.order || describeFilters([query]).length > 0
    return isList ? listByDate(db, { plan, query, parsed }) : NOTHING
  }
  const { page, ...matches } = match
    ? matchExactly(db, match, parsed, plan, query)
    : { page: undefined, ...listByDate(db, { plan, query, parsed }) }
  const isShort = match !== undefined && matches.total <= MAX_RARE && isCutShort(db, match.texts, plan)
  const exact = isShort ? { ...matches, atLeast: true } : matches
  const note = isShort ? CUT_SHORT : page && PAGE_NOTES[page]
  const lookup = createWordLookup(db, criteria.caller, plan)
  if (parsed.order && exact.total > 0) return { ...exact, hasAllWords: true, note }
  if (exact.total > 1 && hasAlternatives(parsed)) {
    return { ...rankAlternatives(db, { ...criteria, parsed, plan }, exact, lookup), hasAllWords: true, note }
  }
  if (exact.total >= MIN_RESULTS || page === 'same' || page === 'near') return { ...exact, hasAllWords: true, note }
  const retyped = exact.total === 0 && query.words ? fixKeyboardLayout(query.words, lookup.vocabulary) : undefined
  if (retyped !== undefined) {
    const result = search(db, readCriteria(db, criteria.caller, { ...query, words: retyped }))
    const note = `“${query.words}” was read as “${retyped}”, typed with another keyboard layout.`
    return { ...result, note, words: retyped }
  }
  const isAllQuoted = parsed.all.every((terms) => terms.every(({ phrase }) => phrase))
  if (exact.total > 0 && isAllQuoted) return { ...exact, hasAllWords: true, note }
  const read = { ...criteria, parsed, plan }
  const result = addRelaxed(db, exact.total === 0 ? withoutBrackets(db, read) : read, exact, lookup)
  if (note === undefined) return result
  return { ...result, note: result.total > 0 ? `${note} ${NEAREST}` : note }
}

/** Returns whether any bookmark has every word as typed and matches the filters. */
export function isFoundAsTyped(db: ReadConnection, criteria: Criteria): boolean {
  return countAsTyped(db, criteria, 1).total > 0
}

/** Counts the bookmarks that have every word as typed and match the filters, up to `limit`. */
export function countAsTyped(
  db: ReadConnection,
  { plan, parsed, query }: Criteria,
  limit = MAX_COUNTED
): Omit<SearchResult, 'ids'> {
  if (!plan) return NOTHING
  const match = parsed && createMatch(parsed, query.typing === true)
  if (!match) return listByDate(db, { plan, parsed, query: { ...query, page: 1, limit: 1 } })
  const total = countMatches(db, match.texts, plan, limit + 1, MAX_CHECKED)
  const isShort = total > 0 && limit > 1 && isCutShort(db, match.texts, plan, MAX_CHECKED)
  return { total: Math.min(total, limit), atLeast: total > limit || isShort, hasAllWords: true }
}

const MAX_COUNTED = 100

/** Maximum number of rows on which filters are checked for one count. A hint needs several counts. */
const MAX_CHECKED = 1500

/** Word frequencies are counted in bookmarks that match the filters of the index. Checking all filters would be slower. */
function createWordLookup(db: ReadConnection, caller: Caller, plan: FilterPlan): WordLookup {
  const indexed = { ...plan, expressions: [], rowCondition: '' }
  const findRareRows = memoize((expression: string) =>
    matchRows(db, 'bookmark_texts', expression, indexed, MAX_RARE + 1)
  )
  const vocabulary = createVocabulary(db, countVisible(db, caller), (expression, limit) => {
    if (limit === 1) return countMatches(db, expression, indexed, limit)
    const { length } = findRareRows(expression)
    return length <= MAX_RARE || limit <= length ? length : countMatches(db, expression, indexed, limit)
  })
  const isAll = plan.expressions.length === 0 && plan.rowCondition === ''
  return { vocabulary, findRareRows: isAll ? findRareRows : undefined }
}

/** Returns whether the query has alternatives (`a OR b`), and all of them are words. */
function hasAlternatives({ all, nodes }: ParsedQuery): boolean {
  const isOfWords = (node: QueryNode) => filtersOf(node).length === 0 && positiveTerms(node).length > 1
  return nodes.every(isOfWords) && (nodes.length > 0 || all.some((terms) => terms.length > 1))
}

const CUT_SHORT =
  'Only the newest 20,000 bookmarks with these words were searched. With a rarer word or fewer filters, all are searched.'

/** Notes for a query that is an address. */
const PAGE_NOTES = {
  same: 'This page is saved.',
  near: 'This page is saved, under a nearly equal address.',
  none: 'This page is not saved.'
}

const NEAREST = 'The nearest are shown.'

/** Lists all bookmarks that match the filters and have no excluded word, by date. */
function listByDate(db: ReadConnection, { plan, query, parsed }: ListCriteria): SearchResult {
  const limit = rowsNeeded(query, MAX_LISTED)
  const exclusion = parsed && exclusionExpression(parsed)
  const ids = listRows(db, plan, limit, exclusion, parsed?.order)
  const isShort = !scansByDate(plan, exclusion) && ids.length <= MAX_LISTED && isCutShort(db, exclusion ?? '', plan)
  const atLeast = isShort || ids.length > MAX_LISTED
  return {
    ids,
    total: Math.min(ids.length, MAX_LISTED),
    atLeast,
    hasAllWords: true,
    note: isShort ? CUT_SHORT : undefined
  }
}

type ListCriteria = Pick<ReadCriteria, 'plan' | 'query'> & Pick<Criteria, 'parsed'>

/** Finds bookmarks with every word as typed. A page with the typed address, title or site name comes first. */
function matchExactly(
  db: ReadConnection,
  match: Match,
  parsed: ParsedQuery,
  plan: FilterPlan,
  query: BookmarkQuery
): Matches & Pick<TopMatches, 'page'> {
  // If there are fewer than `MIN_RESULTS`, every page needs all of them, because further results follow them.
  const wider = { ...query, limit: Math.max(query.limit, MIN_RESULTS) }
  if (parsed.order) return { ...matchByDate(db, match.texts, plan, wider, parsed.order), page: undefined }
  const { ids, total, atLeast } = matchWords(db, match, plan, wider)
  const top = findTopMatches(db, query.words ?? '', parsed, plan, query.typing === true)
  if (top.ids.length === 0) return { ids, total, atLeast, page: top.page }
  const all = [...new Set([...top.ids, ...ids])]
  return { ids: all, total: atLeast ? total : Math.max(total, all.length), atLeast, page: top.page }
}

/** Look-ups of words in bookmarks that match the filters of the index. */
interface WordLookup {
  vocabulary: Vocabulary
  /** Returns the matching rows, cached; `undefined` if there are filters that the index does not check. */
  findRareRows: ((expression: string) => number[]) | undefined
}

/** Adds bookmarks with other forms or some of the words after the few that have every word as typed. */
function addRelaxed(
  db: ReadConnection,
  { query, plan, parsed }: ReadCriteria,
  exact: Matches,
  { vocabulary, findRareRows }: WordLookup
): SearchResult {
  const relaxed =
    exact.total === 0 ? relaxQuery(db, parsed, plan) : { parsed, broken: [], required: strictExpressions(parsed) }
  const options = { typing: query.typing === true, required: relaxed.required }
  const { ids, groups, matchedBits } = matchRelaxed(db, relaxed.parsed, plan, vocabulary, findRareRows, options)
  const allBits = groupBits(groups, contentGroups(groups))
  const complete = ids.filter((id) => ((matchedBits.get(id) ?? 0) & allBits) === allBits)
  const exactIds = new Set(exact.ids)
  const wordCount = hasAlternatives(parsed) ? parsed.all.length : groups.filter(({ isStopWord }) => !isStopWord).length
  const onlyComplete = wordCount < MIN_MANY_WORDS && exact.ids.length + complete.length > 0
  const added = (onlyComplete ? complete : ids).filter((id) => !exactIds.has(id))
  // Every page has the same hint, which describes the first page.
  const shown = added.slice(0, Math.max(0, query.limit - exact.ids.length))
  const hint =
    added.length > 0 || exact.total === 0
      ? relaxedHint({
          groups,
          phrases: relaxed.broken,
          exact: exact.total,
          shown: shown.map((id) => matchedBits.get(id) ?? 0),
          leftOut: leftOutBy(query, parsed)
        })
      : {}
  return {
    ids: [...exact.ids, ...added],
    total: exact.total + added.length,
    atLeast: false,
    hasAllWords: exact.total > 0,
    inSomeForm: exact.total + complete.length,
    ...hint
  }
}

/** Ranks bookmarks that match at least one of several alternatives, those that match most of them first. */
function rankAlternatives(
  db: ReadConnection,
  { query, plan, parsed }: ReadCriteria,
  exact: Matches,
  { vocabulary, findRareRows }: WordLookup
): Matches {
  const expression = createMatch(parsed, false)?.texts ?? exclusionExpression(parsed)
  const required = expression === undefined ? [] : [expression]
  const options = { typing: query.typing === true, required, asTyped: true }
  const best = matchRelaxed(db, parsed, plan, vocabulary, findRareRows, options).ids
  return { ...exact, ids: [...new Set([...best, ...exact.ids])] }
}

/** Replaces brackets without filters by the words in them. */
function withoutBrackets(db: ReadConnection, criteria: ReadCriteria): ReadCriteria {
  const { caller, query, parsed } = criteria
  const isOfWords = (node: QueryNode) => filtersOf(node).length === 0 && positiveTerms(node).length > 0
  const words = parsed.nodes.filter(isOfWords).flatMap(positiveTerms)
  if (words.length === 0) return criteria
  const nodes = parsed.nodes.filter((node) => !isOfWords(node))
  const flat = { ...parsed, nodes, all: [...parsed.all, ...words.map((term) => [term])] }
  return { ...criteria, parsed: flat, plan: planQuery(db, caller, query, flat) ?? criteria.plan }
}

function leftOutBy(query: BookmarkQuery, { filters, nodes, excludedTerms, excludedFilters }: ParsedQuery) {
  if (describeFilters([query]).length + filters.length + nodes.length > 0) return 'filters'
  return excludedTerms.length + excludedFilters.length > 0 ? 'exclusions' : undefined
}
