import { Hono } from 'hono'
import { undoInsert } from '../../actions/bookmarks/undo.ts'
import { Problem } from '../../contract/problem.ts'
import type { ServerContext } from '../context.ts'
import { rowIdIn } from '../row-id.ts'

/** Takes back what a call saved. */
export function callRoutes({ ports }: ServerContext) {
  return new Hono().post('/:id/undo', async (c) => {
    const id = rowIdIn(c.req.param('id')) ?? 0
    if (id < 1) throw new Problem('not-found', 'There is no such call.')
    return c.json(await undoInsert(ports, id))
  })
}
