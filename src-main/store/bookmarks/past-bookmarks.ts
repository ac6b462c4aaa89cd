import type { Bookmark } from '../../contract/bookmark.ts'
import type { ReadConnection } from '../connection.ts'
import { readValue } from '../statements.ts'
import { bookmarksAt } from './bookmark-rows.ts'
import { newestId } from './walk.ts'

/** Places that are looked at, and rows from each on: where few bookmarks are old, fewer are returned. */
const PLACES = 30
const ROWS = 2000

/** Returns some of the bookmarks from before a time, by chance, and none of those with the ids in `except`. */
export function pastBookmarks(db: ReadConnection, before: number, except: string[], most: number): Bookmark[] {
  const newest = newestId(db)
  const found = new Set<number>()
  for (let place = 0; place < PLACES && found.size < most; place++) {
    const from = 1 + Math.floor(Math.random() * newest)
    const rowId = readValue<number>(db)`
      SELECT id FROM bookmarks WHERE id BETWEEN ${from} AND ${from + ROWS} AND deleted_at IS NULL AND created_at < ${before}
        AND public_id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)})) LIMIT 1`
    if (rowId !== undefined) found.add(rowId)
  }
  return bookmarksAt(db, [...found])
}
