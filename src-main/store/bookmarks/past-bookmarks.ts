import type { Bookmark } from '../../contract/bookmark.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValue } from '../../database/sql.ts'
import { bookmarksAt } from './bookmark-rows.ts'
import { newestId } from './walk.ts'

/** Parts of the library that are looked at, and rows of each: where few bookmarks are old, fewer are returned. */
const PARTS = 30
const ROWS = 2000

/** Returns some of the bookmarks from before a time, by chance; none opened since, and none with the ids in `except`. */
export function pastBookmarks(db: ReadConnection, before: number, except: string[], most: number): Bookmark[] {
  const newest = newestId(db)
  const found: number[] = []
  for (let part = 0; part < PARTS && found.length < most; part++) {
    const first = ROWS * Math.floor((Math.random() * (newest + 1)) / ROWS)
    const rowId = readValue<number>(db)`
      SELECT id FROM bookmarks WHERE id >= ${first} AND id < ${first + ROWS} AND deleted_at IS NULL
        AND created_at < ${before} AND public_id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)}))
        AND id NOT IN (SELECT value FROM json_each(${JSON.stringify(found)}))
        AND id NOT IN (SELECT bookmark_id FROM openings WHERE opened_at >= ${before}) ORDER BY random() LIMIT 1`
    if (rowId !== undefined) found.push(rowId)
  }
  return bookmarksAt(db, found)
}
