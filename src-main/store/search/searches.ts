import type { BookmarkPage, BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { hasFilter, marksOfBoth, type ParsedQuery, parseQuery } from '../../core/parse-query.ts'
import { filterWords, pastEnd } from '../../core/search-hint.ts'
import { bookmarkRows } from '../bookmarks/bookmark-rows.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'
import { statements } from '../statements.ts'
import type { CommonWords } from './common-words.ts'
import { createFilterCounts } from './filter-counts.ts'
import { type FilterPlan, planFilters } from './filter-plan.ts'
import { FEW, type Forgiving, forgivingSearch } from './forgiving-search.ts'
import { frontMatches } from './front-matches.ts'
import { exceptOf, type Match, matchOf } from './match.ts'
import { isCommon, listMayBeSlow, matchMayBeSlow } from './may-be-slow.ts'
import { UNINDEXED, unindexedReads } from './unindexed.ts'
import { openVocabulary } from './vocabulary.ts'
import { whyNothing } from './why-nothing.ts'
import { type Found, mostFor, wordSearch } from './word-search.ts'

/** Totals of what is listed without words are exact up to this many. */
const LIST_CAP = 1000

/** A search as it was understood; `plan` is `nothing` where a filter lets nothing through. */
interface Asked {
  caller: Caller
  query: BookmarkQuery
  parsed: ParsedQuery | undefined
  plan: FilterPlan | 'nothing'
}

/** Row ids of what was found; `whole` where every word is in the first of them. */
interface Answer extends Forgiving {
  whole: boolean
}

interface Shown {
  page: BookmarkPage
  note: string | undefined
}

/** Searches. */
export const searches = readingFamily({
  slow(db, common) {
    const { searchBookmarks, searchQuickly, ...reads } = bookmarkReads(db, common)
    return { ...reads, searchBookmarks: Object.assign(searchBookmarks, { quickly: searchQuickly }) }
  }
})

/**
 * What can be asked about bookmarks. A caller never learns of one it may not see, not even by counting.
 *
 * @param common what is known of the library's usual words by now
 */
export function bookmarkReads(db: ReadConnection, common: () => CommonWords | undefined = () => undefined) {
  const prepared = statements(db)
  const filters = planFilters(db)
  const rows = bookmarkRows(db)
  const search = wordSearch(db, rows)
  const front = frontMatches(db)
  const forgive = forgivingSearch(search, rows, openVocabulary(db))
  const why = whyNothing(db, (caller, query, parsed) =>
    answer(planned(caller, query, parsed && asksNothing(parsed) ? undefined : parsed))
  )
  const { countAll } = createFilterCounts(db)
  const { anyUnindexed, countUnindexedRows } = unindexedReads(db)

  function asked(caller: Caller, query: BookmarkQuery): Asked {
    return planned(caller, query, query.words === undefined ? undefined : parseQuery(query.words))
  }

  function planned(caller: Caller, query: BookmarkQuery, parsed: ParsedQuery | undefined): Asked {
    const outside = { ...query, is: marksOfBoth(query.is, parsed?.is) }
    return { caller, query, parsed, plan: filters(caller, [outside, ...(parsed?.filters ?? [])], parsed?.without) }
  }

  function pageOf({ ids, total, atLeast, note, relaxed }: Forgiving, { page, limit }: BookmarkQuery): BookmarkPage {
    const start = (page - 1) * limit
    return { total, atLeast, bookmarks: rows.bookmarks(ids.slice(start, start + limit)), note, relaxed }
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

  /** An empty page says why. */
  function explained(caller: Caller, { query, parsed }: Asked, { page, note }: Shown): BookmarkPage {
    const { total, atLeast, bookmarks } = page
    const empty =
      bookmarks.length > 0
        ? undefined
        : total > 0
          ? pastEnd(query.page, query.limit, total, atLeast)
          : (why(caller, query, parsed) ?? emptyLibrary(caller) ?? note ?? 'Nothing matches.')
    const parts = [...(parsed?.misread ?? []), bookmarks.length > 0 || total > 0 ? note : undefined, empty]
    const said = [...new Set(parts.filter((part) => part !== undefined))].join(' ')
    return { ...page, note: said === '' ? undefined : said }
  }

  function emptyLibrary(caller: Caller): string | undefined {
    if (answer(asked(caller, { page: 1, limit: 1 })).total > 0) return undefined
    return caller.owner === null ? 'There are no bookmarks yet.' : 'There are no bookmarks that this key may see.'
  }

  return {
    /**
     * A search that is sure to be over in a few milliseconds in a library of any size, and found enough; `undefined`
     * where it may not be, or where `searchBookmarks` may find more or has more to say.
     */
    searchQuickly(caller: Caller, query: BookmarkQuery): BookmarkPage | undefined {
      const { parsed, plan } = asked(caller, query)
      if (plan === 'nothing') return undefined
      if (!parsed) {
        if (listMayBeSlow(plan, query) || anyUnindexed()) return undefined
        const page = pageOf(listed(plan, query), query)
        return page.bookmarks.length > 0 ? page : undefined
      }
      const match = matchOf(parsed, query.typing === true)
      if (!match || parsed.misread.length > 0 || matchMayBeSlow(match, plan, query, common())) return undefined
      const found = exactly(match, parsed, plan, query)
      const page = found.total < FEW ? undefined : pageOf(found, query)
      return page && page.bookmarks.length > 0 ? page : undefined
    },

    /**
     * Finds by words and filters. Where few bookmarks hold all words, those that hold most of them come behind. `note`
     * says what was done, and of an empty page why it is.
     */
    searchBookmarks(caller: Caller, query: BookmarkQuery): BookmarkPage {
      const wanted = asked(caller, query)
      const found = answer(wanted)
      return explained(caller, wanted, { page: pageOf(found, query), note: found.note })
    },

    countBookmarks(caller: Caller): number {
      const plan = filters(caller, [{}])
      if (plan === 'nothing') return 0
      const where = ['b.deleted_at IS NULL', plan.all].filter((part) => part !== '').join(' AND ')
      return prepared(`SELECT count(*) FROM bookmarks b WHERE ${where}`).pluck().get(plan.allValues) as number
    },

    /** Rows that the background has not reached yet. */
    countUnindexed(): number {
      const uncounted = prepared('SELECT count(*) FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL').pluck()
      return (uncounted.get() as number) + countUnindexedRows()
    }
  }
}

const NOTHING: Answer = { ids: [], total: 0, atLeast: false, whole: true }

/** What is said of all bookmarks is true only of those the filters leave. */
const AMONG_FILTERED = ['No bookmark has', 'With these filters no bookmark has'] as const

function isNarrowed(query: BookmarkQuery, parsed: ParsedQuery): boolean {
  return hasFilter(parsed) || parsed.none.length > 0 || filterWords([query]).length > 0
}

function asksNothing(parsed: ParsedQuery): boolean {
  return parsed.all.length === 0 && parsed.none.length === 0 && !hasFilter(parsed)
}

function typedGroups(query: ParsedQuery): string[][] {
  return query.all.map((group) => group.map((term) => term.text.toLowerCase()))
}
