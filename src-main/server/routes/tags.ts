import { Hono } from 'hono'
import { deleteTag, mergeTags, renameTag } from '../../actions/bookmarks/change-tags.ts'
import { TagMerge, TagRename } from '../../contract/tag.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** Tags: list, rename, merge, delete. */
export function tagRoutes({ ports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(await ports.library.listTags()))
    .post('/merges', body(TagMerge), async (c) => c.json(await mergeTags(ports, c.req.valid('json'))))
    .patch('/:name', body(TagRename), async (c) =>
      c.json(await renameTag(ports, c.req.param('name'), c.req.valid('json').name))
    )
    .delete('/:name', async (c) => c.json(await deleteTag(ports, c.req.param('name'))))
}
