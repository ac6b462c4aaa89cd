import { Hono } from 'hono'
import { emptyTrash } from '../../actions/bookmarks/purge-trash.ts'
import type { ServerContext } from '../context.ts'

/** Deletes for good everything in the trash. */
export function trashRoutes({ ports }: ServerContext) {
  return new Hono().delete('/', async (c) => c.json({ purged: await emptyTrash(ports) }))
}
