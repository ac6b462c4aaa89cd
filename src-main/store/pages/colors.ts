import type { SimilarColor } from '../../contract/color.ts'
import { bookmarkRows } from '../bookmarks/bookmark-rows.ts'
import type { ReadConnection } from '../connection.ts'
import { readingFamily } from '../family.ts'

/** Two colors further apart are of different names to most people. */
const MOST_APART = 0.15

/** What looks like a color. */
export const colors = readingFamily({ slow: colorReads })

/**
 * Finds colors and images by how they look. There are as many colors as a person saved by hand, so each is looked at; of
 * images an index gives those that may be near.
 */
function colorReads(db: ReadConnection) {
  const { bookmarks } = bookmarkRows(db)
  const colors = db.prepare(
    `SELECT id, content FROM bookmarks INDEXED BY bookmarks_by_content
     WHERE page_key IS NULL AND type = 'color' AND deleted_at IS NULL`
  )
  const images = db.prepare(
    `SELECT c.bookmark_id AS id, min((c.l - @l) * (c.l - @l) + (c.a - @a) * (c.a - @a) + (c.b - @b) * (c.b - @b)) AS apart
     FROM picture_colors c INDEXED BY picture_colors_by_color JOIN bookmarks b ON b.id = c.bookmark_id
     WHERE c.l BETWEEN @l - @most AND @l + @most AND c.a BETWEEN @a - @most AND @a + @most
       AND c.b BETWEEN @b - @most AND @b + @most AND b.deleted_at IS NULL AND b.type = 'image'
     GROUP BY c.bookmark_id HAVING apart <= @most * @most ORDER BY apart, c.bookmark_id DESC LIMIT @limit`
  )
  const shown = ({ id, apart }: { id: number; apart: number }) =>
    bookmarks([id]).map((bookmark) => ({ distance: apart, bookmark }))
  return {
    async similarImages(color: string, limit: number): Promise<SimilarColor[]> {
      const { placeOf } = await colorMath()
      const place = placeOf(color)
      if (!place) return []
      const { l, a, b } = place
      const near = images.all({ l, a, b, most: MOST_APART, limit }) as { id: number; apart: number }[]
      return near.flatMap(({ id, apart }) => shown({ id, apart: Math.sqrt(apart) }))
    },
    async similarColors(color: string, limit: number): Promise<SimilarColor[]> {
      const { distance, placeOf } = await colorMath()
      const place = placeOf(color)
      if (!place) return []
      const near = (colors.all() as { id: number; content: string }[]).flatMap(({ id, content }) => {
        const other = placeOf(content)
        const apart = other ? distance(place, other) : Number.POSITIVE_INFINITY
        return apart <= MOST_APART ? [{ id, apart }] : []
      })
      near.sort((one, other) => one.apart - other.apart || other.id - one.id)
      return near.slice(0, limit).flatMap(shown)
    }
  }
}

/** Loaded when asked: it is much for a thread that starts. */
const colorMath = () => import('../../core/color.ts')
