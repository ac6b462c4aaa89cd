import type { BookmarkQuery, Relaxed } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { memoize } from '../../core/memoize.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { bitsOf, fullGroups } from '../groups.ts'
import { relaxedHint } from '../hint.ts'
import { exceptOf, type Match, matchOf, matchTerm } from '../match.ts'
import { filterWords } from '../obstacles.ts'
import { asksEverything, parseQuery, withoutPhrases } from '../query.ts'
import { filtersOf, hasFilter, type ParsedQuery, positiveTerms, type QueryNode, type Term } from '../query-nodes.ts'
import { meantByKeys } from '../spelling.ts'
import type { Vocabulary } from '../wordings.ts'
import { countVisible, type FilterPlan, planQuery } from './filter-plan.ts'
import { type Front, matchFront } from './front-matches.ts'
import { matchRelaxed, RARE } from './relaxed-matches.ts'
import { vocabularyOf } from './vocabulary.ts'
import {
  countMatches,
  type Found,
  isCutShort,
  listRows,
  matchByDate,
  matchRows,
  matchWords,
  rowsNeeded,
  walksDates
} from './word-matches.ts'

/** Totals of what is listed without words are exact up to this many. */
const LIST_CAP = 1000

/** A search that finds fewer looks further: as many as an agent is shown. */
export const FEW = 5

/** From this many words on, bookmarks that hold some of them stand behind those that hold all. */
const MANY_WORDS = 3

/** A search as it is understood. */
export interface Criteria {
  caller: Caller
  query: BookmarkQuery
  parsed: ParsedQuery | undefined
  /** `undefined` where a filter lets no bookmark pass. */
  plan: FilterPlan | undefined
}

/** A search whose words are read, and whose filters let bookmarks pass. */
type ReadCriteria = Criteria & { parsed: ParsedQuery; plan: FilterPlan }

/** Row ids, best first. */
export interface Answer extends Found {
  /** Whether the first of them holds every word. */
  whole: boolean
  /** How many of them hold every word in some form, if fewer were found than are shown. */
  inSomeForm?: number | undefined
  /** Says what was searched for instead of the words as typed. */
  note?: string | undefined
  relaxed?: Relaxed | undefined
  /** The words that were searched, if they are others than those typed. */
  words?: string | undefined
}

const NOTHING: Answer = { ids: [], total: 0, atLeast: false, whole: true }

/** Reads a query's words and plans its filters. */
export function readCriteria(db: ReadConnection, caller: Caller, query: BookmarkQuery): Criteria {
  const words = query.words === undefined || asksEverything(query.words) ? undefined : query.words
  return criteriaOf(db, caller, query, words === undefined ? undefined : parseQuery(words))
}

/** @param parsed taken for the query's words */
export function criteriaOf(
  db: ReadConnection,
  caller: Caller,
  query: BookmarkQuery,
  parsed: ParsedQuery | undefined
): Criteria {
  return { caller, query, parsed, plan: planQuery(db, caller, query, parsed) }
}

/**
 * Finds the bookmarks that a caller may see by words and filters. Where few hold all words, those that hold some of them
 * come behind.
 */
export function search(db: ReadConnection, criteria: Criteria): Answer {
  const { parsed, plan, query } = criteria
  if (!plan) return NOTHING
  if (!parsed) return listAll(db, { plan, query, parsed })
  const match = matchOf(parsed, query.typing === true)
  const hasWords = match !== undefined || parsed.nodes.some((node) => positiveTerms(node).length > 0)
  if (!hasWords) {
    const except = exceptOf(parsed)
    const isAsked = except !== undefined || hasFilter(parsed) || parsed.order || filterWords([query]).length > 0
    return isAsked ? listAll(db, { plan, query, parsed }) : NOTHING
  }
  const { page, ...found } = match
    ? matchExactly(db, match, parsed, plan, query)
    : { page: undefined, ...listAll(db, { plan, query, parsed }) }
  const isShort = match !== undefined && found.total <= RARE && isCutShort(db, match.texts, plan)
  const exact = isShort ? { ...found, atLeast: true } : found
  const note = isShort ? CUT_SHORT : page && PAGE_NOTES[page]
  const looking = lookingIn(db, criteria.caller, plan)
  if (parsed.order && exact.total > 0) return { ...exact, whole: true, note }
  if (exact.total > 1 && hasAlternatives(parsed)) {
    return { ...rankAlternatives(db, { ...criteria, parsed, plan }, exact, looking), whole: true, note }
  }
  if (exact.total >= FEW || page === 'same' || page === 'near') return { ...exact, whole: true, note }
  const meant = exact.total === 0 && query.words ? meantByKeys(query.words, looking.vocabulary) : undefined
  if (meant !== undefined) {
    const found = search(db, readCriteria(db, criteria.caller, { ...query, words: meant }))
    const note = `“${query.words}” was read as “${meant}”, typed with another keyboard layout.`
    return { ...found, note, words: meant }
  }
  const isExact = parsed.all.every((terms) => terms.every(({ phrase }) => phrase))
  if (exact.total > 0 && isExact) return { ...exact, whole: true, note }
  const read = { ...criteria, parsed, plan }
  const answer = addRelaxed(db, exact.total === 0 ? withoutBrackets(db, read) : read, exact, looking)
  if (note === undefined) return answer
  return { ...answer, note: answer.total > 0 ? `${note} ${NEAREST}` : note }
}

/** Returns whether a bookmark holds every word as typed and passes the filters. */
export function isFoundAsTyped(db: ReadConnection, criteria: Criteria): boolean {
  return countAsTyped(db, criteria, 1).total > 0
}

/** Counts the bookmarks that hold every word as typed and pass the filters. */
export function countAsTyped(
  db: ReadConnection,
  { plan, parsed, query }: Criteria,
  most = MAX_COUNTED
): Omit<Answer, 'ids'> {
  if (!plan) return NOTHING
  const match = parsed && matchOf(parsed, query.typing === true)
  if (!match) return listAll(db, { plan, parsed, query: { ...query, page: 1, limit: 1 } })
  const total = countMatches(db, match.texts, plan, most + 1, MAX_CHECKED)
  const isShort = total > 0 && most > 1 && isCutShort(db, match.texts, plan, MAX_CHECKED)
  return { total: Math.min(total, most), atLeast: total > most || isShort, whole: true }
}

const MAX_COUNTED = 100

/** Maximum number of rows on which filters are checked to count, because a hint counts several times. */
const MAX_CHECKED = 1500

/** Words are weighed by bookmarks that pass the filters of the index: checking rows or brackets would cost more. */
function lookingIn(db: ReadConnection, caller: Caller, plan: FilterPlan): Looking {
  const indexed = { ...plan, expressions: [], rowCondition: '' }
  const rowsOf = memoize((expression: string) => matchRows(db, 'bookmark_texts', expression, indexed, RARE + 1))
  const vocabulary = vocabularyOf(db, countVisible(db, caller), (expression, most) => {
    if (most === 1) return countMatches(db, expression, indexed, most)
    const { length } = rowsOf(expression)
    return length <= RARE || most <= length ? length : countMatches(db, expression, indexed, most)
  })
  const isAll = plan.expressions.length === 0 && plan.rowCondition === ''
  return { vocabulary, rowsOf: isAll ? rowsOf : undefined }
}

/** Returns whether the query has alternatives that are words alone. */
function hasAlternatives({ all, nodes }: ParsedQuery): boolean {
  const isOfWords = (node: QueryNode) => filtersOf(node).length === 0 && positiveTerms(node).length > 1
  return nodes.every(isOfWords) && (nodes.length > 0 || all.some((terms) => terms.length > 1))
}

const CUT_SHORT =
  'Only the newest 20,000 bookmarks with these words were looked at; a rarer word or fewer filters look at all.'

/** Notes on the page whose address was asked for. */
const PAGE_NOTES = {
  same: 'This page is saved.',
  near: 'This page is saved, under a nearly equal address.',
  none: 'This page is not saved.'
}

const NEAREST = 'The nearest are shown.'

/** Lists all bookmarks that pass the filters and have none of the excluded words, by date. */
function listAll(db: ReadConnection, { plan, query, parsed }: ListCriteria): Answer {
  const most = rowsNeeded(query, LIST_CAP)
  const except = parsed && exceptOf(parsed)
  const ids = listRows(db, plan, most, except, parsed?.order)
  const isShort = !walksDates(plan, except) && ids.length <= LIST_CAP && isCutShort(db, except ?? '', plan)
  const atLeast = isShort || ids.length > LIST_CAP
  return { ids, total: Math.min(ids.length, LIST_CAP), atLeast, whole: true, note: isShort ? CUT_SHORT : undefined }
}

type ListCriteria = Pick<ReadCriteria, 'plan' | 'query'> & Pick<Criteria, 'parsed'>

/** Finds bookmarks that hold every word as typed. The page or the site that is named, or a whole title, comes first. */
function matchExactly(
  db: ReadConnection,
  match: Match,
  parsed: ParsedQuery,
  plan: FilterPlan,
  query: BookmarkQuery
): Found & Pick<Front, 'page'> {
  // Fewer than `FEW` must all be known on every page, because further results come behind them.
  const wanted = { ...query, limit: Math.max(query.limit, FEW) }
  if (parsed.order) return { ...matchByDate(db, match.texts, plan, wanted, parsed.order), page: undefined }
  const { ids, total, atLeast } = matchWords(db, match, plan, wanted)
  const front = matchFront(db, query.words ?? '', parsed, plan, query.typing === true)
  if (front.ids.length === 0) return { ids, total, atLeast, page: front.page }
  const all = [...new Set([...front.ids, ...ids])]
  return { ids: all, total: atLeast ? total : Math.max(total, all.length), atLeast, page: front.page }
}

/** The look-ups of words for a search that may leave some of them out. */
interface Looking {
  vocabulary: Vocabulary
  /** Returns the rows that match, if they are known already; absent where filters are left to check. */
  rowsOf: ((expression: string) => number[]) | undefined
}

/** Puts bookmarks that hold some of the words, or other forms of them, behind the few that hold all. */
function addRelaxed(
  db: ReadConnection,
  { query, plan, parsed }: ReadCriteria,
  exact: Found,
  { vocabulary, rowsOf }: Looking
): Answer {
  const loosened = exact.total === 0 ? loosen(db, parsed, plan) : { parsed, broken: [], parts: strictOf(parsed) }
  const options = { typing: query.typing === true, parts: loosened.parts }
  const { ids, groups, holds } = matchRelaxed(db, loosened.parsed, plan, vocabulary, rowsOf, options)
  const all = bitsOf(groups, fullGroups(groups))
  const whole = ids.filter((id) => ((holds.get(id) ?? 0) & all) === all)
  const seen = new Set(exact.ids)
  const said = hasAlternatives(parsed) ? parsed.all.length : groups.filter(({ empty }) => !empty).length
  const fewWords = said < MANY_WORDS
  const behind = (fewWords && exact.ids.length + whole.length > 0 ? whole : ids).filter((id) => !seen.has(id))
  // What is said of the first page is said of each.
  const shown = behind.slice(0, Math.max(0, query.limit - exact.ids.length))
  const hint =
    behind.length > 0 || exact.total === 0
      ? relaxedHint({
          groups,
          phrases: loosened.broken,
          exact: exact.total,
          shown: shown.map((id) => holds.get(id) ?? 0),
          leftOut: leftOutBy(query, parsed)
        })
      : {}
  return {
    ids: [...exact.ids, ...behind],
    total: exact.total + behind.length,
    atLeast: false,
    whole: exact.total > 0,
    inSomeForm: exact.total + whole.length,
    ...hint
  }
}

/** Ranks bookmarks that hold one of several alternatives by how many of them they hold, and how well. */
function rankAlternatives(
  db: ReadConnection,
  { query, plan, parsed }: ReadCriteria,
  exact: Found,
  { vocabulary, rowsOf }: Looking
): Found {
  const must = matchOf(parsed, false)?.texts ?? exceptOf(parsed)
  const options = { typing: query.typing === true, parts: must === undefined ? [] : [must], asTyped: true }
  const best = matchRelaxed(db, parsed, plan, vocabulary, rowsOf, options).ids
  return { ...exact, ids: [...new Set([...best, ...exact.ids])] }
}

/** A query of which nothing holds all, as it is looked for then. */
interface LoosenedQuery {
  parsed: ParsedQuery
  /** Its phrases that are looked for as words. */
  broken: string[]
  /** Full-text expressions that still hold for every bookmark that is shown. */
  parts: string[]
}

/** Reads brackets without filters, of which no bookmark holds what they say, as the words in them. */
function withoutBrackets(db: ReadConnection, criteria: ReadCriteria): ReadCriteria {
  const { caller, query, parsed } = criteria
  const isOfWords = (node: QueryNode) => filtersOf(node).length === 0 && positiveTerms(node).length > 0
  const words = parsed.nodes.filter(isOfWords).flatMap(positiveTerms)
  if (words.length === 0) return criteria
  const nodes = parsed.nodes.filter((node) => !isOfWords(node))
  const read = { ...parsed, nodes, all: [...parsed.all, ...words.map((term) => [term])] }
  return { ...criteria, parsed: read, plan: planQuery(db, caller, query, read) ?? criteria.plan }
}

/** Keeps the phrases that some bookmark has together, and looks for the words of the others. */
function loosen(db: ReadConnection, parsed: ParsedQuery, plan: FilterPlan): LoosenedQuery {
  const isMet = (parts: string[]) =>
    parts.length === 0 || countMatches(db, parts.map((part) => `(${part})`).join(' AND '), plan, 1) > 0
  const isMetAlone = (term: Term) => isMet([matchTerm(term) ?? '""'])
  const some = withoutPhrases(parsed, isMetAlone) ?? parsed
  const together = isMet(strictOf(some)) ? some : (withoutPhrases(parsed, () => false) ?? parsed)
  const broken = together.all.flat().flatMap((term) => (term.broken ? term.text : []))
  return { parsed: together, broken, parts: strictOf(together) }
}

/** Returns the expressions of what is not loosened: phrases, and excluded words. */
function strictOf(parsed: ParsedQuery): string[] {
  const phrases = parsed.all.filter((terms) => terms.some(({ phrase }) => phrase))
  const held = matchOf({ ...parsed, all: phrases, none: [] }, false)?.texts
  return [held, exceptOf(parsed)].filter((part) => part !== undefined)
}

function leftOutBy(query: BookmarkQuery, { filters, nodes, none, without }: ParsedQuery) {
  if (filterWords([query]).length + filters.length + nodes.length > 0) return 'filters'
  return none.length + without.length > 0 ? 'exclusions' : undefined
}
