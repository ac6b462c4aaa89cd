import { Hono } from 'hono'
import { z } from 'zod'
import { connectEditor } from '../../actions/keys/connect-editor.ts'
import { ConnectRequest } from '../../contract/editor.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

const UndoRequest = z.strictObject({ dryRun: z.boolean().default(false) })

/** The editors of this machine: which there are, and writing Earmark into their files and out of them again. */
export function editorRoutes({ ports, program, ownFolder }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(await (await ports.editors()).list()))
    .post('/:id/connect', body(ConnectRequest), async (c) =>
      c.json(await connectEditor(ports, c.req.param('id'), c.req.valid('json'), { program, data: ownFolder }))
    )
    .post('/:id/disconnect', body(UndoRequest), async (c) =>
      c.json(await (await ports.editors()).disconnect(c.req.param('id'), c.req.valid('json').dryRun))
    )
}
