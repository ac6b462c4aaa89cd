import { Hono } from 'hono'
import { z } from 'zod'
import { findDuplicates, mergeAllDuplicates } from '../../actions/bookmarks/duplicates.ts'
import { MergeAllRequest, MergeRequest } from '../../contract/duplicate.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { shownBookmark } from '../shown-bookmark.ts'
import { WorkName } from './work-name.ts'

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
