import { Hono } from 'hono'
import { deleteSavedSearch, renameSavedSearch, restoreSavedSearch, saveSearch } from '../../actions/rules.ts'
import { SavedSearchRename, SavedSearchRequest, SavedSearchRestoration } from '../../contract/rule.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** Saved searches: list, save, rename, delete, and put back what was deleted. */
export function searchRoutes({ ports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(await ports.library.listSavedSearches()))
    .post('/', body(SavedSearchRequest), async (c) => c.json(await saveSearch(ports, c.req.valid('json')), 201))
    .post('/restorations', body(SavedSearchRestoration), async (c) => {
      await restoreSavedSearch(ports, c.req.valid('json'))
      return c.body(null, 204)
    })
    .patch('/:id', body(SavedSearchRename), async (c) => {
      await renameSavedSearch(ports, c.req.param('id'), c.req.valid('json'))
      return c.body(null, 204)
    })
    .delete('/:id', async (c) => {
      await deleteSavedSearch(ports, c.req.param('id'))
      return c.body(null, 204)
    })
}
