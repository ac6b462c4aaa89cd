import { type Handler, Hono } from 'hono'
import { ENDPOINT_PATH, endpointOf, programOrigin } from '../contract/endpoint.ts'
import { errorBody } from '../contract/problem.ts'
import { limitBody } from './body-limits.ts'
import type { ServerContext } from './context.ts'
import { dashboardFiles } from './dashboard-files.ts'
import { inOneLibrary, ownerOnly } from './owner-only.ts'
import { answerError } from './problems.ts'
import { backupRoutes } from './routes/backups.ts'
import { bookmarkRoutes } from './routes/bookmarks.ts'
import { browserRoutes } from './routes/browsers.ts'
import { callRoutes } from './routes/calls.ts'
import { colorRoutes } from './routes/colors.ts'
import { connectionTestRoutes } from './routes/connection-tests.ts'
import { doctorRoutes } from './routes/doctor.ts'
import { duplicateRoutes } from './routes/duplicates.ts'
import { editorRoutes } from './routes/editors.ts'
import { eventRoutes } from './routes/events.ts'
import { exportRoutes } from './routes/exports.ts'
import { extensionRoutes } from './routes/extension.ts'
import { importRoutes } from './routes/imports.ts'
import { keyRoutes } from './routes/keys.ts'
import { linkCheckRoutes } from './routes/link-checks.ts'
import { loginRoutes } from './routes/login.ts'
import { organizationRoutes } from './routes/organizations.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { ruleRoutes } from './routes/rules.ts'
import { searchRoutes } from './routes/searches.ts'
import { sessionRoutes } from './routes/session.ts'
import { settingRoutes } from './routes/settings.ts'
import { statusRoutes } from './routes/status.ts'
import { syncNowRoutes, syncRoutes } from './routes/sync.ts'
import { tagRoutes } from './routes/tags.ts'
import { trashRoutes } from './routes/trash.ts'
import { undoRoutes } from './routes/undo.ts'
import { watchedFileRoutes } from './routes/watched-files.ts'
import { workRoutes } from './routes/work.ts'

/** The routes of the dashboard and the command line. Their types are `Api`. */
export function apiRoutes(context: ServerContext) {
  return (
    new Hono()
      .get('/proof', (c) => c.json({ proof: context.identification.prove(c.req.query('nonce') ?? '') }))
      .use('/session/*', limitBody())
      .route('/session', sessionRoutes(context))
      .use('/extension/*', limitBody(), (_, next) => context.ports.library.inOneLibrary(next))
      .route('/extension', extensionRoutes(context))
      .use('*', ownerOnly(context))
      .route('/imports', importRoutes(context))
      .route('/pictures', pictureRoutes(context))
      // Those before have limits of their own.
      .use('*', limitBody())
      // These restore a backup, call the endpoint, go on for long, or ask nothing of the library.
      .route('/backups', backupRoutes(context))
      .route('/connection-tests', connectionTestRoutes(context))
      .route('/events', eventRoutes(context))
      .route('/exports', exportRoutes(context))
      .route('/work', workRoutes(context))
      .route('/sync-now', syncNowRoutes(context))
      .use('*', inOneLibrary(context))
      .route('/status', statusRoutes(context))
      .route('/bookmarks', bookmarkRoutes(context))
      .route('/trash', trashRoutes(context))
      .route('/doctor', doctorRoutes(context))
      .route('/watched-files', watchedFileRoutes(context))
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

/** Everything the service answers, the gate aside. */
export function createApp(context: ServerContext, endpoint: (request: Request) => Promise<Response>): Hono {
  return new Hono()
    .all(ENDPOINT_PATH, (c) => endpoint(c.req.raw))
    .on(ANY, OAUTH_PATHS, (c) => c.json(NO_OAUTH, 404))
    .on(ANY, ENDPOINT_MISSES, elsewhere)
    .post('/', elsewhere)
    .route('/api', apiRoutes(context))
    .route('/', dashboardFiles(context.dashboard, context.program))
    .notFound((c) => c.json(NOT_FOUND, 404))
    .onError(answerError(context.onBug))
}

const NOT_FOUND = errorBody('not-found', 'There is nothing at this address.')

/** Where clients of MCP look for the endpoint by habit. */
const ENDPOINT_MISSES = ['/mcp', '/sse', '/api/tools', '/api/tools/*']

const elsewhere: Handler = (c) => {
  const message = `The MCP endpoint is POST ${endpointOf(programOrigin(new URL(c.req.url).port))}, with an x-api-key header.`
  return c.json(errorBody('not-found', message), 404)
}

const ANY = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const OAUTH_PATHS = ['/.well-known/*', `${ENDPOINT_PATH}/.well-known/*`, '/register', '/authorize', '/token']

/** Clients that get a 401 look for OAuth here, and choke on anything but JSON. */
const NO_OAUTH = {
  error: 'invalid_request',
  error_description:
    'Earmark does not use OAuth: send a valid x-api-key header (or Authorization: Bearer KEY). Keys are made in Earmark ' +
    'under Profile, API Keys.'
}
