import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Hono } from 'hono'
import { z } from 'zod'
import { backUpNow, chooseBackupFolder, restoreBackup } from '../../actions/backups.ts'
import { countPagesToRead } from '../../actions/bookmarks/read-bookmark.ts'
import { examineLibrary, findNewestVersion } from '../../actions/doctor.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { Backup, DoctorReport } from '../../contract/doctor.ts'
import { endpointOf, programOrigin } from '../../contract/endpoint.ts'
import { SettingsChange } from '../../contract/settings.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'
import type { OwnerEnv } from '../owner-only.ts'

/** Routes that say what the service is and holds. */
export function statusRoutes({ ports, version, site, program, ownFolder, surroundings }: ServerContext) {
  const startedAt = isoTime(ports.now())
  const newest = new Hono().post('/newest-version', async (c) => c.json(await findNewestVersion(ports, version, site)))
  return newest.get('/', async (c) => {
    const origin = programOrigin(new URL(c.req.url).port)
    const keys = await ports.library.listKeys()
    const { folder, bytes } = await ports.library.measure()
    const [backup] = await ports.library.listBackups()
    return c.json({
      version,
      /** How a host starts our commands. */
      program: { command: program.command, args: program.args },
      url: origin,
      mcp: endpointOf(origin),
      bookmarks: await ports.library.countBookmarks(PROFILE),
      /** Above 0 while the search index is being rebuilt. */
      unindexed: await ports.library.countUnindexed(),
      /** Pages of bookmarks that are yet to be fetched; counted up to 10,000. */
      unread: await countPagesToRead(ports),
      /** Whether pages can be fetched at all: not where it was started with --no-fetch. */
      fetches: ports.web !== undefined,
      keys: keys.filter((key) => key.revokedAt === null).length,
      /** In bytes, with the log that is not yet in the file. */
      librarySize: bytes,
      dataFolder: folder,
      /** Where it writes what should not have happened. */
      log: join(folder, 'earmark.log'),
      /** The same where commands must be told of it: it is not the platform's own. */
      ownFolder: ownFolder ?? null,
      /** The program that syncs the data folder with other places, where one does. */
      syncedBy: surroundings.syncedBy() ?? null,
      /** Damage was found in the library; what can be read still is. */
      damaged: await ports.library.isDamaged(),
      /** The log was missing when the library was opened, so the last saved bookmarks may be gone. */
      lostLog: await ports.library.lostLog(),
      lastBackupAt: backup ? isoTime(backup.at) : null,
      startedAt
    })
  })
}

/** The owner's settings: read all, change some. */
export function settingRoutes({ ports }: ServerContext) {
  const { library } = ports
  return new Hono()
    .get('/', async (c) => c.json(await library.readSettings()))
    .patch('/', body(SettingsChange), async (c) => {
      const { backupFolder, ...change } = c.req.valid('json')
      if (backupFolder !== undefined) await chooseBackupFolder(ports, backupFolder)
      await library.writeSettings(change)
      return c.json(await library.readSettings())
    })
}

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

/** Looks for what is wrong; whoever asks meanwhile gets the same answer. */
export function doctorRoutes({ ports, surroundings }: ServerContext) {
  let underWay: Promise<DoctorReport> | undefined
  return new Hono().post('/', async (c) => {
    underWay ??= examineLibrary(ports, surroundings, new URL(c.req.url).origin).finally(() => {
      underWay = undefined
    })
    return c.json(await underWay)
  })
}

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

/** The client's name for work of many steps, to follow and stop it. */
export const WorkName = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(64)
    .default(() => randomUUID())
})
