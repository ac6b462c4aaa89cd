import { Hono } from 'hono'
import { limitBody } from './body.ts'
import type { ServerContext } from './context.ts'
import { ownerOnly } from './identify.ts'
import {
  browserRoutes,
  callRoutes,
  connectionTestRoutes,
  editorRoutes,
  keyRoutes,
  loginRoutes,
  sessionListRoutes,
  sessionRoutes
} from './routes/access.ts'
import {
  bookmarkRoutes,
  colorRoutes,
  duplicateRoutes,
  pictureRoutes,
  sampleRoutes,
  trashRoutes,
  undoRoutes
} from './routes/bookmarks.ts'
import { eventRoutes } from './routes/events.ts'
import { extensionRoutes } from './routes/extension.ts'
import {
  backupRoutes,
  doctorRoutes,
  linkCheckRoutes,
  settingRoutes,
  statusRoutes,
  workRoutes
} from './routes/library.ts'
import { organizationRoutes, ruleRoutes, searchRoutes, tagRoutes } from './routes/organize.ts'
import {
  browserFileRoutes,
  exportRoutes,
  importRoutes,
  syncNowRoutes,
  syncRoutes,
  watchedFileRoutes
} from './routes/transfer.ts'

/** The typed API for `hono/client`, relative to `/api`. */
export type Api = ReturnType<typeof apiRoutes>

/** The routes of the dashboard, the command line and the extension. */
export function apiRoutes(context: ServerContext) {
  return (
    new Hono()
      .get('/proof', (c) => c.json({ proof: context.identification.prove(c.req.query('nonce') ?? '') }))
      .use('/session/*', limitBody())
      .route('/session', sessionRoutes(context))
      .use('/extension/*', limitBody())
      .route('/extension', extensionRoutes(context))
      .use('*', ownerOnly(context))
      .route('/imports', importRoutes(context))
      .route('/pictures', pictureRoutes(context))
      // The routes above have their own limits.
      .use('*', limitBody())
      .route('/backups', backupRoutes(context))
      .route('/connection-tests', connectionTestRoutes(context))
      .route('/events', eventRoutes(context))
      .route('/exports', exportRoutes(context))
      .route('/work', workRoutes(context))
      .route('/sync-now', syncNowRoutes(context))
      .route('/sessions', sessionListRoutes(context))
      .route('/status', statusRoutes(context))
      .route('/bookmarks', bookmarkRoutes(context))
      .route('/samples', sampleRoutes(context))
      .route('/trash', trashRoutes(context))
      .route('/doctor', doctorRoutes(context))
      .route('/watched-files', watchedFileRoutes(context))
      .route('/browser-files', browserFileRoutes(context))
      .route('/undo', undoRoutes(context))
      .route('/duplicates', duplicateRoutes(context))
      .route('/link-checks', linkCheckRoutes(context))
      .route('/colors', colorRoutes(context))
      .route('/tags', tagRoutes(context))
      .route('/keys', keyRoutes(context))
      .route('/editors', editorRoutes(context))
      .route('/browsers', browserRoutes(context))
      .route('/calls', callRoutes(context))
      .route('/organizations', organizationRoutes(context))
      .route('/settings', settingRoutes(context))
      .route('/searches', searchRoutes(context))
      .route('/rules', ruleRoutes(context))
      .route('/sync', syncRoutes(context))
      .route('/login-links', loginRoutes(context))
  )
}
