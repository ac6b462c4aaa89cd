import { Hono } from 'hono'
import { z } from 'zod'
import { searchBookmarks } from '../../actions/search-bookmarks.ts'
import { BookmarkType } from '../../contract/bookmark.ts'
import { PROFILE } from '../../contract/caller.ts'
import { query } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** A search of the owner's, in the language of docs/search.md. `tag` may be given several times. */
const SearchQuery = z.strictObject({
  words: z.string().max(1000).optional(),
  tag: z.union([z.array(z.string().min(1)).max(32), z.string().min(1)]).optional(),
  domain: z.string().min(1).max(300).optional(),
  type: BookmarkType.optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20)
})

/** Bookmarks: search. */
export function bookmarkRoutes({ ports }: ServerContext) {
  return new Hono().get('/', query(SearchQuery), async (c) => {
    const { words, tag, domain, type, page, limit } = c.req.valid('query')
    const { bookmarks, ...found } = await searchBookmarks(ports, PROFILE, {
      page,
      limit,
      ...(words?.trim() && { words }),
      ...(tag !== undefined && { tags: [tag].flat() }),
      ...(domain !== undefined && { domain }),
      ...(type !== undefined && { type })
    })
    return c.json({
      ...found,
      page,
      limit,
      bookmarks: bookmarks.map((bookmark) => ({
        ...bookmark,
        createdAt: new Date(bookmark.createdAt).toISOString(),
        updatedAt: new Date(bookmark.updatedAt).toISOString()
      }))
    })
  })
}
