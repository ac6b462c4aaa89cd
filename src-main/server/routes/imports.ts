import { Hono } from 'hono'
import { importLibrary } from '../../actions/import-library.ts'
import { PROFILE } from '../../contract/caller.ts'
import { Problem } from '../../contract/problem.ts'
import type { ServerContext } from '../context.ts'

/** Imports the bookmark file that is the request's body, as it arrives. It has no size limit. */
export function importRoutes({ ports }: ServerContext) {
  return new Hono().post('/', async (c) => {
    const { body } = c.req.raw
    if (!body) throw new Problem('invalid', 'Send the bookmark file as the body.')
    return c.json(await importLibrary(ports, PROFILE, decode(body)))
  })
}

async function* decode(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder() // drops a byte-order mark
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
