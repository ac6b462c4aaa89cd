import { Hono } from 'hono'
import { z } from 'zod'
import { originalPicture, savePicture } from '../../actions/pictures.ts'
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from '../../contract/bookmark.ts'
import { PictureRequest } from '../../contract/bookmark-change.ts'
import { errorBody, Problem } from '../../contract/problem.ts'
import { form, limitBody, MOST_BYTES } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { shownBookmark } from '../shown-bookmark.ts'

/** A picture's file, and how to save it as JSON. */
const Upload = z.strictObject({
  picture: z.instanceof(File, { error: 'send the file of a picture' }),
  bookmark: z.string().default('{}').transform(parsed).pipe(PictureRequest)
})

/** The largest body: the picture, and the fields around it. */
const MOST_UPLOAD = MAX_PICTURE_BYTES + MOST_BYTES

const TOO_LARGE = errorBody('too-large', PICTURE_TOO_LARGE)

/** Small copies of pictures, by their names; pictures that are kept themselves, saved as an image and read whole. */
export function pictureRoutes({ ports }: ServerContext) {
  return new Hono()
    .post('/', limitBody(MOST_UPLOAD, TOO_LARGE), form(Upload), async (c) => {
      const { picture, bookmark: request } = c.req.valid('form')
      const { status, bookmark } = await savePicture(ports, new Uint8Array(await picture.arrayBuffer()), request)
      return c.json({ status, bookmark: shownBookmark(bookmark) }, status === 'saved' ? 201 : 200)
    })
    .get('/originals/:hash', async (c) => {
      const { hash, type, bytes } = await originalPicture(ports, c.req.param('hash'))
      return c.body(bytes, 200, {
        ...FOR_GOOD,
        ...HARMLESS,
        'content-type': type,
        'content-disposition': `inline; filename="${hash.slice(0, 12)}.${type.slice('image/'.length)}"`
      })
    })
    .get('/:name', async (c) => {
      const picture = await ports.library.readPicture(c.req.param('name'))
      if (!picture) throw new Problem('not-found', 'This picture no longer exists.')
      return c.body(new Uint8Array(picture), 200, { ...FOR_GOOD, 'content-type': 'image/webp' })
    })
}

/** Cached forever: a picture's name is made from its content. */
const FOR_GOOD = { 'cache-control': 'private, max-age=31536000, immutable' }

/** Its bytes are a stranger's: shown by themselves they may load and run nothing, and are never taken for a page. */
const HARMLESS = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' }

function parsed(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' })
    return z.NEVER
  }
}
