import { Hono } from 'hono'
import { SettingsChange } from '../../contract/settings.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** The owner's settings: read all, change some. */
export function settingRoutes({ ports: { library } }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(await library.readSettings()))
    .patch('/', body(SettingsChange), async (c) => {
      await library.writeSettings(c.req.valid('json'))
      return c.json(await library.readSettings())
    })
}
