import { Hono } from 'hono'
import { testConnection } from '../../actions/keys/test-connection.ts'
import { ConnectionTestRequest } from '../../contract/connection-report.ts'
import { endpointOf } from '../../contract/endpoint.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** Tries a key against our own address, as an editor would. */
export function connectionTestRoutes({ ports, ownTests }: ServerContext) {
  return new Hono().post('/', body(ConnectionTestRequest), async (c) => {
    const address = endpointOf(`http://127.0.0.1:${new URL(c.req.url).port || 80}`)
    return c.json(await testConnection(ports, ownTests, address, c.req.valid('json').key))
  })
}
