import { Hono } from 'hono'
import { z } from 'zod'
import { changeBookmarks, describeSelection, undoChange } from '../../actions/bookmarks/change-bookmarks.ts'
import { findDuplicates, mergeAllDuplicates } from '../../actions/bookmarks/duplicates.ts'
import {
  findBookmark,
  findSaved,
  type PageOfBookmark,
  pageOfBookmark,
  readPageAgain,
  textOfPage
} from '../../actions/bookmarks/read-bookmark.ts'
import {
  type CreatedBookmark,
  captureBookmark,
  createBookmark,
  editBookmark
} from '../../actions/bookmarks/save-bookmarks.ts'
import { deleteTag, mergeTags, renameTag } from '../../actions/bookmarks/tags.ts'
import { emptyTrash } from '../../actions/housekeeping.ts'
import { pictureOfBookmark, similarColors, similarImages } from '../../actions/pictures.ts'
import { LIMITS } from '../../contract/bookmark.ts'
import {
  BookmarkPatch,
  BookmarkRequest,
  ChangeRequest,
  Ids,
  MergeAllRequest,
  MergeRequest,
  SelectionRequest
} from '../../contract/bookmark-change.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { SimilarColor } from '../../contract/picture.ts'
import { Problem } from '../../contract/problem.ts'
import { TagMerge, TagRename, TagsAsked } from '../../contract/tag.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { BookmarksQuery, foundBookmarks } from '../found-bookmarks.ts'
import { rowIdIn } from '../row-id.ts'
import { shownBookmark } from '../shown-bookmark.ts'
import { WorkName } from './library.ts'

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

const SimilarQuery = z.strictObject({
  to: z.string().min(1).max(200),
  except: z.string().min(1).max(64).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(12)
})

/** The owner's colors and images that look like a color, nearest first; `distance` 0 is the same color. */
export function colorRoutes({ ports }: ServerContext) {
  return new Hono().get('/similar', query(SimilarQuery), async (c) => {
    const { to, ...range } = c.req.valid('query')
    const colors = await similarColors(ports, to, range)
    const images = await similarImages(ports, to, range)
    return c.json({ colors: colors.map(shown), images: images.map(shown) })
  })
}

function shown({ distance, bookmark }: SimilarColor) {
  return { distance, bookmark: shownBookmark(bookmark) }
}

const DuplicatesQuery = z.strictObject({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20)
})

/** Bookmarks of nearly the same page: find, merge. */
export function duplicateRoutes({ ports, work }: ServerContext) {
  return new Hono()
    .get('/', query(DuplicatesQuery), async (c) => {
      const { page, limit } = c.req.valid('query')
      const { total, settled, groups } = await findDuplicates(ports, page, limit)
      return c.json({
        total,
        page,
        limit,
        hasMore: page * limit < total,
        settled,
        groups: groups.map(({ why, bookmarks }) => ({ why, bookmarks: bookmarks.map(shownBookmark) }))
      })
    })
    .post('/merges', body(MergeRequest), async (c) =>
      c.json(await ports.library.mergeDuplicates(c.req.valid('json').merges, ports.now()))
    )
    .post('/merges/all', query(WorkName), body(MergeAllRequest), async (c) => {
      const { name } = c.req.valid('query')
      return c.json(await work.run(name, (control) => mergeAllDuplicates(ports, c.req.valid('json'), control)))
    })
}

/** Of more, people read none. */
const MOST_SUGGESTED = 5

/** Tags: list, suggest, rename, merge, delete. */
export function tagRoutes({ ports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(await ports.library.listTags()))
    .get('/parents', async (c) => c.json(await ports.library.listTagParents()))
    .post('/suggestions', body(TagsAsked), async (c) =>
      c.json({ tags: await ports.library.suggestTags(c.req.valid('json'), MOST_SUGGESTED) })
    )
    .post('/merges', body(TagMerge), async (c) => c.json(await mergeTags(ports, c.req.valid('json'))))
    .patch('/:name', body(TagRename), async (c) =>
      c.json(await renameTag(ports, c.req.param('name'), c.req.valid('json').name))
    )
    .delete('/:name', async (c) => c.json(await deleteTag(ports, c.req.param('name'))))
}

/** Deletes for good everything in the trash. */
export function trashRoutes({ ports, work }: ServerContext) {
  return new Hono().delete('/', query(WorkName), async (c) =>
    c.json({ purged: await work.run(c.req.valid('query').name, (control) => emptyTrash(ports, control)) })
  )
}

/** Takes back a change of the dashboard's, or what took one back. */
export function undoRoutes({ ports, work }: ServerContext) {
  return new Hono().post('/:id', query(WorkName), async (c) => {
    const id = rowIdIn(c.req.param('id'))
    if (!id) throw new Problem('not-found', 'There is no such change.')
    const { name } = c.req.valid('query')
    return c.json(await work.run(name, ({ onProgress }) => undoChange(ports, id, onProgress)))
  })
}

/** Answers that are remembered at most. */
const MOST = 100

/**
 * Does a request once, however often it is sent with the same token: a double click, or a request that is sent again
 * because its answer was lost. The others get the first one's answer. What failed may be tried again.
 */
function onceEach<Answer>() {
  const answers = new Map<string, Promise<Answer>>()
  return (token: string | undefined, run: () => Promise<Answer>): Promise<Answer> => {
    if (token === undefined) return run()
    const known = answers.get(token)
    if (known) return known
    const answer = run()
    answers.set(token, answer)
    answer.catch(() => answers.delete(token))
    const [oldest] = answers.keys()
    if (answers.size > MOST && oldest !== undefined) answers.delete(oldest)
    return answer
  }
}

/** A bookmark's page as the API shows it: times as ISO 8601. */
function shownPage(page: PageOfBookmark) {
  if (page.status === 'none') return { status: page.status }
  const { due, readAt, publishedAt, link, ...rest } = page
  const { state = 'unknown', fault = null, movedTo = null, checkedAt = null } = link ?? {}
  return {
    ...rest,
    due: isoTime(due),
    readAt: isoTime(readAt),
    publishedAt: isoTime(publishedAt),
    link: { state, fault, movedTo, checkedAt: isoTime(checkedAt) }
  }
}
