import { Hono } from 'hono'
import { backUpNow } from '../../actions/back-up-library.ts'
import type { Backup } from '../../contract/backup.ts'
import type { ServerContext } from '../context.ts'

/** Lists backups, newest first, and makes one. */
export function backupRoutes({ ports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json((await ports.library.listBackups()).map(shown)))
    .post('/', async (c) => c.json(shown(await backUpNow(ports)), 201))
}

function shown({ at, ...backup }: Backup) {
  return { ...backup, at: new Date(at).toISOString() }
}
