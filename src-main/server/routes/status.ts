import { join } from 'node:path'
import { Hono } from 'hono'
import { countPagesToRead } from '../../actions/bookmarks/read-bookmark.ts'
import { findNewestVersion } from '../../actions/library/newest-version.ts'
import { PROFILE } from '../../contract/caller.ts'
import { endpointOf, programOrigin } from '../../contract/endpoint.ts'
import { isoTime } from '../../core/iso-time.ts'
import type { ServerContext } from '../context.ts'

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
