import { Hono } from 'hono'
import {
  type PageOfBookmark,
  pageOfBookmark,
  readPageAgain,
  textOfPage
} from '../../actions/bookmarks/read-bookmark.ts'
import { deletePageCopy, readPageCopy } from '../../actions/page-copies.ts'
import { ReadingPlace } from '../../contract/bookmark-change.ts'
import { Highlight, HighlightRequest, HighlightsQuery } from '../../contract/highlight.ts'
import { COPY_POLICY } from '../../contract/page-copy.ts'
import { Problem } from '../../contract/problem.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import type { OwnerEnv } from '../identify.ts'

/** The page of a bookmark: its details, text and pictures, its copy, and the owner's highlights. */
export function pageRoutes({ ports, textPictures }: ServerContext) {
  return new Hono<OwnerEnv>()
    .get('/:id/page', async (c) => c.json(shownPage(await pageOfBookmark(ports, c.req.param('id')))))
    .post('/:id/page', async (c) => {
      await readPageAgain(ports, c.req.param('id'))
      return c.json(shownPage(await pageOfBookmark(ports, c.req.param('id'))), 202)
    })
    .get('/:id/page/text', async (c) => c.json(await textOfPage(ports, c.req.param('id'))))
    .put('/:id/page/place', body(ReadingPlace), async (c) => {
      await ports.library.saveReadingPlace(c.req.param('id'), c.req.valid('json'))
      return c.body(null, 204)
    })
    .get('/:id/highlights', async (c) => {
      const id = c.req.param('id')
      const highlights = (await ports.library.readHighlights([id])).get(id) ?? []
      return c.json({ highlights: highlights.map(shownHighlight) })
    })
    .put('/:id/highlights/:highlight', body(HighlightRequest), async (c) => {
      const { id, highlight: highlightId } = c.req.param()
      const request = { ...c.req.valid('json'), id: readHighlightId(highlightId) }
      const { highlight, undo } = await ports.library.saveHighlight(id, request, ports.now())
      return c.json({ highlight: shownHighlight(highlight), undo })
    })
    .delete('/:id/highlights/:highlight', async (c) => {
      const { id, highlight } = c.req.param()
      return c.json(await ports.library.deleteHighlight(id, highlight, ports.now()))
    })
    .get('/:id/copy', async (c) => {
      if (c.get('proof').kind !== 'session') throw new Problem('forbidden', 'Copies are shown in the window alone.')
      const copy = await readPageCopy(ports, c.req.param('id'))
      return c.body(new Uint8Array(copy), 200, COPY_HEADERS)
    })
    .delete('/:id/copy', async (c) => c.json({ undo: await deletePageCopy(ports, c.req.param('id')) }))
    .get('/:id/page/pictures', async (c) => c.json(await textPictures.list(c.req.param('id'))))
    .get('/:id/page/pictures/:place', async (c) => {
      const { id, place } = c.req.param()
      const picture = await textPictures.read(id, Number(place))
      return c.body(new Uint8Array(picture), 200, { 'cache-control': 'private', 'content-type': 'image/webp' })
    })
}

/** The highlights of all bookmarks. */
export function highlightRoutes({ ports }: ServerContext) {
  return new Hono().get('/', query(HighlightsQuery), async (c) => {
    const request = c.req.valid('query')
    const { page, limit } = request
    const { total, highlights } = await ports.library.listHighlights(request)
    return c.json({ total, page, limit, hasMore: page * limit < total, highlights: highlights.map(shownHighlight) })
  })
}

function shownHighlight<Shown extends Highlight>(highlight: Shown): Omit<Shown, 'createdAt'> & { createdAt: string } {
  return { ...highlight, createdAt: isoTime(highlight.createdAt) }
}

/** @throws Problem `invalid` */
function readHighlightId(text: string): string {
  const id = Highlight.shape.id.safeParse(text)
  if (!id.success) throw new Problem('invalid', 'The id of a highlight has 1 to 64 letters, digits, _ or -.')
  return id.data
}

/**
 * Headers of copies. A copy is a page of another site: these headers give it an opaque origin, and forbid scripts and
 * requests, even if the conversion overlooked some. Only the dashboard can frame it.
 */
const COPY_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `sandbox; ${COPY_POLICY}; frame-ancestors 'self'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin'
}

/** A bookmark's page as the API shows it: times as ISO 8601. */
function shownPage(page: PageOfBookmark) {
  if (page.status === 'none') return { status: page.status }
  const { due, readAt, publishedAt, link, copy, ...rest } = page
  const { state = 'unknown', fault = null, movedTo = null, checkedAt = null } = link ?? {}
  return {
    ...rest,
    due: isoTime(due),
    readAt: isoTime(readAt),
    publishedAt: isoTime(publishedAt),
    link: { state, fault, movedTo, checkedAt: isoTime(checkedAt) },
    copy: copy && { size: copy.size, savedAt: isoTime(copy.savedAt), isMissing: copy.isMissing }
  }
}
