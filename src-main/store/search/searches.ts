import type { BookmarkPage, BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { planPermission } from '../../search/sql/filters.ts'
import { findPage } from '../../search/sql/search-page.ts'
import { bookmarksAt } from '../bookmarks/bookmark-rows.ts'
import type { ReadConnection } from '../connection.ts'
import { readValue } from '../statements.ts'

/**
 * Finds by words and filters. `note` says what was searched for instead, and of an empty page why it is. A caller never
 * learns of a bookmark it may not see, not even by counting.
 */
export function searchBookmarks(db: ReadConnection, caller: Caller, query: BookmarkQuery): BookmarkPage {
  const { ids, ...page } = findPage(db, caller, query)
  return { ...page, bookmarks: bookmarksAt(db, ids) }
}

/** Counts the bookmarks that the caller may see. */
export function countBookmarks(db: ReadConnection, caller: Caller): number {
  const { condition, values } = planPermission(db, caller)
  const where = ['b.deleted_at IS NULL', condition].filter((part) => part !== '').join(' AND ')
  return readValue(db, `SELECT count(*) FROM bookmarks b WHERE ${where}`, values) ?? 0
}
