import { Hono } from 'hono'
import { z } from 'zod'
import { captureBookmark } from '../../actions/bookmarks/capture-bookmark.ts'
import { changeBookmarks } from '../../actions/bookmarks/change-bookmarks.ts'
import { createBookmark } from '../../actions/bookmarks/create-bookmark.ts'
import { describeSelection } from '../../actions/bookmarks/describe-selection.ts'
import { editBookmark } from '../../actions/bookmarks/edit-bookmark.ts'
import { filterOf } from '../../actions/bookmarks/filter-of.ts'
import { findBookmark } from '../../actions/bookmarks/find-bookmark.ts'
import { findSaved } from '../../actions/bookmarks/find-saved.ts'
import { listBookmarks } from '../../actions/bookmarks/list-bookmarks.ts'
import { searchBookmarks } from '../../actions/bookmarks/search-bookmarks.ts'
import { pageOfBookmark, readPageAgain, textOfPage } from '../../actions/pages/page-of-bookmark.ts'
import { pictureOfBookmark } from '../../actions/pages/picture-of-bookmark.ts'
import { LIMITS } from '../../contract/bookmark.ts'
import { BookmarkPatch, BookmarkRequest, ChangeRequest, SelectionRequest } from '../../contract/bookmark-change.ts'
import { isTrashAlone, listedQuery, TRASH_ALONE } from '../../contract/bookmark-filter.ts'
import { ListOrder } from '../../contract/bookmark-list.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { Ports } from '../../contract/ports.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { shownBookmark } from '../shown-bookmark.ts'
import { shownPage } from '../shown-page.ts'
import { WorkName } from './work-name.ts'

/** Most of a search's page: as many as it ranks, so that one page ends where the next begins. */
const MOST_FOUND = 100

/** With words a search of the owner's, in the language of docs/search.md; without them a list. */
const BookmarksQuery = z
  .strictObject({
    ...listedQuery,
    order: ListOrder.optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(200).default(20)
  })
  .refine(
    ({ words, limit }) => words.trim() === '' || limit <= MOST_FOUND,
    `limit: a search gives up to ${MOST_FOUND} bookmarks a page`
  )
  .refine(({ words, order }) => words.trim() === '' || order === undefined, 'order: words have an order of their own')
  .refine(isTrashAlone, TRASH_ALONE)

/** The page that may be saved already; what is no address is answered as one that is not. */
const SavedQuery = z.strictObject({ url: z.string().max(LIMITS.url) })

/** Bookmarks: search and list, create, capture, read, edit, look at and change many; their pages: read, read again, show as text. */
export function bookmarkRoutes({ ports, work }: ServerContext) {
  return new Hono()
    .get('/', query(BookmarksQuery), async (c) => {
      const asked = c.req.valid('query')
      const { page, limit } = asked
      const { bookmarks, ...found } = await find(ports, asked)
      return c.json({ ...found, page, limit, bookmarks: bookmarks.map(shownBookmark) })
    })
    .get('/counts', async (c) => c.json(await ports.library.countByKind()))
    .get('/saved', query(SavedQuery), async (c) => {
      const bookmark = await findSaved(ports, c.req.valid('query').url)
      return c.json({ bookmark: bookmark ? shownBookmark(bookmark) : null })
    })
    .post('/', body(BookmarkRequest), async (c) => {
      const { status, bookmark } = await createBookmark(ports, c.req.valid('json'))
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
    .post('/selections', body(SelectionRequest), async (c) =>
      c.json(await describeSelection(ports, c.req.valid('json')))
    )
    .get('/:id', async (c) => c.json(shownBookmark(await findBookmark(ports, c.req.param('id')))))
    .patch('/:id', body(BookmarkPatch), async (c) => {
      const { bookmark, undo } = await editBookmark(ports, c.req.param('id'), c.req.valid('json'))
      return c.json({ bookmark: shownBookmark(bookmark), undo })
    })
    .get('/:id/picture', async (c) => c.json(await pictureOfBookmark(ports, c.req.param('id'))))
    .get('/:id/page', async (c) => c.json(shownPage(await pageOfBookmark(ports, c.req.param('id')))))
    .post('/:id/page', async (c) => {
      await readPageAgain(ports, c.req.param('id'))
      return c.json(shownPage(await pageOfBookmark(ports, c.req.param('id'))), 202)
    })
    .get('/:id/page/text', async (c) => c.json({ text: await textOfPage(ports, c.req.param('id')) }))
}

async function find(ports: Ports, asked: z.output<typeof BookmarksQuery>) {
  const { words, typing, trash, order, page, limit } = asked
  const filters = { page, limit, ...(await filterOf(ports, asked)) }
  if (words.trim() !== '') return searchBookmarks(ports, PROFILE, { ...filters, words, typing })
  return listBookmarks(ports, { ...filters, order: order ?? 'newest', trash })
}
