import type { Bookmark } from '../../contract/bookmark.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValue } from '../../database/sql.ts'
import { bookmarksAt } from './bookmark-rows.ts'

/** Returns a bookmark, in the trash or not. */
export function findBookmark(db: ReadConnection, id: string): Bookmark | undefined {
  return bookmarkAt(db, readValue<number>(db)`SELECT id FROM bookmarks WHERE public_id = ${id}`)
}

/** Returns the bookmark that is this page outside the trash: the profile's, else an organization's. */
export function findSaved(db: ReadConnection, pageKey: string): Bookmark | undefined {
  const rowId = readValue<number>(db)`
    SELECT b.id FROM (SELECT 0 AS owner UNION ALL SELECT id FROM organizations) o
    CROSS JOIN bookmarks b INDEXED BY bookmarks_by_page ON ifnull(b.organization_id, 0) = o.owner
      AND b.page_key = ${pageKey}
    WHERE b.deleted_at IS NULL ORDER BY o.owner LIMIT 1`
  return bookmarkAt(db, rowId)
}

function bookmarkAt(db: ReadConnection, rowId: number | undefined): Bookmark | undefined {
  return rowId === undefined ? undefined : bookmarksAt(db, [rowId])[0]
}
