import { Hono } from 'hono'
import { z } from 'zod'
import {
  createOrganization,
  deleteOrganization,
  previewDeletion,
  renameOrganization
} from '../../actions/organizations.ts'
import { BookmarkFate, type Organization, OrganizationRequest } from '../../contract/organization.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'

const DeletionQuery = z.strictObject({ bookmarks: BookmarkFate })

/** Organizations: list, create, rename, delete, and beforehand what deleting would do. */
export function organizationRoutes({ ports, imports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json((await ports.library.listOrganizations()).map(shown)))
    .post('/', body(OrganizationRequest), async (c) => {
      return c.json(shown(await createOrganization(ports, c.req.valid('json'))), 201)
    })
    .patch('/:id', body(OrganizationRequest), async (c) => {
      await renameOrganization(ports, c.req.param('id'), c.req.valid('json'))
      return c.body(null, 204)
    })
    .get('/:id/deletion', async (c) => c.json(await previewDeletion(ports, c.req.param('id'))))
    .delete('/:id', query(DeletionQuery), async (c) => {
      imports.refuseWhileAny()
      return c.json(await deleteOrganization(ports, c.req.param('id'), c.req.valid('query').bookmarks))
    })
}

function shown({ rowId: _row, createdAt, ...organization }: Organization) {
  return { ...organization, createdAt: isoTime(createdAt) }
}
