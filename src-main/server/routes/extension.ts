import { Hono } from 'hono'
import { findSaved } from '../../actions/bookmarks/read-bookmark.ts'
import { removePage, savePage } from '../../actions/bookmarks/save-bookmarks.ts'
import { searchBookmarks } from '../../actions/bookmarks/search-bookmarks.ts'
import { completeTag } from '../../actions/bookmarks/tags.ts'
import type { Bookmark } from '../../contract/bookmark.ts'
import { PROFILE } from '../../contract/caller.ts'
import {
  CopyPart,
  FindQuery,
  type HostAnswers,
  SavedQuery,
  SaveRequest,
  type ShownPage,
  TagsQuery
} from '../../contract/extension.ts'
import { Problem } from '../../contract/problem.ts'
import { SuggestionRequest } from '../../contract/tag.ts'
import { isState } from '../../contract/tag-names.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** Number of tags that are suggested, and that are requested from the library, before states are removed. */
const MAX_SUGGESTIONS = 3
const MAX_REQUESTED = 6

/** The calls of the browser extension. All are POST, because their arguments may be too long for an address. */
export function extensionRoutes({ ports, identification, copyUploads }: ServerContext) {
  return new Hono()
    .use('*', async (c, next) => {
      if (identification.isExtension(c.req.raw)) return next()
      throw new Problem('unauthorized', 'This is for the browser extension alone.')
    })
    .post('/save', body(SaveRequest), async (c) => {
      const { status, bookmark } = await savePage(ports, c.req.valid('json'))
      const copy = status === 'saved' && bookmark.type === 'link' && (await ports.library.wantsCopy(bookmark.id))
      return c.json({ status, bookmark: shownPage(bookmark), copy } satisfies HostAnswers['save'])
    })
    .post('/saved', body(SavedQuery), async (c) => {
      const bookmark = await findSaved(ports, c.req.valid('json').url)
      return c.json({ bookmark: bookmark ? shownPage(bookmark) : null } satisfies HostAnswers['saved'])
    })
    .post('/remove', body(SavedQuery), async (c) => {
      const removed = await removePage(ports, c.req.valid('json').url)
      return c.json({ removed } satisfies HostAnswers['remove'])
    })
    .post('/copy', body(CopyPart), async (c) =>
      c.json((await copyUploads.add(c.req.valid('json'))) satisfies HostAnswers['copy'])
    )
    .post('/tags', body(TagsQuery), async (c) => {
      const tags = await completeTag(ports, c.req.valid('json').typed)
      return c.json({ tags } satisfies HostAnswers['tags'])
    })
    .post('/suggestions', body(SuggestionRequest), async (c) => {
      const tags = await ports.library.suggestTags(c.req.valid('json'), MAX_REQUESTED)
      const suggested = tags.filter((tag) => !isState(tag)).slice(0, MAX_SUGGESTIONS)
      return c.json({ tags: suggested } satisfies HostAnswers['suggestions'])
    })
    .post('/search', body(FindQuery), async (c) => {
      const { words, limit } = c.req.valid('json')
      const { bookmarks, hint } = await searchBookmarks(ports, PROFILE, { words, typing: true, page: 1, limit })
      return c.json({ bookmarks: bookmarks.map(shownPage), hint } satisfies HostAnswers['search'])
    })
}

function shownPage({ url, title, description, content, tags, organization, createdAt }: Bookmark): ShownPage {
  return {
    url,
    title: title || content.slice(0, 100),
    description,
    tags,
    organization,
    savedAt: isoTime(createdAt)
  }
}
