import { Hono } from 'hono'
import { z } from 'zod'
import { filterOf } from '../../actions/bookmarks/filter-of.ts'
import { readTime } from '../../actions/bookmarks/read-time.ts'
import { exportLibrary } from '../../actions/imports/export-library.ts'
import { Ids } from '../../contract/bookmark-change.ts'
import { Flag, filterQuery } from '../../contract/bookmark-filter.ts'
import { PROFILE } from '../../contract/caller.ts'
import { ExportFormatId, type ExportSelection } from '../../contract/library-export.ts'
import { isoDay } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'

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

/** Selections that wait for their files, at most. */
const MOST_WAITING = 8

/** Exports the library, or what words and filters let through, as a file that is written as it is read. */
export function exportRoutes({ ports, exportTickets, onBug }: ServerContext) {
  const selections = new Map<string, ExportSelection>()
  return new Hono()
    .post('/tickets', body(TicketRequest), (c) => {
      const ticket = exportTickets.mint()
      const { ids, except } = c.req.valid('json')
      for (const old of [...selections.keys()].slice(0, 1 - MOST_WAITING)) selections.delete(old)
      if (ids) selections.set(ticket, { ids })
      else if (except) selections.set(ticket, { except })
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
      const text = exportLibrary(ports, format, choice, selections.get(ticket))
      selections.delete(ticket)
      const date = isoDay(ports.now())
      c.header('content-type', exportFormats.find(({ id }) => id === format)?.contentType ?? '')
      c.header('content-disposition', `attachment; filename="earmark-${date}.${format}"`)
      return c.body(encoded(text, onBug))
    })
}

/** A stream that breaks off where the text does: whoever reads it must not take half of it for the whole. */
function encoded(text: AsyncGenerator<string>, onBug: (error: unknown) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await text.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        onBug(error)
        controller.error(error)
      }
    },
    async cancel() {
      await text.return(undefined)
    }
  })
}
