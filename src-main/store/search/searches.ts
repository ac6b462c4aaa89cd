import type { BookmarkPage, BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { CommonWords } from '../../search/sql/common-words.ts'
import { planPermission } from '../../search/sql/filters.ts'
import { type FoundPage, findPage, findPageQuickly } from '../../search/sql/search-page.ts'
import { bookmarkRows } from '../bookmarks/bookmark-rows.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'
import { readValue } from '../statements.ts'

/** Searches. */
export const searches = readingFamily({
  slow(db, common) {
    const { searchBookmarks, searchQuickly, ...reads } = bookmarkReads(db, common)
    return { ...reads, searchBookmarks: Object.assign(searchBookmarks, { quickly: searchQuickly }) }
  }
})

/**
 * Returns the searches of a library. A caller never learns of a bookmark it may not see, not even by counting.
 *
 * @param common returns the library's common words, as far as they are known by now
 */
export function bookmarkReads(db: ReadConnection, common: () => CommonWords | undefined = () => undefined) {
  const { bookmarks: fetch } = bookmarkRows(db)
  const withBookmarks = ({ ids, ...page }: FoundPage): BookmarkPage => ({ ...page, bookmarks: fetch(ids) })

  return {
    /** Searches where that is sure to take a few milliseconds in a library of any size; otherwise returns `undefined`. */
    searchQuickly(caller: Caller, query: BookmarkQuery): BookmarkPage | undefined {
      const page = findPageQuickly(db, caller, query, common())
      return page && withBookmarks(page)
    },

    /** Finds by words and filters. `note` says what was searched for instead, and of an empty page why it is. */
    searchBookmarks(caller: Caller, query: BookmarkQuery): BookmarkPage {
      return withBookmarks(findPage(db, caller, query, common()))
    },

    countBookmarks(caller: Caller): number {
      const { condition, values } = planPermission(db, caller)
      const where = ['b.deleted_at IS NULL', condition].filter((part) => part !== '').join(' AND ')
      return readValue(db, `SELECT count(*) FROM bookmarks b WHERE ${where}`, values) ?? 0
    }
  }
}
