import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { z } from 'zod'
import { importLibrary } from '../../actions/imports/import-library.ts'
import { undoImport } from '../../actions/imports/undo-import.ts'
import { PROFILE } from '../../contract/caller.ts'
import { Problem } from '../../contract/problem.ts'
import { isoTime } from '../../core/iso-time.ts'
import { query } from '../body.ts'
import { anySize } from '../body-limits.ts'
import type { ServerContext } from '../context.ts'
import { rowIdIn } from '../row-id.ts'
import { WorkName } from './work-name.ts'

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true')

const ImportQuery = z.strictObject({
  /** The sender's name for this import, to follow and stop it. */
  name: z.string().min(1).max(64).optional(),
  format: z.string().max(32).optional(),
  encoding: z.string().max(64).optional(),
  'dry-run': flag,
  /** Where the file lies, if it is watched: what it gave before is not new. */
  watched: z.string().min(1).max(4096).optional()
})

/**
 * Imports the bookmark file that is the request's body, as it arrives; it has no size limit. Watches, stops, lists and
 * undoes imports.
 */
export function importRoutes({ ports, imports: running, work }: ServerContext) {
  return new Hono()
    .post('/', anySize, query(ImportQuery), async (c) => {
      const { body } = c.req.raw
      if (!body) throw new Problem('invalid', 'Send the bookmark file as the body.')
      const { name = randomUUID(), format, encoding, 'dry-run': dryRun, watched } = c.req.valid('query')
      const report = await running.run(name, (control) =>
        importLibrary(ports, PROFILE, body, { ...control, format, encoding, dryRun, watched })
      )
      return c.json(report)
    })
    .get('/running/:name', (c) => c.json(running.progressOf(c.req.param('name'))))
    .post('/running/:name/cancel', async (c) => c.json(await running.cancel(c.req.param('name'))))
    .get('/', async (c) => {
      const imports = await ports.library.listImports()
      return c.json(
        imports.map(({ id, at, imported, undoneAt, joined }) => ({
          id,
          at: isoTime(at),
          imported,
          undone: undoneAt !== null,
          joined: joined === 1
        }))
      )
    })
    .post('/:id/undo', query(WorkName), async (c) => {
      const id = rowIdIn(c.req.param('id')) ?? 0
      if (id < 1) throw new Problem('not-found', 'There is no such import.')
      running.refuseWhileAny()
      return c.json(await work.run(c.req.valid('query').name, (control) => undoImport(ports, id, control)))
    })
}
