import type { Bookmark } from '../../contract/bookmark.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'
import { createFilterCounts } from '../search/filter-counts.ts'
import { bookmarkRows } from './bookmark-rows.ts'

/** Single bookmarks, and how many there are. */
export const lookups = readingFamily({ here: bookmarkLookups })

/** What of the profile's can be asked for without any search. */
function bookmarkLookups(db: ReadConnection) {
  const { bookmarks: fetch } = bookmarkRows(db)
  const find = db.prepare('SELECT id FROM bookmarks WHERE public_id = ?').pluck()
  const { countByKind } = createFilterCounts(db)
  return {
    countByKind,
    findBookmark(id: string): Bookmark | undefined {
      const rowId = find.get(id) as number | undefined
      return rowId === undefined ? undefined : fetch([rowId])[0]
    }
  }
}
