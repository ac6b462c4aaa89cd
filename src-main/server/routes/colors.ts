import { Hono } from 'hono'
import { z } from 'zod'
import { similarColors } from '../../actions/similar-colors.ts'
import { query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { shownBookmark } from '../shown-bookmark.ts'

const SimilarQuery = z.strictObject({
  to: z.string().min(1).max(200),
  except: z.string().min(1).max(64).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(12)
})

/** The owner's colors that look like one, nearest first; `distance` 0 is the same color. */
export function colorRoutes({ ports }: ServerContext) {
  return new Hono().get('/similar', query(SimilarQuery), async (c) => {
    const { to, ...range } = c.req.valid('query')
    const found = await similarColors(ports, to, range)
    return c.json({ colors: found.map(({ distance, bookmark }) => ({ distance, bookmark: shownBookmark(bookmark) })) })
  })
}
