import { Hono } from 'hono'
import type { ServerContext } from '../context.ts'

/** Long changes under way, by the names their requests gave them: how far one is, and an end to it. */
export function workRoutes({ work, onClose }: ServerContext) {
  onClose(() => work.stopAll())
  return new Hono()
    .get('/:name', (c) => c.json(work.progressOf(c.req.param('name'))))
    .post('/:name/cancel', async (c) => {
      await work.cancel(c.req.param('name')).catch(() => {}) // whoever began it is told
      return c.body(null, 204)
    })
}
