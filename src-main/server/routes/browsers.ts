import { Hono } from 'hono'
import { BrowserRequest } from '../../contract/browser.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** The browsers of this machine: which there are, and telling them of the program that the extension may start. */
export function browserRoutes({ ports, program, ownFolder }: ServerContext) {
  return new Hono()
    .get('/', (c) => c.json(ports.browsers.list()))
    .post('/:id/connect', body(BrowserRequest), (c) =>
      c.json(ports.browsers.connect(c.req.param('id'), program, ownFolder, c.req.valid('json').dryRun))
    )
    .post('/:id/disconnect', body(BrowserRequest), (c) =>
      c.json(ports.browsers.disconnect(c.req.param('id'), c.req.valid('json').dryRun))
    )
}
