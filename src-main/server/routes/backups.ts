import { Hono } from 'hono'
import { backUpNow, restoreBackup } from '../../actions/library/backups.ts'
import type { Backup } from '../../contract/backup.ts'
import { isoTime } from '../../core/iso-time.ts'
import type { ServerContext } from '../context.ts'
import type { OwnerEnv } from '../owner-only.ts'

/** Lists backups, newest first, and how their copies elsewhere are; makes one, and puts one in the place of the library. */
export function backupRoutes(context: ServerContext) {
  const { ports } = context
  return new Hono<OwnerEnv>()
    .get('/', async (c) => c.json((await ports.library.listBackups()).map(shown)))
    .post('/', async (c) => c.json(shown(await backUpNow(ports)), 201))
    .get('/copies', async (c) => {
      const { backupFolder } = await ports.library.readSettings()
      const fault = backupFolder === null ? undefined : await ports.library.copyFault(backupFolder)
      return c.json({ folder: backupFolder, fault: fault ?? null })
    })
    .post('/:name/restore', async (c) => {
      const proof = c.get('proof')
      const secret = proof.kind === 'session' ? proof.secret : undefined
      const { from, ...report } = await restoreBackup(context, c.req.param('name'), secret)
      return c.json({ ...report, from: isoTime(from) })
    })
}

function shown({ at, ...backup }: Backup) {
  return { ...backup, at: isoTime(at) }
}
