import { Hono } from 'hono'
import { z } from 'zod'
import { filterOf, readTime } from '../../actions/bookmarks/search-bookmarks.ts'
import { exportLibrary } from '../../actions/imports/export-library.ts'
import { identifySession } from '../../actions/keys/session.ts'
import { Ids } from '../../contract/bookmark-change.ts'
import { Flag, filterQuery } from '../../contract/bookmark-filter.ts'
import { PROFILE } from '../../contract/caller.ts'
import { ExportFormatId, type ExportSelection } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { isoDay } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import type { OwnerProof } from '../identify.ts'
import type { OwnerEnv } from '../owner-only.ts'

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
