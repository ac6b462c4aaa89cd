import { Hono } from 'hono'
import { Problem } from '../../contract/problem.ts'
import type { ServerContext } from '../context.ts'

/** Icons and pictures of pages, by their names. */
export function pictureRoutes({ ports: { library } }: ServerContext) {
  return new Hono().get('/:name', async (c) => {
    const picture = await library.readPicture(c.req.param('name'))
    if (!picture) throw new Problem('not-found', 'There is no such picture any more.')
    // What it holds is in its name.
    return c.body(new Uint8Array(picture), 200, {
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable'
    })
  })
}
