import { Hono } from 'hono'
import { testConnection } from '../../actions/keys/test-connection.ts'
import { ConnectionTestRequest } from '../../contract/connection-report.ts'
import { endpointOf, programOrigin } from '../../contract/endpoint.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** Tries a key against our own address, as an editor would. */
export function connectionTestRoutes({ ports, ownTests }: ServerContext) {
  return new Hono().post('/', body(ConnectionTestRequest), async (c) => {
    const address = endpointOf(programOrigin(new URL(c.req.url).port))
    return c.json(await testConnection(ports, ownTests, address, c.req.valid('json').key))
  })
}
