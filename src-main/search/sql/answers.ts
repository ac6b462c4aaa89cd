import type { BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection } from '../../store/connection.ts'
import { statements } from '../../store/statements.ts'
import { filterWords } from '../hint.ts'
import { exceptOf, type Match, matchOf } from '../match.ts'
import { hasFilter, marksOfBoth, type ParsedQuery, parseQuery } from '../query.ts'
import type { CommonWords } from './common-words.ts'
import { createFilterCounts } from './filter-counts.ts'
import { type FilterPlan, planFilters } from './filter-plan.ts'
import { FEW, type Forgiving, forgivingSearch } from './forgiving-search.ts'
import { frontMatches } from './front-matches.ts'
import { isCommon } from './may-be-slow.ts'
import { rankedRows } from './ranked-rows.ts'
import { UNINDEXED, unindexedReads } from './unindexed.ts'
import { openVocabulary } from './vocabulary.ts'
import { type Found, mostFor, wordSearch } from './word-search.ts'

/** Totals of what is listed without words are exact up to this many. */
const LIST_CAP = 1000

/** A search as it was understood; `plan` is `nothing` where a filter lets nothing through. */
export interface Asked {
  caller: Caller
  query: BookmarkQuery
  parsed: ParsedQuery | undefined
  plan: FilterPlan | 'nothing'
}

/** Row ids of what was found; `whole` where every word is in the first of them. */
export interface Answer extends Forgiving {
  whole: boolean
}

/** Finds the row ids that answer a search, those that fit best first. See `bookmarkReads`. */
export function searchAnswers(db: ReadConnection, common: () => CommonWords | undefined) {
  const prepared = statements(db)
  const rows = rankedRows(db)
  const filters = planFilters(db)
  const search = wordSearch(db, rows)
  const front = frontMatches(db)
  const forgive = forgivingSearch(search, rows, openVocabulary(db))
  const { countAll } = createFilterCounts(db)
  const { anyUnindexed } = unindexedReads(db)

  function asked(caller: Caller, query: BookmarkQuery): Asked {
    return planned(caller, query, query.words === undefined ? undefined : parseQuery(query.words))
  }

  function planned(caller: Caller, query: BookmarkQuery, parsed: ParsedQuery | undefined): Asked {
    const outside = { ...query, is: marksOfBoth(query.is, parsed?.is) }
    return { caller, query, parsed, plan: filters(caller, [outside, ...(parsed?.filters ?? [])], parsed?.without) }
  }

  /** Everything the filters let through, newest first. */
  function listed(plan: FilterPlan, query: BookmarkQuery, except?: string): Answer {
    const most = mostFor(query, LIST_CAP)
    const ids = except === undefined ? listedIds(plan, most) : search.matching('bookmark_texts', except, plan, most)
    return { ids, total: Math.min(ids.length, LIST_CAP), atLeast: ids.length > LIST_CAP, whole: true }
  }

  function listedIds(plan: FilterPlan, most: number): number[] {
    if (plan.tokens.length > 0) {
      const indexed = search.matching('bookmark_titles', '', plan, most)
      if (!anyUnindexed()) return indexed
      const later = prepared(`SELECT b.id FROM ${UNINDEXED} WHERE ${plan.all} ORDER BY b.id DESC LIMIT @most`)
        .pluck()
        .all({ ...plan.allValues, most }) as number[]
      return [...indexed, ...later].sort((a, b) => b - a).slice(0, most)
    }
    const where = [plan.all, 'b.deleted_at IS NULL'].filter((part) => part !== '').join(' AND ')
    return prepared(`SELECT b.id FROM bookmarks b WHERE ${where} ORDER BY b.id DESC LIMIT @most`)
      .pluck()
      .all({ ...plan.allValues, most }) as number[]
  }

  /** Every word as typed; what is named as a whole comes first. */
  function exactly(match: Match, parsed: ParsedQuery, plan: FilterPlan, query: BookmarkQuery): Found {
    // Few are known whole, whatever the page: what is looked for further comes behind all of them.
    const wanted = { ...query, limit: Math.max(query.limit, FEW) }
    const { ids, total, atLeast } = search.find(match, typedGroups(parsed), plan, wanted, isCommon(match, common()))
    const first = front(parsed, plan)
    if (first.length === 0) return { ids, total, atLeast }
    const seen = new Set(first)
    const all = [...first, ...ids.filter((id) => !seen.has(id))]
    return { ids: all, total: atLeast ? total : Math.max(total, all.length), atLeast }
  }

  function answer({ caller, parsed, plan, query }: Asked): Answer {
    if (plan === 'nothing') return NOTHING
    if (!parsed) return listed(plan, query)
    const match = matchOf(parsed, query.typing === true)
    if (!match) {
      const except = exceptOf(parsed)
      return except === undefined && !hasFilter(parsed) ? NOTHING : listed(plan, query, except)
    }
    const found = exactly(match, parsed, plan, query)
    if (found.total >= FEW) return { ...found, whole: true }
    const { note, ...more } = forgive(found, parsed, query, plan, visibleTo(caller))
    return {
      ...more,
      note: isNarrowed(query, parsed) ? note?.replaceAll(...AMONG_FILTERED) : note,
      whole: found.total > 0
    }
  }

  /** Bookmarks the caller may see, about: what it may not must not even weigh words. */
  function visibleTo(caller: Caller): number {
    const plan = filters(caller, [{}])
    return caller.owner === null || plan === 'nothing' ? countAll() : plan.narrowest
  }

  return { asked, planned, listed, exactly, answer }
}

const NOTHING: Answer = { ids: [], total: 0, atLeast: false, whole: true }

/** What is said of all bookmarks is true only of those the filters leave. */
const AMONG_FILTERED = ['No bookmark has', 'With these filters no bookmark has'] as const

function isNarrowed(query: BookmarkQuery, parsed: ParsedQuery): boolean {
  return hasFilter(parsed) || parsed.none.length > 0 || filterWords([query]).length > 0
}

export function asksNothing(parsed: ParsedQuery): boolean {
  return parsed.all.length === 0 && parsed.none.length === 0 && !hasFilter(parsed)
}

function typedGroups(query: ParsedQuery): string[][] {
  return query.all.map((group) => group.map((term) => term.text.toLowerCase()))
}
