import { Hono } from 'hono'
import { limitBody } from './body.ts'
import type { ServerContext } from './context.ts'
import { ownerOnly } from './identify.ts'
import * as access from './routes/access.ts'
import * as bookmarks from './routes/bookmarks.ts'
import { eventRoutes } from './routes/events.ts'
import { extensionRoutes } from './routes/extension.ts'
import * as library from './routes/library.ts'
import * as organize from './routes/organize.ts'
import * as pages from './routes/pages.ts'
import * as transfer from './routes/transfer.ts'

/** The typed API for `hono/client`, relative to `/api`. */
export type Api = ReturnType<typeof apiRoutes>

/** The routes of the dashboard, the command line and the extension. */
export function apiRoutes(context: ServerContext) {
  return (
    new Hono()
      .get('/proof', (c) => c.json({ proof: context.identification.prove(c.req.query('nonce') ?? '') }))
      .use('/session/*', limitBody())
      .route('/session', access.sessionRoutes(context))
      .use('/extension/*', limitBody())
      .route('/extension', extensionRoutes(context))
      .use('*', ownerOnly(context))
      .route('/imports', transfer.importRoutes(context))
      .route('/pictures', bookmarks.pictureRoutes(context))
      // The routes above have their own limits.
      .use('*', limitBody())
      .route('/backups', library.backupRoutes(context))
      .route('/connection-tests', access.connectionTestRoutes(context))
      .route('/events', eventRoutes(context))
      .route('/exports', transfer.exportRoutes(context))
      .route('/work', library.workRoutes(context))
      .route('/sync-now', transfer.syncNowRoutes(context))
      .route('/sessions', access.sessionListRoutes(context))
      .route('/status', library.statusRoutes(context))
      .route('/bookmarks', bookmarks.bookmarkRoutes(context))
      .route('/bookmarks', pages.pageRoutes(context))
      .route('/samples', bookmarks.sampleRoutes(context))
      .route('/trash', bookmarks.trashRoutes(context))
      .route('/doctor', library.doctorRoutes(context))
      .route('/watched-files', transfer.watchedFileRoutes(context))
      .route('/browser-files', transfer.browserFileRoutes(context))
      .route('/undo', bookmarks.undoRoutes(context))
      .route('/duplicates', bookmarks.duplicateRoutes(context))
      .route('/link-checks', library.linkCheckRoutes(context))
      .route('/colors', bookmarks.colorRoutes(context))
      .route('/highlights', pages.highlightRoutes(context))
      .route('/tags', organize.tagRoutes(context))
      .route('/keys', access.keyRoutes(context))
      .route('/editors', access.editorRoutes(context))
      .route('/browsers', access.browserRoutes(context))
      .route('/calls', access.callRoutes(context))
      .route('/organizations', organize.organizationRoutes(context))
      .route('/settings', library.settingRoutes(context))
      .route('/searches', organize.searchRoutes(context))
      .route('/rules', organize.ruleRoutes(context))
      .route('/sync', transfer.syncRoutes(context))
      .route('/login-links', access.loginRoutes(context))
  )
}
