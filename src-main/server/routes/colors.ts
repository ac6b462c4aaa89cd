import { Hono } from 'hono'
import { z } from 'zod'
import { similarColors, similarImages } from '../../actions/bookmarks/similar-colors.ts'
import type { SimilarColor } from '../../contract/color.ts'
import { query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { shownBookmark } from '../shown-bookmark.ts'

const SimilarQuery = z.strictObject({
  to: z.string().min(1).max(200),
  except: z.string().min(1).max(64).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(12)
})

/** The owner's colors and images that look like a color, nearest first; `distance` 0 is the same color. */
export function colorRoutes({ ports }: ServerContext) {
  return new Hono().get('/similar', query(SimilarQuery), async (c) => {
    const { to, ...range } = c.req.valid('query')
    const colors = await similarColors(ports, to, range)
    const images = await similarImages(ports, to, range)
    return c.json({ colors: colors.map(shown), images: images.map(shown) })
  })
}

function shown({ distance, bookmark }: SimilarColor) {
  return { distance, bookmark: shownBookmark(bookmark) }
}
