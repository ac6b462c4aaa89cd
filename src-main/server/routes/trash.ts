import { Hono } from 'hono'
import { emptyTrash } from '../../actions/bookmarks/purge-trash.ts'
import { query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { WorkName } from './work-name.ts'

/** Deletes for good everything in the trash. */
export function trashRoutes({ ports, work }: ServerContext) {
  return new Hono().delete('/', query(WorkName), async (c) =>
    c.json({ purged: await work.run(c.req.valid('query').name, (control) => emptyTrash(ports, control)) })
  )
}
