import type { BookmarkQuery, Relaxed } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { memoize } from '../../core/memoize.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValues } from '../../database/sql.ts'
import { emptyWords } from '../empty-words.ts'
import { foldAccents } from '../fold-letters.ts'
import { bitsOf, fullGroups } from '../groups.ts'
import { filterWords, relaxedHint } from '../hint.ts'
import { exceptOf, type Match, matchOf } from '../match.ts'
import { parseQuery, termTokens, withoutPhrases } from '../query.ts'
import { hasFilter, type ParsedQuery } from '../query-nodes.ts'
import { FEW } from '../relax.ts'
import { foldWord } from '../segment.ts'
import { meantByKeys } from '../spelling.ts'
import type { Vocabulary } from '../wordings.ts'
import { countVisible, type FilterPlan, planQuery } from './filter-plan.ts'
import { type Front, matchFront } from './front-matches.ts'
import { matchRelaxed, RARE } from './relaxed-matches.ts'
import { anyToIndex, UNINDEXED } from './search-index.ts'
import { vocabularyOf } from './vocabulary.ts'
import { countMatches, type Found, matchRows, matchWords, rowsNeeded } from './word-matches.ts'

/** Totals of what is listed without words are exact up to this many. */
const LIST_CAP = 1000

/** From this many words on, bookmarks that hold most of them stand behind those that hold all. */
const MANY_WORDS = 3

/** A search as it is understood. */
export interface Criteria {
  caller: Caller
  query: BookmarkQuery
  parsed: ParsedQuery | undefined
  /** `undefined` where a filter lets no bookmark pass. */
  plan: FilterPlan | undefined
}

/** Row ids, best first. */
export interface Answer extends Found {
  /** Whether the first of them holds every word. */
  whole: boolean
  /** Says what was searched for instead of the words as typed. */
  note?: string | undefined
  relaxed?: Relaxed | undefined
}

const NOTHING: Answer = { ids: [], total: 0, atLeast: false, whole: true }

/** Reads a query's words and plans its filters. */
export function readCriteria(db: ReadConnection, caller: Caller, query: BookmarkQuery): Criteria {
  return criteriaOf(db, caller, query, query.words === undefined ? undefined : parseQuery(query.words))
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
 * Finds the bookmarks that a caller may see by words and filters. Where few hold all words, those that hold most of them
 * come behind.
 */
export function search(db: ReadConnection, criteria: Criteria): Answer {
  const { parsed, plan, query } = criteria
  if (!plan) return NOTHING
  if (!parsed) return listAll(db, plan, query)
  const match = matchOf(parsed, query.typing === true)
  if (!match) {
    const except = exceptOf(parsed)
    return except === undefined && !hasFilter(parsed) ? NOTHING : listAll(db, plan, query, except)
  }
  const { page, ...exact } = matchExactly(db, match, parsed, plan, query)
  const note = page && PAGE_NOTES[page]
  if (exact.total >= FEW || page === 'same' || page === 'near') return { ...exact, whole: true, note }
  const rowsOf = memoize((expression: string) => matchRows(db, 'bookmark_texts', expression, plan, RARE + 1))
  const vocabulary = vocabularyOf(db, countVisible(db, criteria.caller), (expression, most) => {
    if (most === 1) return countMatches(db, expression, plan, most)
    const { length } = rowsOf(expression)
    return length <= RARE || most <= length ? length : countMatches(db, expression, plan, most)
  })
  const meant = exact.total === 0 && query.words ? meantByKeys(query.words, vocabulary) : undefined
  if (meant !== undefined) {
    const found = search(db, readCriteria(db, criteria.caller, { ...query, words: meant }))
    return { ...found, note: `“${query.words}” was read as “${meant}”, typed with another keyboard layout.` }
  }
  const answer =
    exact.total > 0 && query.typing !== true && isMeant(parsed, vocabulary)
      ? { ...exact, whole: true, note: undefined }
      : addRelaxed(db, criteria, parsed, plan, exact, vocabulary, rowsOf)
  if (note === undefined) return answer
  if (page === 'above') return { ...answer, note }
  return { ...answer, note: answer.total > 0 ? `${note} ${NEAREST}` : note }
}

/**
 * Whether three to five words were meant as typed by bookmarks that hold all of them: few would by chance, and no two of
 * the words stand joined in another.
 */
function isMeant({ all, none }: ParsedQuery, { bookmarks, held, known }: Vocabulary): boolean {
  if (none.length > 0 || all.length > MAX_MEANT_WORDS || all.some(([term, other]) => other || term?.prefix))
    return false
  const tokens = all.map((terms) => terms.flatMap((term) => termTokens(term).tokens.map(foldWord)))
  const empty = emptyWords(tokens.flat())
  const full = tokens.filter((some) => some.some((token) => !empty.has(token)))
  if (full.length < MANY_WORDS) return false
  const chance = full.reduce((product, some) => (product * held([{ tokens: some }])) / bookmarks, bookmarks)
  return (
    chance > 0 &&
    chance < BY_CHANCE &&
    known(full.slice(1).map((some, at) => [...(full[at] ?? []), ...some].join(''))).length === 0
  )
}

const MAX_MEANT_WORDS = 5

/** Bookmarks that hold all words by chance, were words independent: fewer, and who holds them is meant. */
const BY_CHANCE = 0.01

/** Notes on the page whose address was asked for. */
const PAGE_NOTES = {
  same: 'This page is saved.',
  near: 'This page is saved, under a nearly equal address.',
  above: 'This page is not saved; the first bookmark is a page above it.',
  none: 'This page is not saved.'
}

const NEAREST = 'The nearest are shown.'

/**
 * Lists everything the filters let pass, newest first.
 *
 * @param except a full-text expression that leaves out excluded words
 */
function listAll(db: ReadConnection, plan: FilterPlan, query: BookmarkQuery, except?: string): Answer {
  const most = rowsNeeded(query, LIST_CAP)
  const ids = except === undefined ? listRows(db, plan, most) : matchRows(db, 'bookmark_texts', except, plan, most)
  return { ids, total: Math.min(ids.length, LIST_CAP), atLeast: ids.length > LIST_CAP, whole: true }
}

function listRows(db: ReadConnection, plan: FilterPlan, most: number): number[] {
  const { condition, values, tokens, expressions } = plan
  if (tokens.length === 0 && expressions.length === 0) {
    const where = [condition, 'b.deleted_at IS NULL'].filter((part) => part !== '').join(' AND ')
    const sql = `SELECT b.id FROM bookmarks b WHERE ${where} ORDER BY b.id DESC LIMIT @most`
    return readValues(db, sql, { ...values, most })
  }
  const indexed = matchRows(db, expressions.length > 0 ? 'bookmark_texts' : 'bookmark_titles', '', plan, most)
  if (!anyToIndex(db)) return indexed
  const sql = `SELECT b.id FROM ${UNINDEXED} AND ${condition} ORDER BY b.id DESC LIMIT @most`
  const unindexed = readValues<number>(db, sql, { ...values, most })
  return [...new Set([...indexed, ...unindexed])].sort((a, b) => b - a).slice(0, most)
}

/** Finds bookmarks that hold every word as typed. The page or the site that is named, or a whole title, comes first. */
function matchExactly(
  db: ReadConnection,
  match: Match,
  parsed: ParsedQuery,
  plan: FilterPlan,
  query: BookmarkQuery
): Found & Pick<Front, 'page'> {
  // Few are known whole, whatever the page: what is looked for further comes behind all of them.
  const wanted = { ...query, limit: Math.max(query.limit, FEW) }
  const typed = parsed.all.map((group) => group.map((term) => foldAccents(term.text)))
  const { ids, total, atLeast } = matchWords(db, match, typed, plan, wanted)
  const front = matchFront(db, query.words ?? '', parsed, plan)
  if (front.ids.length === 0) return { ids, total, atLeast, page: front.page }
  const all = [...new Set([...front.ids, ...ids])]
  return { ids: all, total: atLeast ? total : Math.max(total, all.length), atLeast, page: front.page }
}

/** Puts bookmarks that hold most of the words, or other forms of them, behind the few that hold all. */
function addRelaxed(
  db: ReadConnection,
  { query }: Criteria,
  parsed: ParsedQuery,
  plan: FilterPlan,
  exact: Found,
  vocabulary: Vocabulary,
  rowsOf: (expression: string) => number[]
): Answer {
  const broken = exact.total === 0 ? withoutPhrases(parsed) : undefined
  const { ids, groups, holds } = matchRelaxed(db, broken ?? parsed, plan, vocabulary, rowsOf, query.typing === true)
  const all = bitsOf(groups, fullGroups(groups))
  const whole = ids.filter((id) => ((holds.get(id) ?? 0) & all) === all)
  const seen = new Set(exact.ids)
  const fewWords = groups.filter(({ empty }) => !empty).length < MANY_WORDS
  const behind = (fewWords && exact.ids.length + whole.length > 0 ? whole : ids).filter((id) => !seen.has(id))
  const start = (query.page - 1) * query.limit
  const shown = [...exact.ids, ...behind].slice(start, start + query.limit).filter((id) => !seen.has(id))
  const hint =
    behind.length > 0 || exact.total === 0
      ? relaxedHint({
          groups,
          phrases: broken ? parsed.all.flat().flatMap(({ text, phrase }) => (phrase ? text : [])) : [],
          exact: exact.total,
          shown: shown.map((id) => holds.get(id) ?? 0),
          filtered: isFiltered(query, parsed)
        })
      : {}
  return {
    ids: [...exact.ids, ...behind],
    total: exact.total + behind.length,
    atLeast: false,
    whole: exact.total > 0,
    ...hint
  }
}

function isFiltered(query: BookmarkQuery, parsed: ParsedQuery): boolean {
  return hasFilter(parsed) || parsed.none.length > 0 || filterWords([query]).length > 0
}
