import type { Bookmark } from '../../contract/bookmark.ts'
import { countByKind } from '../../search/sql/filter-counts.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'
import { bookmarkRows } from './bookmark-rows.ts'

/** Single bookmarks, and how many there are. */
export const lookups = readingFamily({ here: bookmarkLookups })

/** What of the profile's can be asked for without any search. */
function bookmarkLookups(db: ReadConnection) {
  const { bookmarks: fetch } = bookmarkRows(db)
  const one = (rowId: unknown): Bookmark | undefined => (typeof rowId === 'number' ? fetch([rowId])[0] : undefined)
  const find = db.prepare('SELECT id FROM bookmarks WHERE public_id = ?').pluck()
  const saved = db
    .prepare(
      `SELECT b.id FROM (SELECT 0 AS owner UNION ALL SELECT id FROM organizations) o
       CROSS JOIN bookmarks b INDEXED BY bookmarks_by_page ON ifnull(b.organization_id, 0) = o.owner AND b.page_key = ?
       WHERE b.deleted_at IS NULL ORDER BY o.owner LIMIT 1`
    )
    .pluck()
  return {
    countByKind: () => countByKind(db),
    findBookmark: (id: string) => one(find.get(id)),
    findSaved: (pageKey: string) => one(saved.get(pageKey))
  }
}
