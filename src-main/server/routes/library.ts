import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Hono } from 'hono'
import { z } from 'zod'
import { backUpNow, chooseBackupFolder, restoreBackup } from '../../actions/backups.ts'
import { countPagesToRead } from '../../actions/bookmarks/read-bookmark.ts'
import { walkOf } from '../../actions/bookmarks/search-bookmarks.ts'
import { examineLibrary, findNewestVersion, writeReport } from '../../actions/doctor.ts'
import { beginLinkCheck, type LinkCheckStatus, linkCheckStatus } from '../../actions/link-checks.ts'
import { filterQuery } from '../../contract/bookmark-list.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { Backup, DoctorReport } from '../../contract/doctor.ts'
import { endpointAddress, programOrigin } from '../../contract/endpoint.ts'
import { SettingsChange } from '../../contract/settings.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'
import type { OwnerEnv } from '../identify.ts'

/** The state of the service and its library. */
export function statusRoutes({ ports, version, site, startedAt, program, ownFolder, surroundings }: ServerContext) {
  const newest = new Hono().post('/newest-version', async (c) => c.json(await findNewestVersion(ports, version, site)))
  const report = newest.get('/report', async (c) =>
    c.json({ report: await writeReport(ports, { version, startedAt, surroundings }) })
  )
  return report.get('/', async (c) => {
    const origin = programOrigin(new URL(c.req.url).port)
    const keys = await ports.library.listKeys()
    const { folder, bytes } = ports.library.measure()
    const [backup] = await ports.library.listBackups()
    return c.json({
      version,
      /** How other programs start Earmark's commands. */
      program: { command: program.command, args: program.args },
      url: origin,
      mcp: endpointAddress(origin),
      bookmarks: await ports.library.countBookmarks(PROFILE),
      /** The copies of pages, and their size in bytes. */
      copies: await ports.library.measureCopies(),
      /** Bookmarks that are not yet in the search index. */
      unindexed: await ports.library.countUnindexed(),
      /** Pages that are not yet fetched; counted up to 10,000. */
      unread: await countPagesToRead(ports),
      /** False if Earmark was started with --no-fetch. */
      fetches: ports.web !== undefined,
      keys: keys.filter((key) => key.revokedAt === null).length,
      /** In bytes, with the write-ahead log. */
      librarySize: bytes,
      dataFolder: folder,
      log: join(folder, 'earmark.log'),
      /** The data folder if commands need it as an argument, because it is not the platform's default. */
      ownFolder: ownFolder ?? null,
      /** The program that synchronizes the data folder with other machines, if there is one. */
      syncedBy: surroundings.syncedBy() ?? null,
      damaged: ports.library.isDamaged(),
      /** The write-ahead log was missing when the library was opened, so the last bookmarks may be lost. */
      lostLog: ports.library.lostLog(),
      lastBackupAt: backup ? isoTime(backup.at) : null,
      startedAt: isoTime(startedAt)
    })
  })
}

export function settingRoutes({ ports, folderKeeping }: ServerContext) {
  const { library } = ports
  return new Hono()
    .get('/', async (c) => c.json(await library.readSettings()))
    .patch('/', body(SettingsChange), async (c) => {
      const { backupFolder, markdownFolder, ...change } = c.req.valid('json')
      if (backupFolder !== undefined) await chooseBackupFolder(ports, backupFolder)
      if (markdownFolder !== undefined) await folderKeeping.choose(markdownFolder)
      await library.writeSettings(change)
      return c.json(await library.readSettings())
    })
    .get('/markdown-folder', async (c) => c.json(await folderKeeping.state()))
}

/** Backups, their copies in another folder, and restoring. */
export function backupRoutes(context: ServerContext) {
  const { ports } = context
  return new Hono<OwnerEnv>()
    .get('/', async (c) => c.json((await ports.library.listBackups()).map(showBackup)))
    .post('/', async (c) => c.json(showBackup(await backUpNow(ports)), 201))
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

function showBackup({ at, ...backup }: Backup) {
  return { ...backup, at: isoTime(at) }
}

/** Examines the library. Requests that arrive during an examination get its result. */
export function doctorRoutes({ ports, surroundings }: ServerContext) {
  let running: Promise<DoctorReport> | undefined
  return new Hono().post('/', async (c) => {
    running ??= examineLibrary(ports, surroundings, new URL(c.req.url).origin).finally(() => {
      running = undefined
    })
    return c.json(await running)
  })
}

/** Progress of long changes, by the names that their requests gave them, and cancelling them. */
export function workRoutes({ work, closing }: ServerContext) {
  closing.addEventListener('abort', () => work.stopAll())
  return new Hono()
    .get('/:name', (c) => c.json(work.progressOf(c.req.param('name'))))
    .post('/:name/cancel', async (c) => {
      await work.cancel(c.req.param('name')).catch(() => {}) // the request that started it reports errors
      return c.body(null, 204)
    })
}

/** The name that a client gives a long change, to follow and cancel it. */
export const WorkName = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(64)
    .default(() => randomUUID())
})

/** Maximum number of broken or moved links in an answer. */
const MAX_MARKED = 1000

const CheckRequest = z.union([
  z.strictObject({ ids: z.array(z.string().min(1).max(64)).min(1).max(1000) }),
  z.strictObject({ words: z.string().trim().min(1).max(1000).optional(), ...filterQuery })
])

/** The current or last link check, and its results. */
export function linkCheckRoutes({ ports, linkChecks }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(showLinkChecks(await linkCheckStatus(ports))))
    .post('/', body(CheckRequest), async (c) => {
      const request = c.req.valid('json')
      if ('ids' in request) await beginLinkCheck(ports, request)
      else {
        const { words = '', ...filters } = request
        await beginLinkCheck(ports, await walkOf(ports, { ...filters, words, typing: false, trash: false }))
      }
      linkChecks?.start()
      return c.json(showLinkChecks(await linkCheckStatus(ports)), 202)
    })
    .post('/cancel', async (c) => {
      await ports.library.cancelLinkCheck(ports.now())
      return c.json(showLinkChecks(await linkCheckStatus(ports)))
    })
    .get('/unchecked', async (c) => c.json({ unchecked: await ports.library.countUnchecked() }))
    .get('/found', async (c) => {
      const check = await ports.library.linkCheck()
      return c.json(check ? await ports.library.markedLinks(check.beganAt, MAX_MARKED) : [])
    })
}

function showLinkChecks({ check, paused }: LinkCheckStatus) {
  if (!check) return { check, paused }
  const { beganAt, endedAt, ...rest } = check
  return { check: { ...rest, beganAt: isoTime(beganAt), endedAt: endedAt === null ? null : isoTime(endedAt) }, paused }
}
