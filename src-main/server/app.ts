import { type Handler, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from '../contract/picture-limit.ts'
import type { ServerContext } from './context.ts'
import { dashboardFiles } from './dashboard-files.ts'
import { ownerOnly } from './owner-only.ts'
import { answerError } from './problems.ts'
import { backupRoutes } from './routes/backups.ts'
import { bookmarkRoutes } from './routes/bookmarks.ts'
import { callRoutes } from './routes/calls.ts'
import { colorRoutes } from './routes/colors.ts'
import { connectionTestRoutes } from './routes/connection-tests.ts'
import { duplicateRoutes } from './routes/duplicates.ts'
import { editorRoutes } from './routes/editors.ts'
import { eventRoutes } from './routes/events.ts'
import { exportRoutes } from './routes/exports.ts'
import { importRoutes } from './routes/imports.ts'
import { keyRoutes } from './routes/keys.ts'
import { linkCheckRoutes } from './routes/link-checks.ts'
import { loginRoutes } from './routes/login.ts'
import { organizationRoutes } from './routes/organizations.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { sessionRoutes } from './routes/session.ts'
import { settingRoutes } from './routes/settings.ts'
import { statusRoutes } from './routes/status.ts'
import { tagRoutes } from './routes/tags.ts'
import { trashRoutes } from './routes/trash.ts'
import { undoRoutes } from './routes/undo.ts'

/** The routes of the dashboard and the command line. Their types are `Api`. */
export function apiRoutes(context: ServerContext) {
  return new Hono()
    .use('*', limitBody)
    .get('/proof', (c) => c.json({ proof: context.identification.prove(c.req.query('nonce') ?? '') }))
    .route('/session', sessionRoutes(context))
    .use('*', ownerOnly(context))
    .route('/status', statusRoutes(context))
    .route('/bookmarks', bookmarkRoutes(context))
    .route('/pictures', pictureRoutes(context))
    .route('/trash', trashRoutes(context))
    .route('/undo', undoRoutes(context))
    .route('/duplicates', duplicateRoutes(context))
    .route('/link-checks', linkCheckRoutes(context))
    .route('/colors', colorRoutes(context))
    .route('/tags', tagRoutes(context))
    .route('/keys', keyRoutes(context))
    .route('/editors', editorRoutes(context))
    .route('/calls', callRoutes(context))
    .route('/connection-tests', connectionTestRoutes(context))
    .route('/organizations', organizationRoutes(context))
    .route('/settings', settingRoutes(context))
    .route('/events', eventRoutes(context))
    .route('/imports', importRoutes(context))
    .route('/exports', exportRoutes(context))
    .route('/backups', backupRoutes(context))
    .route('/login-links', loginRoutes(context))
}

/** Everything the service answers, the gate aside. */
export function createApp(context: ServerContext, endpoint: (request: Request) => Promise<Response>): Hono {
  return new Hono()
    .all('/api/tools/mcp', (c) => endpoint(c.req.raw))
    .on(ANY, OAUTH_PATHS, (c) => c.json(NO_OAUTH, 404))
    .on(ANY, ENDPOINT_MISSES, elsewhere)
    .post('/', elsewhere)
    .route('/api', apiRoutes(context))
    .route('/', dashboardFiles(context.dashboard, context.program))
    .notFound((c) => c.json(NOT_FOUND, 404))
    .onError(answerError(context.onBug))
}

/** Largest body taken, in bytes, but for pictures, and for imports, which are read as they come. */
const MOST_BYTES = 1024 * 1024

const tooLarge = bodyLimit({
  maxSize: MOST_BYTES,
  onError: (c) => c.json({ error: { code: 'invalid', message: `A request has at most ${MOST_BYTES} bytes.` } }, 413)
})

/** What is said of a picture stands around it. */
const pictureTooLarge = bodyLimit({
  maxSize: MOST_PICTURE_BYTES + MOST_BYTES,
  onError: (c) => c.json({ error: { code: 'too-large', message: PICTURE_TOO_LARGE } }, 413)
})

const limitBody: MiddlewareHandler = async (c, next) => {
  if (!['POST', 'PATCH'].includes(c.req.method) || c.req.path === '/api/imports') return next()
  if (c.req.header('transfer-encoding') !== undefined) return c.json(NO_LENGTH, 411)
  // What comes from a socket without either has no body (RFC 9112, 6.3).
  if (c.req.header('content-length') === undefined && c.env?.incoming !== undefined) return next()
  return c.req.path === '/api/pictures' ? pictureTooLarge(c, next) : tooLarge(c, next)
}

/** Browsers and the command line always say it; and a body without is one whose end nobody knows. */
const NO_LENGTH = { error: { code: 'invalid', message: 'Send the body’s length in Content-Length.' } }

const NOT_FOUND = { error: { code: 'not-found', message: 'There is nothing at this address.' } }

/** Where clients of MCP look for the endpoint by habit. */
const ENDPOINT_MISSES = ['/mcp', '/sse', '/api/tools', '/api/tools/*']

const elsewhere: Handler = (c) => {
  const message = `The MCP endpoint is POST ${new URL(c.req.url).origin}/api/tools/mcp, with an x-api-key header.`
  return c.json({ error: { code: 'not-found', message } }, 404)
}

const ANY = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const OAUTH_PATHS = ['/.well-known/*', '/api/tools/mcp/.well-known/*', '/register', '/authorize', '/token']

/** Clients that get a 401 look for OAuth here, and choke on anything but JSON. */
const NO_OAUTH = {
  error: 'invalid_request',
  error_description:
    'Earmark does not use OAuth: send a valid x-api-key header (not Authorization: Bearer). Keys are made in Earmark ' +
    'under Profile, API Keys.'
}
