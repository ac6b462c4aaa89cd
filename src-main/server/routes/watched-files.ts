import { Hono } from 'hono'
import type { Watching } from '../../actions/background/watching.ts'
import { Problem } from '../../contract/problem.ts'
import { type WatchedFile, WatchedFileRequest } from '../../contract/watched-file.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** Files that are imported again whenever they change: list, watch, stop. */
export function watchedFileRoutes({ watching }: ServerContext) {
  return new Hono()
    .get('/', async (c) => {
      const files = (await watching?.list()) ?? []
      return c.json({ files: files.map(shown), found: (await watching?.found()) ?? [] })
    })
    .post('/', body(WatchedFileRequest), async (c) =>
      c.json(shown(await present(watching).watch(c.req.valid('json').file)))
    )
    .delete('/', query(WatchedFileRequest), async (c) => {
      await present(watching).unwatch(c.req.valid('query').file)
      return c.body(null, 204)
    })
}

function present(watching: Watching | undefined): Watching {
  if (!watching) throw new Problem('invalid', 'No file can be watched here.')
  return watching
}

function shown({ lastAt, ...file }: WatchedFile) {
  return { ...file, lastAt: isoTime(lastAt) }
}
