import type { BookmarkPage, BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { marksOfBoth, type ParsedQuery, parseQuery } from '../../core/parse-query.ts'
import { bookmarkRows } from '../bookmarks/bookmark-rows.ts'
import type { ReadConnection } from '../connection.ts'
import { statements } from '../statements.ts'
import type { CommonWords } from './common-words.ts'
import { type FilterPlan, planFilters } from './filter-plan.ts'
import { exceptOf, matchOf } from './match.ts'
import { isCommon, listMayBeSlow, matchMayBeSlow } from './may-be-slow.ts'
import { UNINDEXED, unindexedReads } from './unindexed.ts'
import { type CountWord, createWordFinder } from './word-finder.ts'
import { mostFor, wordSearch } from './word-search.ts'

/** Totals of what is listed without words are exact up to this many. */
const LIST_CAP = 1000

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
  const finder = createWordFinder(db)
  const { anyUnindexed, countUnindexedRows } = unindexedReads(db)

  /** The filters, with what the words ask for of the link. */
  function planOf(caller: Caller, query: BookmarkQuery, parsed?: ParsedQuery): FilterPlan | 'nothing' {
    const is = marksOfBoth(query.is, parsed?.is)
    return filters(caller, { ...query, ...(is && { is }) })
  }

  /** Everything the filters let through, newest first. */
  function listed(plan: FilterPlan, query: BookmarkQuery, except?: string): BookmarkPage {
    const most = mostFor(query, LIST_CAP)
    const ids = except === undefined ? listedIds(plan, most) : search.matching('bookmark_texts', except, plan, most)
    const start = (query.page - 1) * query.limit
    return {
      total: Math.min(ids.length, LIST_CAP),
      atLeast: ids.length > LIST_CAP,
      bookmarks: rows.bookmarks(ids.slice(start, start + query.limit))
    }
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

  function found(parsed: ParsedQuery, lastIsPrefix: boolean, plan: FilterPlan, query: BookmarkQuery): BookmarkPage {
    const match = matchOf(parsed, lastIsPrefix)
    return match ? search.page(match, typedGroups(parsed), plan, query, isCommon(match, common())) : NOTHING
  }

  /** What was found, and behind it, where it is less than a page, titles that hold the word within another. */
  function filledUp(exact: BookmarkPage, parsed: ParsedQuery, plan: FilterPlan, query: BookmarkQuery): BookmarkPage {
    const wider = finder.widened(parsed)
    if (!wider) return exact
    const whole =
      exact.bookmarks.length < exact.total ? found(parsed, query.typing === true, plan, { ...query, page: 1 }) : exact
    const match = matchOf(wider, false)
    const ids = match?.titles === undefined ? [] : search.matching('bookmark_titles', match.titles, plan, query.limit)
    const seen = new Set(whole.bookmarks.map((bookmark) => bookmark.id))
    const more = rows.bookmarks(ids).filter((bookmark) => !seen.has(bookmark.id))
    if (more.length === 0) return exact
    const all = [...whole.bookmarks, ...more]
    const start = (query.page - 1) * query.limit
    const note = `Also shows titles that hold “${query.words?.trim()}” within a word.`
    return { total: all.length, atLeast: false, bookmarks: all.slice(start, start + query.limit), note }
  }

  /** Words as a caller may know them: of bookmarks they may see. */
  function wordsFor(caller: Caller): CountWord {
    const plan = filters(caller, {})
    if (plan === 'nothing') return () => 0
    return (word, most) => search.matching('bookmark_texts', `"${word}"`, plan, most).length
  }

  function searchFurther(caller: Caller, query: BookmarkQuery, exact: BookmarkPage): BookmarkPage {
    if (query.words === undefined) return exact
    const parsed = parseQuery(query.words)
    const plan = planOf(caller, query, parsed)
    if (plan === 'nothing') return exact
    if (exact.total > 0) return filledUp(exact, parsed, plan, query)
    const continued = query.typing ? NOTHING : found(parsed, true, plan, query)
    if (continued.total > 0) return continued
    for (const { query: other, note } of finder.alternatives(parsed, wordsFor(caller))) {
      const instead = found(other, false, plan, query)
      if (instead.total > 0) return { ...instead, note }
    }
    return NOTHING
  }

  return {
    /**
     * A search that is sure to be over in a few milliseconds in a library of any size; `undefined` where it may not be.
     * `whole` says whether it found enough; else `searchFurther` may find more.
     */
    searchQuickly(caller: Caller, query: BookmarkQuery): { page: BookmarkPage; whole: boolean } | undefined {
      const parsed = query.words === undefined ? undefined : parseQuery(query.words)
      const plan = planOf(caller, query, parsed)
      if (plan === 'nothing') return { page: NOTHING, whole: true }
      if (!parsed) {
        return listMayBeSlow(plan, query) || anyUnindexed() ? undefined : { page: listed(plan, query), whole: true }
      }
      const match = matchOf(parsed, query.typing === true)
      if (!match || matchMayBeSlow(match, plan, query, common())) return undefined
      const page = search.page(match, typedGroups(parsed), plan, query, isCommon(match, common()))
      return { page, whole: page.total >= query.limit || (page.total > 0 && !finder.isWord(parsed)) }
    },

    searchBookmarks(caller: Caller, query: BookmarkQuery): BookmarkPage {
      const parsed = query.words === undefined ? undefined : parseQuery(query.words)
      const plan = planOf(caller, query, parsed)
      if (plan === 'nothing') return NOTHING
      if (!parsed) return listed(plan, query)
      if (parsed.all.length === 0) {
        const except = exceptOf(parsed)
        return except === undefined && !parsed.is ? NOTHING : listed(plan, query, except)
      }
      const exact = found(parsed, query.typing === true, plan, query)
      return exact.total >= query.limit || exact.atLeast ? exact : searchFurther(caller, query, exact)
    },

    /**
     * What a search may have meant, where it found less than a page: titles that hold the word within another, words
     * that begin so, that contain these, or that are spelled nearly so.
     *
     * @param exact what was found
     */
    searchFurther,

    countBookmarks(caller: Caller): number {
      const plan = filters(caller, {})
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

const NOTHING: BookmarkPage = { total: 0, atLeast: false, bookmarks: [] }

function typedGroups(query: ParsedQuery): string[][] {
  return query.all.map((group) => group.map((term) => term.text.toLowerCase()))
}
