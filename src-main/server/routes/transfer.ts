import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Hono } from 'hono'
import { z } from 'zod'
import type { Watching } from '../../actions/background/watching.ts'
import { walkOf } from '../../actions/bookmarks/search-bookmarks.ts'
import { exportLibrary } from '../../actions/imports/export-library.ts'
import { countBrowserFiles, importLibrary, openBrowserFile } from '../../actions/imports/import-library.ts'
import { identifySession } from '../../actions/keys/credentials.ts'
import {
  changeSyncPassword,
  leaveSync,
  notSetUp,
  previewSync,
  setUpSync,
  syncCode
} from '../../actions/sync/set-up-sync.ts'
import { undoImport } from '../../actions/undo.ts'
import { Ids } from '../../contract/bookmark-change.ts'
import { Flag, filterQuery } from '../../contract/bookmark-list.ts'
import { PROFILE } from '../../contract/caller.ts'
import {
  EXPORT_ENDINGS,
  ExportFormatId,
  type ExportSelection,
  type WatchedFile,
  WatchedFileRequest
} from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { SyncJoin, SyncPassword, SyncPause, SyncSetup, type SyncState } from '../../contract/sync.ts'
import { isoDay, isoTime } from '../../core/iso-time.ts'
import { body, query, readRowId } from '../body.ts'
import type { ServerContext } from '../context.ts'
import type { OwnerEnv, OwnerProof } from '../identify.ts'
import { WorkName } from './library.ts'

const ImportQuery = z.strictObject({
  name: WorkName.shape.name,
  format: z.string().max(32).optional(),
  encoding: z.string().max(64).optional(),
  /** The name of the file. */
  file: z.string().max(255).optional(),
  'dry-run': Flag.default(false),
  /** The path of a watched file. Bookmarks that the file contained before are not imported again. */
  watched: z.string().min(1).max(4096).optional()
})

/** Imports the bookmark file that is the request's body, of any size. Follows, stops, lists and undoes imports. */
export function importRoutes({ ports, imports: running, work }: ServerContext) {
  return new Hono()
    .post('/', query(ImportQuery), async (c) => {
      const { body } = c.req.raw
      if (!body) throw new Problem('invalid', 'Send the bookmark file as the body.')
      const { name, format, encoding, file, 'dry-run': dryRun, watched } = c.req.valid('query')
      const report = await running.run(name, (control) =>
        withFile(body, control.signal, (pieces) =>
          importLibrary(ports, PROFILE, pieces, { ...control, format, encoding, dryRun, watched, file })
        )
      )
      return c.json(report)
    })
    .get('/running/:name', (c) => c.json(running.progressOf(c.req.param('name'))))
    .post('/running/:name/cancel', async (c) => c.json(await running.cancel(c.req.param('name'))))
    .get('/', async (c) => {
      const imports = await ports.library.listImports()
      const shown = imports.map(({ at, undoneAt, joined, ...report }) => {
        return { ...report, at: isoTime(at), undone: undoneAt !== null, joined: joined === 1 }
      })
      return c.json(shown)
    })
    .post('/:id/undo', query(WorkName), async (c) => {
      const id = readRowId(c.req.param('id')) ?? 0
      if (id < 1) throw new Problem('not-found', 'There is no such import.')
      running.refuseWhileAny()
      return c.json(await work.run(c.req.valid('query').name, (control) => undoImport(ports, id, control)))
    })
}

/**
 * Receives a file completely before its first piece is imported, because the sender has 30 seconds, and the import may
 * take longer. The file is stored on disk, because it may be larger than the memory. Its name is removed before the file
 * is used, so that the file is also removed if the process is killed.
 */
async function withFile<T>(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  work: (pieces: AsyncIterable<Uint8Array>) => Promise<T>
): Promise<T> {
  const name = join(tmpdir(), `earmark-import-${randomUUID()}`)
  const writer = createWriteStream(name, { flags: 'wx', mode: 0o600 })
  await once(writer, 'open')
  const reader = createReadStream(name)
  try {
    await once(reader, 'open')
    await rm(name)
    return await work(receive())
  } finally {
    writer.destroy()
    reader.destroy()
  }

  async function* receive() {
    await pipeline(body, writer, { signal }).catch((error) => {
      throw error.code === 'ENOSPC' ? new Problem('disk-full', 'The disk is full. Nothing was imported.') : error
    })
    yield* reader
  }
}

/** Files that are imported again whenever they change. */
export function watchedFileRoutes({ watching }: ServerContext) {
  return new Hono()
    .get('/', async (c) => {
      const files = (await watching?.list()) ?? []
      return c.json({ files: files.map(showWatchedFile), found: (await watching?.found()) ?? [] })
    })
    .post('/', body(WatchedFileRequest), async (c) =>
      c.json(showWatchedFile(await needWatching(watching).watch(c.req.valid('json').file)))
    )
    .delete('/', query(WatchedFileRequest), async (c) => {
      await needWatching(watching).unwatch(c.req.valid('query').file)
      return c.body(null, 204)
    })
}

/** The bookmark files of the browsers on this computer, to be imported. */
export function browserFileRoutes({ ports, files }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(files ? await countBrowserFiles(ports, files) : []))
    .get('/content', query(WatchedFileRequest), async (c) => {
      if (!files) throw new Problem('not-found', 'No file can be read here.')
      const bytes = await openBrowserFile(files, c.req.valid('query').file)
      return c.body(Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>)
    })
}

function needWatching(watching: Watching | undefined): Watching {
  if (!watching) throw new Problem('invalid', 'No file can be watched here.')
  return watching
}

function showWatchedFile({ lastAt, ...file }: WatchedFile) {
  return { ...file, lastAt: isoTime(lastAt) }
}

const ExportQuery = z.strictObject({
  /** Replaces the session if a link downloads the file. */
  ticket: z.string().max(64).optional(),
  format: ExportFormatId,
  words: z.string().trim().min(1).max(1000).optional(),
  typing: Flag.optional(),
  ...filterQuery
})

/** The bookmarks to export; all if none are given. */
const TicketRequest = z.strictObject({ ids: Ids.min(1).optional(), except: Ids.optional() })

/** Maximum number of tickets whose files are not downloaded yet. */
const MAX_WAITING = 8

/** The bookmarks that a ticket exports, and the session or token of the request that created the ticket. */
interface TicketExport {
  selection?: ExportSelection | undefined
  proof: OwnerProof
}

/** Exports all bookmarks, or those that match words and filters, as a stream that ends with the session. */
export function exportRoutes({ ports, exportTickets, closing, onBug }: ServerContext) {
  const waiting = new Map<string, TicketExport>()

  async function assertLoggedIn(proof: OwnerProof): Promise<void> {
    if (proof.kind === 'command-line') return
    if (proof.kind === 'session' && (await identifySession(ports, proof.secret))) return
    throw new Problem('expired', 'The session ended. Log in and export again.')
  }

  return new Hono<OwnerEnv>()
    .post('/tickets', body(TicketRequest), (c) => {
      const ticket = exportTickets.mint()
      const { ids, except } = c.req.valid('json')
      for (const old of [...waiting.keys()].slice(0, 1 - MAX_WAITING)) waiting.delete(old)
      waiting.set(ticket, { selection: ids ? { ids } : except && { except }, proof: c.get('proof') })
      return c.json({ ticket }, 201)
    })
    .get('/', query(ExportQuery), async (c) => {
      const { format, words = '', typing = false, ticket = '', ...filters } = c.req.valid('query')
      const { trash: _, ...choice } = await walkOf(ports, { ...filters, words, typing, trash: false })
      const { exportFormats } = await ports.formats()
      const { selection, proof } = waiting.get(ticket) ?? { proof: c.get('proof') }
      waiting.delete(ticket)
      await assertLoggedIn(proof)
      const pieces = exportLibrary(ports, format, choice, selection)
      const date = isoDay(ports.now())
      c.header('content-type', exportFormats.find(({ id }) => id === format)?.contentType ?? '')
      c.header('content-disposition', `attachment; filename="earmark-${date}.${EXPORT_ENDINGS[format]}"`)
      return c.body(encodeStream(pieces, () => assertLoggedIn(proof), closing, onBug))
    })
}

/**
 * Encodes a file as a stream. If a piece fails, the stream fails too, so that an incomplete file does
 * not look complete to its reader.
 *
 * @param before called before each piece; may throw
 * @param closing makes the stream fail
 */
function encodeStream(
  pieces: AsyncGenerator<string | Uint8Array>,
  before: () => Promise<void>,
  closing: AbortSignal,
  onBug: (error: unknown) => void
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        closing.throwIfAborted()
        await before()
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      } catch (error) {
        if (!(error instanceof Problem || closing.aborted)) onBug(error)
        controller.error(error)
        await pieces.return(undefined)
      }
    },
    async cancel() {
      await pieces.return(undefined)
    }
  })
}

export function syncRoutes({ ports, syncing }: ServerContext) {
  return new Hono()
    .get('/', async (c) => {
      const state = await ports.library.readSync()
      const unsent = state ? await ports.library.countUnsent() : 0
      const [waiting, progress] = [syncing.waiting(), syncing.progress() ?? null]
      const resentAt = syncing.resentAt()
      const resent = resentAt === undefined ? null : isoTime(resentAt)
      return c.json({ sync: state ? { ...showSync(state), unsent, waiting, progress, resent } : null })
    })
    .post('/', body(SyncSetup), async (c) => c.json(await setUpSync(ports, c.req.valid('json')), 201))
    .post('/preview', body(SyncJoin), async (c) => c.json(await previewSync(ports, c.req.valid('json'))))
    .get('/code', async (c) => c.json({ code: await syncCode(ports) }))
    .put('/paused', body(SyncPause), async (c) => {
      if (!(await ports.library.readSync())) throw notSetUp()
      await ports.library.setSyncPaused(c.req.valid('json').paused)
      return c.body(null, 204)
    })
    .put('/password', body(SyncPassword), async (c) => {
      await changeSyncPassword(ports, c.req.valid('json').password)
      void syncing.now().catch(() => {}) // the sync state shows errors
      return c.body(null, 204)
    })
    .delete('/', async (c) => {
      await leaveSync(ports)
      return c.body(null, 204)
    })
}

export function syncNowRoutes({ syncing }: ServerContext) {
  return new Hono().post('/', async (c) => c.json(await syncing.now()))
}

function showSync({ device, name, folder, paused, devices }: SyncState) {
  // A device with `seenAt` 0 is this library itself, before a backup was restored.
  const others = devices
    .filter(({ seenAt }) => seenAt > 0)
    .map(({ device, name, seenAt }) => ({ device, name, seenAt: isoTime(seenAt) }))
  return { device, name, folder, paused, devices: others }
}
