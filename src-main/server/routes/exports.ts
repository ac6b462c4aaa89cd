import { Hono } from 'hono'
import { z } from 'zod'
import { exportLibrary } from '../../actions/imports/export-library.ts'
import { ExportFormatId } from '../../contract/library-export.ts'
import { isoDay } from '../../core/iso-time.ts'
import { query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { filterOf, filterQuery } from '../filter-query.ts'

const ExportQuery = z.strictObject({
  /** Proves the tab where a link fetches the file. */
  ticket: z.string().max(64).optional(),
  format: ExportFormatId,
  words: z.string().trim().min(1).max(1000).optional(),
  ...filterQuery
})

/** Exports the library, or what words and filters let through, as a file that is written as it is read. */
export function exportRoutes({ ports, exportTickets, onBug }: ServerContext) {
  return new Hono()
    .post('/tickets', (c) => c.json({ ticket: exportTickets.mint() }, 201))
    .get('/', query(ExportQuery), async (c) => {
      const { format, words, ticket: _ticket, ...asked } = c.req.valid('query')
      const choice = { ...(await filterOf(ports, asked)), words }
      const text = exportLibrary(ports, format, choice)
      const date = isoDay(ports.now())
      c.header('content-type', ports.exportFormats.find(({ id }) => id === format)?.contentType ?? '')
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
