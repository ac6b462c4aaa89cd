import { Hono } from 'hono'
import { createOrganization } from '../../actions/create-organization.ts'
import { type Organization, OrganizationRequest } from '../../contract/organization.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** Organizations: list, create. */
export function organizationRoutes({ ports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json((await ports.library.listOrganizations()).map(shown)))
    .post('/', body(OrganizationRequest), async (c) => {
      return c.json(shown(await createOrganization(ports, c.req.valid('json'))), 201)
    })
}

function shown({ id, name, createdAt }: Organization) {
  return { id, name, createdAt: new Date(createdAt).toISOString() }
}
