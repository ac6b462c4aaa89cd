import { Hono } from 'hono'
import { undoChange } from '../../actions/bookmarks/undo.ts'
import { Problem } from '../../contract/problem.ts'
import { query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { rowIdIn } from '../row-id.ts'
import { WorkName } from './work-name.ts'

/** Takes back a change of the dashboard's, or what took one back. */
export function undoRoutes({ ports, work }: ServerContext) {
  return new Hono().post('/:id', query(WorkName), async (c) => {
    const id = rowIdIn(c.req.param('id'))
    if (!id) throw new Problem('not-found', 'There is no such change.')
    const { name } = c.req.valid('query')
    return c.json(await work.run(name, ({ onProgress }) => undoChange(ports, id, onProgress)))
  })
}
