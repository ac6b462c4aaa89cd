import { Hono } from 'hono'
import { undoChange } from '../../actions/bookmarks/undo-change.ts'
import { Problem } from '../../contract/problem.ts'
import type { ServerContext } from '../context.ts'

/** Takes back a change of the dashboard's. */
export function undoRoutes({ ports }: ServerContext) {
  return new Hono().post('/:id', async (c) => {
    const id = Number(c.req.param('id'))
    if (!Number.isSafeInteger(id) || id < 1) throw new Problem('not-found', 'There is no such change.')
    return c.json(await undoChange(ports, id))
  })
}
