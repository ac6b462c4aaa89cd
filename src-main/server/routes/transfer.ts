import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { z } from 'zod'
import type { Watching } from '../../actions/background/watching.ts'
import { filterOf, readTime } from '../../actions/bookmarks/search-bookmarks.ts'
import { exportLibrary } from '../../actions/imports/export-library.ts'
import { importLibrary, undoImport } from '../../actions/imports/import-library.ts'
import { identifySession } from '../../actions/keys/session.ts'
import { Ids } from '../../contract/bookmark-change.ts'
import { Flag, filterQuery } from '../../contract/bookmark-list.ts'
import { PROFILE } from '../../contract/caller.ts'
import {
  ExportFormatId,
  type ExportSelection,
  type WatchedFile,
  WatchedFileRequest
} from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { isoDay, isoTime } from '../../core/iso-time.ts'
import { anySize, body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import type { OwnerProof } from '../identify.ts'
import type { OwnerEnv } from '../owner-only.ts'
import { rowIdIn } from '../row-id.ts'
import { WorkName } from './library.ts'

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

const ExportQuery = z.strictObject({
  /** Stands in for the session where a link fetches the file. */
  ticket: z.string().max(64).optional(),
  format: ExportFormatId,
  words: z.string().trim().min(1).max(1000).optional(),
  typing: Flag.optional(),
  ...filterQuery
})

/** The bookmarks of a list to write into the file; all of them without. */
const TicketRequest = z.strictObject({ ids: Ids.min(1).optional(), except: Ids.optional() })

/** Tickets that wait for their files, at most. */
const MOST_WAITING = 8

/** The bookmarks that a ticket exports, and the proof of who asked for it. */
interface Wanted {
  selection?: ExportSelection | undefined
  proof: OwnerProof
}

/**
 * Exports the library, or what words and filters let through, as a file that is written as it is read, for as long as the
 * session lasts that asked for it.
 */
export function exportRoutes({ ports, exportTickets, onBug }: ServerContext) {
  const waiting = new Map<string, Wanted>()

  async function assertLoggedIn(proof: OwnerProof): Promise<void> {
    if (proof.kind === 'command-line') return
    if (proof.kind === 'session' && (await identifySession(ports, proof.secret))) return
    throw new Problem('expired', 'The session ended. Log in and export again.')
  }

  return new Hono<OwnerEnv>()
    .post('/tickets', body(TicketRequest), (c) => {
      const ticket = exportTickets.mint()
      const { ids, except } = c.req.valid('json')
      for (const old of [...waiting.keys()].slice(0, 1 - MOST_WAITING)) waiting.delete(old)
      waiting.set(ticket, { selection: ids ? { ids } : except && { except }, proof: c.get('proof') })
      return c.json({ ticket }, 201)
    })
    .get('/', query(ExportQuery), async (c) => {
      const { format, words, typing, ticket = '', ...asked } = c.req.valid('query')
      const { note: _, ...choice } = await readTime(ports, PROFILE, {
        ...(await filterOf(ports, asked)),
        words,
        typing
      })
      const { exportFormats } = await ports.formats()
      const { selection, proof } = waiting.get(ticket) ?? { proof: c.get('proof') }
      waiting.delete(ticket)
      await assertLoggedIn(proof)
      const text = exportLibrary(ports, format, choice, selection)
      const date = isoDay(ports.now())
      c.header('content-type', exportFormats.find(({ id }) => id === format)?.contentType ?? '')
      c.header('content-disposition', `attachment; filename="earmark-${date}.${format}"`)
      return c.body(encoded(text, () => assertLoggedIn(proof), onBug))
    })
}

/**
 * A stream that breaks off where the text does: whoever reads it must not take half of it for the whole.
 *
 * @param before comes before each piece, and may throw
 */
function encoded(
  text: AsyncGenerator<string>,
  before: () => Promise<void>,
  onBug: (error: unknown) => void
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        await before()
        const { done, value } = await text.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        if (!(error instanceof Problem)) onBug(error)
        controller.error(error)
        await text.return(undefined)
      }
    },
    async cancel() {
      await text.return(undefined)
    }
  })
}
