import type { BookmarkPage, BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { pastEnd } from '../../search/hint.ts'
import { matchOf } from '../../search/match.ts'
import { type Asked, asksNothing, searchAnswers } from '../../search/sql/answers.ts'
import type { CommonWords } from '../../search/sql/common-words.ts'
import { planFilters } from '../../search/sql/filter-plan.ts'
import { FEW, type Forgiving } from '../../search/sql/forgiving-search.ts'
import { listMayBeSlow, matchMayBeSlow } from '../../search/sql/may-be-slow.ts'
import { unindexedReads } from '../../search/sql/unindexed.ts'
import { whyNothing } from '../../search/sql/why-nothing.ts'
import { bookmarkRows } from '../bookmarks/bookmark-rows.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'

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
  const filters = planFilters(db)
  const { bookmarks: fetch } = bookmarkRows(db)
  const { asked, planned, listed, exactly, answer } = searchAnswers(db, common)
  const why = whyNothing(db, (caller, query, parsed) =>
    answer(planned(caller, query, parsed && asksNothing(parsed) ? undefined : parsed))
  )
  const { anyUnindexed } = unindexedReads(db)

  function pageOf({ ids, total, atLeast, note, relaxed }: Forgiving, { page, limit }: BookmarkQuery): BookmarkPage {
    const start = (page - 1) * limit
    return { total, atLeast, bookmarks: fetch(ids.slice(start, start + limit)), note, relaxed }
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
      return db.prepare(`SELECT count(*) FROM bookmarks b WHERE ${where}`).pluck().get(plan.allValues) as number
    }
  }
}
