import { Hono } from 'hono'
import { z } from 'zod'
import { changeBookmarks, describeSelection } from '../../actions/bookmarks/change-bookmarks.ts'
import { findDuplicates, mergeAllDuplicates } from '../../actions/bookmarks/duplicates.ts'
import { findBookmark, findSaved, readBookmark } from '../../actions/bookmarks/read-bookmark.ts'
import { addSamples } from '../../actions/bookmarks/samples.ts'
import {
  type CreatedBookmark,
  captureBookmark,
  createBookmark,
  editBookmark
} from '../../actions/bookmarks/save-bookmarks.ts'
import { emptyTrash } from '../../actions/housekeeping.ts'
import { findSimilar, originalPicture, pictureOfBookmark, savePicture } from '../../actions/pictures.ts'
import { undoChange } from '../../actions/undo.ts'
import { LIMITS, MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from '../../contract/bookmark.ts'
import {
  BookmarkPatch,
  BookmarkRequest,
  ChangeRequest,
  Ids,
  MergeAllRequest,
  MergeRequest,
  PictureRequest,
  SelectionRequest
} from '../../contract/bookmark-change.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { SimilarColor } from '../../contract/picture.ts'
import { errorBody, Problem } from '../../contract/problem.ts'
import { body, form, limitBody, MAX_BYTES, query, readRowId } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { BookmarksQuery, searchOrList, shownBookmark } from '../search-or-list.ts'
import { WorkName } from './library.ts'

/** An invalid address is no error, because no bookmark has it. */
const SavedQuery = z.strictObject({ url: z.string().max(LIMITS.url) })

const RelatedQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(50).default(5) })

const ReadingQuery = z.strictObject({
  words: z.string().max(1000).default(''),
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(5)
})

/** `except` is a list of ids, separated by commas. */
const PastQuery = z.strictObject({
  except: z
    .string()
    .max(1000)
    .default('')
    .transform((ids) => ids.split(',')),
  limit: z.coerce.number().int().min(1).max(20).default(3)
})

/** Minimum age of bookmarks that are shown as bookmarks from the past, in ms. */
const MIN_PAST_MS = 30 * 24 * 60 * 60 * 1000

export function bookmarkRoutes({ ports, work }: ServerContext) {
  const create = onceEach<CreatedBookmark>()
  return new Hono()
    .get('/', query(BookmarksQuery), async (c) => c.json(await searchOrList(ports, c.req.valid('query'))))
    .get('/counts', async (c) => {
      const [counts, samples] = [await ports.library.countByKind(), await ports.library.countSamples()]
      return c.json({ ...counts, samples })
    })
    .get('/saved', query(SavedQuery), async (c) => {
      const bookmark = await findSaved(ports, c.req.valid('query').url)
      return c.json({ bookmark: bookmark ? shownBookmark(bookmark) : null })
    })
    .get('/past', query(PastQuery), async (c) => {
      const { except, limit } = c.req.valid('query')
      const bookmarks = await ports.library.pastBookmarks(ports.now() - MIN_PAST_MS, except, limit)
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
    .get('/:id/reading', query(ReadingQuery), async (c) => {
      const { bookmark, ...reading } = await readBookmark(ports, PROFILE, {
        id: c.req.param('id'),
        ...c.req.valid('query')
      })
      return c.json({ ...reading, bookmark: bookmark ? shownBookmark(bookmark) : null })
    })
    .get('/:id/picture', async (c) => c.json(await pictureOfBookmark(ports, c.req.param('id'))))
}

const SimilarQuery = z.strictObject({
  to: z.string().min(1).max(200),
  except: z.string().min(1).max(64).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(12)
})

/** Colors and images that resemble a color, nearest first; `distance` 0 is the same color. */
export function colorRoutes({ ports }: ServerContext) {
  return new Hono().get('/similar', query(SimilarQuery), async (c) => {
    const { to, ...range } = c.req.valid('query')
    const { colors, images } = await findSimilar(ports, to, range)
    return c.json({ colors: colors.map(shownColor), images: images.map(shownColor) })
  })
}

function shownColor({ distance, bookmark }: SimilarColor) {
  return { distance, bookmark: shownBookmark(bookmark) }
}

const DuplicatesQuery = z.strictObject({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20)
})

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
    .post('/dismissals', body(z.strictObject({ ids: Ids.min(2) })), async (c) =>
      c.json({ undo: await ports.library.setNotDuplicates(c.req.valid('json').ids, ports.now()) })
    )
    .post('/merges', body(MergeRequest), async (c) =>
      c.json(await ports.library.mergeDuplicates(c.req.valid('json').merges, ports.now()))
    )
    .post('/merges/all', query(WorkName), body(MergeAllRequest), async (c) => {
      const { name } = c.req.valid('query')
      return c.json(await work.run(name, (control) => mergeAllDuplicates(ports, c.req.valid('json'), control)))
    })
}

/** Sample bookmarks, which are added and removed together. */
export function sampleRoutes({ ports }: ServerContext) {
  return new Hono()
    .post('/', async (c) => c.json({ added: await addSamples(ports) }, 201))
    .delete('/', async (c) => c.json({ removed: await ports.library.removeSamples() }))
}

export function trashRoutes({ ports, work }: ServerContext) {
  return new Hono().delete('/', query(WorkName), async (c) =>
    c.json({ purged: await work.run(c.req.valid('query').name, (control) => emptyTrash(ports, control)) })
  )
}

export function undoRoutes({ ports, work }: ServerContext) {
  return new Hono().post('/:id', query(WorkName), async (c) => {
    const id = readRowId(c.req.param('id'))
    if (!id) throw new Problem('not-found', 'There is no such change.')
    const { name } = c.req.valid('query')
    return c.json(await work.run(name, ({ onProgress }) => undoChange(ports, id, onProgress)))
  })
}

const MAX_ANSWERS = 100

/**
 * Returns a function that runs a request once for each token. A repeated request, after a double click or a lost
 * answer, gets the first answer. A request that failed runs again.
 */
function onceEach<Answer>() {
  const answers = new Map<string, Promise<Answer>>()
  return (token: string | undefined, run: () => Promise<Answer>): Promise<Answer> => {
    if (token === undefined) return run()
    const cached = answers.get(token)
    if (cached) return cached
    const answer = run()
    answers.set(token, answer)
    answer.catch(() => answers.delete(token))
    const [oldest] = answers.keys()
    if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest)
    return answer
  }
}

/** A picture's file, and the bookmark's other fields as JSON. */
const Upload = z.strictObject({
  picture: z.instanceof(File, { error: 'send the file of a picture' }),
  bookmark: z.string().default('{}').transform(parseJson).pipe(PictureRequest)
})

/** Maximum size of a body with a picture and the other fields, in bytes. */
const MAX_UPLOAD = MAX_PICTURE_BYTES + MAX_BYTES

const TOO_LARGE = errorBody('too-large', PICTURE_TOO_LARGE)

/** Previews of pictures by their names, and originals, which are saved as bookmarks of type image. */
export function pictureRoutes({ ports }: ServerContext) {
  return new Hono()
    .post('/', limitBody(MAX_UPLOAD, TOO_LARGE), form(Upload), async (c) => {
      const { picture, bookmark: request } = c.req.valid('form')
      const { status, bookmark } = await savePicture(ports, new Uint8Array(await picture.arrayBuffer()), request)
      return c.json({ status, bookmark: shownBookmark(bookmark) }, status === 'saved' ? 201 : 200)
    })
    .get('/originals/:hash', async (c) => {
      const { hash, type, bytes } = await originalPicture(ports, c.req.param('hash'))
      return c.body(bytes, 200, {
        ...IMMUTABLE,
        ...SANDBOXED,
        'content-type': type,
        'content-disposition': `inline; filename="${hash.slice(0, 12)}.${type.slice('image/'.length)}"`
      })
    })
    .get('/:name', async (c) => {
      const picture = await ports.library.readPicture(c.req.param('name'))
      if (!picture) throw new Problem('not-found', 'This picture no longer exists.')
      return c.body(new Uint8Array(picture), 200, { ...IMMUTABLE, 'content-type': 'image/webp' })
    })
}

/** Headers of pictures, whose names are made from their contents. */
const IMMUTABLE = { 'cache-control': 'private, max-age=31536000, immutable' }

/**
 * Headers of originals. An original may be from an unknown source, so if it is opened as a page, it must not load or run
 * anything, and must not be sniffed as HTML.
 */
const SANDBOXED = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' }

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' })
    return z.NEVER
  }
}
