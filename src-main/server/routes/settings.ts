import { Hono } from 'hono'
import { chooseBackupFolder } from '../../actions/library/backups.ts'
import { SettingsChange } from '../../contract/settings.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** The owner's settings: read all, change some. */
export function settingRoutes({ ports }: ServerContext) {
  const { library } = ports
  return new Hono()
    .get('/', async (c) => c.json(await library.readSettings()))
    .patch('/', body(SettingsChange), async (c) => {
      const { backupFolder, ...change } = c.req.valid('json')
      if (backupFolder !== undefined) await chooseBackupFolder(ports, backupFolder)
      await library.writeSettings(change)
      return c.json(await library.readSettings())
    })
}
