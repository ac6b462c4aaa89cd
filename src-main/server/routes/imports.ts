import { Hono } from 'hono'
import { z } from 'zod'
import { importLibrary } from '../../actions/import-library.ts'
import { undoImport } from '../../actions/undo-import.ts'
import { PROFILE } from '../../contract/caller.ts'
import { Problem } from '../../contract/problem.ts'
import { query } from '../body.ts'
import type { ServerContext } from '../context.ts'

const ImportQuery = z.strictObject({
  format: z.string().max(32).optional(),
  'dry-run': z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
})

/** Imports the bookmark file that is the request's body, as it arrives; it has no size limit. Lists and undoes imports. */
export function importRoutes({ ports }: ServerContext) {
  return new Hono()
    .post('/', query(ImportQuery), async (c) => {
      const { body } = c.req.raw
      if (!body) throw new Problem('invalid', 'Send the bookmark file as the body.')
      const { format, 'dry-run': dryRun } = c.req.valid('query')
      return c.json(await importLibrary(ports, PROFILE, body, { ...(format && { format }), dryRun }))
    })
    .get('/', async (c) => {
      const imports = await ports.library.listImports()
      return c.json(
        imports.map(({ id, at, imported, undoneAt }) => ({
          id,
          at: new Date(at).toISOString(),
          imported,
          undone: undoneAt !== null
        }))
      )
    })
    .post('/:id/undo', async (c) => {
      const id = Number(c.req.param('id'))
      if (!Number.isSafeInteger(id) || id < 1) throw new Problem('not-found', 'There is no such import.')
      return c.json(await undoImport(ports, id))
    })
}
