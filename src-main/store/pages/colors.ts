import type { SimilarColor } from '../../contract/picture.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows } from '../../database/sql.ts'
import { bookmarksAt } from '../bookmarks/bookmark-rows.ts'

/** Two colors further apart are of different names to most people. */
const MAX_APART = 0.15

/** A row id, and how far its color is from the one that is asked for. */
interface Near {
  id: number
  apart: number
}

/** Returns images of which a large part looks like a color, nearest first. An index gives those that may be near. */
export async function similarImages(db: ReadConnection, color: string, limit: number): Promise<SimilarColor[]> {
  const { placeOf } = await colorMath()
  const place = placeOf(color)
  if (!place) return []
  const { l, a, b } = place
  const near = readRows<Near>(db)`
    SELECT c.bookmark_id AS id,
      min((c.l - ${l}) * (c.l - ${l}) + (c.a - ${a}) * (c.a - ${a}) + (c.b - ${b}) * (c.b - ${b})) AS apart
    FROM picture_colors c INDEXED BY picture_colors_by_color JOIN bookmarks b ON b.id = c.bookmark_id
    WHERE c.l BETWEEN ${l} - ${MAX_APART} AND ${l} + ${MAX_APART} AND c.a BETWEEN ${a} - ${MAX_APART}
      AND ${a} + ${MAX_APART}
      AND c.b BETWEEN ${b} - ${MAX_APART} AND ${b} + ${MAX_APART} AND b.deleted_at IS NULL AND b.type = 'image'
    GROUP BY c.bookmark_id HAVING apart <= ${MAX_APART} * ${MAX_APART}
      ORDER BY apart, c.bookmark_id DESC LIMIT ${limit}`
  return near.flatMap(({ id, apart }) => withBookmark(db, { id, apart: Math.sqrt(apart) }))
}

/** Returns colors that look like one, nearest first. Each is looked at: there are as many as a person saved by hand. */
export async function similarColors(db: ReadConnection, color: string, limit: number): Promise<SimilarColor[]> {
  const { distance, placeOf } = await colorMath()
  const place = placeOf(color)
  if (!place) return []
  const colors = readRows<{ id: number; content: string }>(db)`
    SELECT id, content FROM bookmarks INDEXED BY bookmarks_by_content
    WHERE page_key IS NULL AND type = 'color' AND deleted_at IS NULL`
  const near = colors.flatMap(({ id, content }): Near[] => {
    const other = placeOf(content)
    const apart = other ? distance(place, other) : Number.POSITIVE_INFINITY
    return apart <= MAX_APART ? [{ id, apart }] : []
  })
  near.sort((one, other) => one.apart - other.apart || other.id - one.id)
  return near.slice(0, limit).flatMap((one) => withBookmark(db, one))
}

function withBookmark(db: ReadConnection, { id, apart }: Near): SimilarColor[] {
  return bookmarksAt(db, [id]).map((bookmark) => ({ distance: apart, bookmark }))
}

/** Loaded when asked: it is much for a thread that starts. */
const colorMath = () => import('../../core/color.ts')
