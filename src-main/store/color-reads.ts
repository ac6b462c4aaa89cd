import type { SimilarColor } from '../contract/color.ts'
import { distance, placeOf } from '../core/color.ts'
import { bookmarkRows } from './bookmark-rows.ts'
import type { ReadConnection } from './connection.ts'

/** Two colors further apart are of different names to most people. */
const MOST_APART = 0.15

/** Finds colors by how they look. There are as many as a person saved by hand, so each is looked at. */
export function colorReads(db: ReadConnection) {
  const { bookmarks } = bookmarkRows(db)
  const colors = db.prepare(
    `SELECT id, content FROM bookmarks INDEXED BY bookmarks_by_content
     WHERE page_key IS NULL AND type = 'color' AND deleted_at IS NULL`
  )
  return {
    similarColors(color: string, limit: number): SimilarColor[] {
      const place = placeOf(color)
      if (!place) return []
      const near = (colors.all() as { id: number; content: string }[]).flatMap(({ id, content }) => {
        const other = placeOf(content)
        const apart = other ? distance(place, other) : Number.POSITIVE_INFINITY
        return apart <= MOST_APART ? [{ id, apart }] : []
      })
      near.sort((one, other) => one.apart - other.apart || other.id - one.id)
      return near
        .slice(0, limit)
        .flatMap(({ id, apart }) => bookmarks([id]).map((bookmark) => ({ distance: apart, bookmark })))
    }
  }
}
