import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { BrowserRequest } from '../../contract/browser.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** The browsers of this machine: which there are, and telling them of the program that the extension may start. */
export function browserRoutes({ ports, program, ownFolder, dashboard }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json({ browsers: await ports.browsers.list(), extension: extensionFolder(dashboard) }))
    .post('/:id/connect', body(BrowserRequest), async (c) =>
      c.json(await ports.browsers.connect(c.req.param('id'), program, ownFolder, c.req.valid('json').dryRun))
    )
    .post('/:id/disconnect', body(BrowserRequest), async (c) =>
      c.json(await ports.browsers.disconnect(c.req.param('id'), c.req.valid('json').dryRun))
    )
}

/** Where the built extension lies: beside the dashboard, or beside the packaged app's archive; `null` where it is in neither. */
function extensionFolder(dashboard: string): string | null {
  const places = [join(dashboard, '../extension'), join(dashboard, '../../../extension')]
  return places.find((place) => existsSync(join(place, 'chromium/manifest.json'))) ?? null
}
