import { type Context, type Handler, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ENDPOINT_PATH, endpointOf, programOrigin } from '../contract/endpoint.ts'
import { errorBody, Problem, type ProblemCode } from '../contract/problem.ts'
import { limitBody } from './body.ts'
import type { ServerContext } from './context.ts'
import { dashboardFiles } from './dashboard-files.ts'
import { inOneLibrary, ownerOnly } from './owner-only.ts'
import { bookmarkRoutes, colorRoutes, duplicateRoutes, tagRoutes, trashRoutes, undoRoutes } from './routes/bookmarks.ts'
import { eventRoutes } from './routes/events.ts'
import { extensionRoutes } from './routes/extension.ts'
import { browserRoutes, callRoutes, connectionTestRoutes, editorRoutes, keyRoutes } from './routes/keys.ts'
import { backupRoutes, doctorRoutes, settingRoutes, statusRoutes, workRoutes } from './routes/library.ts'
import { linkCheckRoutes } from './routes/link-checks.ts'
import { organizationRoutes } from './routes/organizations.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { ruleRoutes } from './routes/rules.ts'
import { searchRoutes } from './routes/searches.ts'
import { loginRoutes, sessionRoutes } from './routes/session.ts'
import { syncNowRoutes, syncRoutes } from './routes/sync.ts'
import { exportRoutes, importRoutes, watchedFileRoutes } from './routes/transfer.ts'

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

/** The HTTP status each problem has. */
const STATUS = {
  'data-folder-unusable': 500,
  'disk-full': 507,
  expired: 401,
  forbidden: 403,
  invalid: 400,
  'library-damaged': 500,
  'library-in-use': 409,
  'library-missing': 500,
  'login-used': 401,
  'not-a-library': 500,
  'not-found': 404,
  'port-taken': 409,
  'service-unreachable': 502,
  'store-too-new': 409,
  'store-too-old': 409,
  taken: 409,
  'too-large': 413,
  'too-many': 429,
  unauthorized: 401
} as const satisfies Record<ProblemCode, ContentfulStatusCode>

/** Answers an error under `/api`: a Problem in its own words, anything else as a failure of ours. */
export function answerError(onBug: (error: unknown) => void) {
  return (error: unknown, c: Context): Response => {
    if (error instanceof Problem) {
      return c.json(errorBody(error.code, error.message), STATUS[error.code])
    }
    // Hono's own refusals, such as of JSON that is none.
    if (error instanceof HTTPException && error.status < 500) {
      return c.json(errorBody('invalid', error.message), error.status)
    }
    if ((error as NodeJS.ErrnoException | null)?.code === 'ECONNRESET') return c.body(null, 400) // the client went away
    onBug(error)
    return c.json(errorBody('internal', 'Earmark failed unexpectedly. See earmark.log in the data folder.'), 500)
  }
}
