import { Hono } from 'hono'
import { deleteTag, mergeTags, renameTag } from '../../actions/bookmarks/change-bookmarks.ts'
import { TagMerge, TagRename, TagsAsked } from '../../contract/tag.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

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
