import { Hono } from 'hono'
import { z } from 'zod'
import { changeBookmarks, describeSelection } from '../../actions/bookmarks/change-bookmarks.ts'
import {
  type CreatedBookmark,
  captureBookmark,
  createBookmark,
  editBookmark
} from '../../actions/bookmarks/create-bookmark.ts'
import {
  findBookmark,
  findSaved,
  pageOfBookmark,
  readPageAgain,
  textOfPage
} from '../../actions/bookmarks/read-bookmark.ts'
import { pictureOfBookmark } from '../../actions/pages/pictures.ts'
import { LIMITS } from '../../contract/bookmark.ts'
import { BookmarkPatch, BookmarkRequest, ChangeRequest, Ids, SelectionRequest } from '../../contract/bookmark-change.ts'
import { PROFILE } from '../../contract/caller.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { BookmarksQuery, foundBookmarks } from '../found-bookmarks.ts'
import { onceEach } from '../once.ts'
import { shownBookmark } from '../shown-bookmark.ts'
import { shownPage } from '../shown-page.ts'
import { WorkName } from './work-name.ts'

/** The page that may be saved already; what is no address is answered as one that is not. */
const SavedQuery = z.strictObject({ url: z.string().max(LIMITS.url) })

/** How many related bookmarks are wanted. An unknown bookmark has none. */
const RelatedQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(50).default(5) })

/** How many bookmarks from before are wanted, and the ids of those that are not, joined by commas. */
const PastQuery = z.strictObject({
  except: z
    .string()
    .max(1000)
    .default('')
    .transform((ids) => ids.split(',')),
  limit: z.coerce.number().int().min(1).max(20).default(3)
})

/** A bookmark is from before once it was saved this long ago, in milliseconds. */
const PAST_MS = 30 * 24 * 60 * 60 * 1000

/** Bookmarks: search and list, create, capture, read, edit, look at and change many; their pages: read, read again, show as text. */
export function bookmarkRoutes({ ports, work, textPictures }: ServerContext) {
  const create = onceEach<CreatedBookmark>()
  return new Hono()
    .get('/', query(BookmarksQuery), async (c) => c.json(await foundBookmarks(ports, c.req.valid('query'))))
    .get('/counts', async (c) => c.json(await ports.library.countByKind()))
    .get('/saved', query(SavedQuery), async (c) => {
      const bookmark = await findSaved(ports, c.req.valid('query').url)
      return c.json({ bookmark: bookmark ? shownBookmark(bookmark) : null })
    })
    .get('/past', query(PastQuery), async (c) => {
      const { except, limit } = c.req.valid('query')
      const bookmarks = await ports.library.pastBookmarks(ports.now() - PAST_MS, except, limit)
      return c.json({ bookmarks: bookmarks.map(shownBookmark) })
    })
    .post('/', body(BookmarkRequest), async (c) => {
      const token = c.req.header('idempotency-key')
      const { status, bookmark } = await create(token, () => createBookmark(ports, c.req.valid('json')))
      return c.json({ status, bookmark: shownBookmark(bookmark) }, status === 'saved' ? 201 : 200)
    })
    .post('/captures', body(BookmarkRequest), async (c) => {
      const { bookmark, ...captured } = await captureBookmark(ports, c.req.valid('json'))
      return c.json({ ...captured, bookmark: shownBookmark(bookmark) }, captured.status === 'saved' ? 201 : 200)
    })
    .post('/changes', query(WorkName), body(ChangeRequest), async (c) => {
      const { name } = c.req.valid('query')
      return c.json(await work.run(name, (control) => changeBookmarks(ports, c.req.valid('json'), control)))
    })
    .post('/openings', body(z.strictObject({ ids: Ids })), async (c) => {
      await ports.library.noteOpenings(c.req.valid('json').ids, ports.now())
      return c.body(null, 204)
    })
    .post('/selections', body(SelectionRequest), async (c) =>
      c.json(await describeSelection(ports, c.req.valid('json')))
    )
    .get('/:id', async (c) => c.json(shownBookmark(await findBookmark(ports, c.req.param('id')))))
    .patch('/:id', body(BookmarkPatch), async (c) => {
      const { bookmark, undo } = await editBookmark(ports, c.req.param('id'), c.req.valid('json'))
      return c.json({ bookmark: shownBookmark(bookmark), undo })
    })
    .get('/:id/related', query(RelatedQuery), async (c) => {
      const { limit } = c.req.valid('query')
      const bookmarks = await ports.library.relatedBookmarks(PROFILE, c.req.param('id'), limit)
      return c.json({ bookmarks: bookmarks.map(shownBookmark) })
    })
    .get('/:id/picture', async (c) => c.json(await pictureOfBookmark(ports, c.req.param('id'))))
    .get('/:id/page', async (c) => c.json(shownPage(await pageOfBookmark(ports, c.req.param('id')))))
    .post('/:id/page', async (c) => {
      await readPageAgain(ports, c.req.param('id'))
      return c.json(shownPage(await pageOfBookmark(ports, c.req.param('id'))), 202)
    })
    .get('/:id/page/text', async (c) => c.json(await textOfPage(ports, c.req.param('id'))))
    .get('/:id/page/pictures', async (c) => c.json(await textPictures.list(c.req.param('id'))))
    .get('/:id/page/pictures/:place', async (c) => {
      const { id, place } = c.req.param()
      const picture = await textPictures.read(id, Number(place))
      return c.body(new Uint8Array(picture), 200, { 'cache-control': 'private', 'content-type': 'image/webp' })
    })
}
