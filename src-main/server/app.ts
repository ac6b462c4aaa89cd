import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { parseAccept } from 'hono/utils/accept'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ENDPOINT_PATH, endpointAddress, programOrigin } from '../contract/endpoint.ts'
import { directionOf, pickLanguage } from '../contract/languages.ts'
import { errorBody, Problem, type ProblemCode } from '../contract/problem.ts'
import { apiRoutes } from './api.ts'
import type { ServerContext } from './context.ts'

/** Answers all requests except those to the MCP endpoint. */
export function createApp(context: ServerContext): Hono {
  return new Hono()
    .on(ANY, OAUTH_PATHS, (c) => c.json(NO_OAUTH, 404))
    .on(ANY, OTHER_ENDPOINTS, nameEndpoint)
    .post('/', nameEndpoint)
    .route('/api', apiRoutes(context))
    .route('/', dashboardFiles(context))
    .notFound((c) => c.json(NOT_FOUND, 404))
    .onError(answerError(context.onBug))
}

const NOT_FOUND = errorBody('not-found', 'There is nothing at this address.')

/** Other paths at which MCP clients expect the endpoint. */
const OTHER_ENDPOINTS = ['/mcp', '/sse', '/api/tools', '/api/tools/*']

const nameEndpoint: Handler = (c) => {
  const message = `The MCP endpoint is POST ${endpointAddress(programOrigin(new URL(c.req.url).port))}, with an x-api-key header.`
  return c.json(errorBody('not-found', message), 404)
}

const ANY = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const OAUTH_PATHS = ['/.well-known/*', `${ENDPOINT_PATH}/.well-known/*`, '/register', '/authorize', '/token']

/** The answer for clients that look for OAuth after a 401. They fail if it is not JSON. */
const NO_OAUTH = {
  error: 'invalid_request',
  error_description:
    'Earmark does not use OAuth: send a valid x-api-key header (or Authorization: Bearer KEY). Keys are made in Earmark ' +
    'under Profile, API Keys.'
}

const STATUS = {
  conflict: 409,
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

/** Answers an error: a Problem with its message, anything else as an internal error. */
export function answerError(onBug: (error: unknown) => void) {
  return (error: unknown, c: Context): Response => {
    if (error instanceof Problem) {
      return c.json(errorBody(error.code, error.message, error.values), STATUS[error.code])
    }
    // An error of Hono itself, for example for invalid JSON.
    if (error instanceof HTTPException && error.status < 500) {
      return c.json(errorBody('invalid', error.message), error.status)
    }
    if ((error as NodeJS.ErrnoException | null)?.code === 'ECONNRESET') return c.body(null, 400) // client disconnected
    onBug(error)
    return c.json(errorBody('internal', 'Earmark failed unexpectedly. See earmark.log in the data folder.'), 500)
  }
}

/** Paths of the dashboard's views, which are not files. src-renderer/app has a route for each. */
const VIEWS = [
  '/',
  '/login',
  '/links',
  '/images',
  '/colors',
  '/texts',
  '/tags',
  '/organizations',
  '/duplicates',
  '/highlights',
  '/trash',
  '/profile/api-keys',
  '/settings'
]

/** Serves the built dashboard. Its files contain no data, so they need no login. */
function dashboardFiles(context: ServerContext): Hono {
  const root = context.dashboard
  const mark = markPage(context)
  const page = serveStatic({ root, rewriteRequestPath: () => '/index.html' })
  const capture = serveStatic({ root, rewriteRequestPath: () => '/capture/index.html' })
  const app = new Hono()
  for (const view of VIEWS) app.get(view, mark, page)
  app.get('/capture', mark, capture) // the desktop's small window
  app.use('/assets/*', immutable).get('/assets/*', serveStatic({ root }))
  app.get('/locales/*', serveStatic({ root }))
  return app.get('*', asMissing, mark, page)
}

/**
 * Writes into the page the data that it needs before it can call the API: its language, and whether this is the installed
 * app, whose dashboard shows no advice about a source folder.
 */
function markPage({ ports, program }: ServerContext): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (!c.res.ok) return
    // If the library cannot be read, the page shows the reason in the browser's language.
    const choice = await ports.library.readSettings().then(
      (settings) => settings.language,
      () => 'system' as const
    )
    const language = choice === 'system' ? pickLanguage(preferredLanguages(c)) : choice
    const marks = `lang="${language}" dir="${directionOf(language)}"${program.packaged ? ' data-packaged' : ''}`
    const html = await c.res.text()
    c.res.headers.delete('content-length')
    c.header('vary', 'accept-language', { append: true })
    c.res = new Response(html.replace('lang="en"', marks), c.res)
  }
}

function preferredLanguages(c: Context): string[] {
  return parseAccept(c.req.header('accept-language') ?? '').map(({ type }) => type)
}

/** Answers a browser with the dashboard, which shows Not found, and a program with JSON. */
const asMissing: MiddlewareHandler = async (c, next) => {
  if (c.req.path.startsWith('/api/') || !c.req.header('accept')?.includes('text/html')) return c.notFound()
  await next()
  if (c.res.ok) c.res = new Response(c.res.body, { status: 404, headers: c.res.headers })
}

/** Lets browsers cache files whose names change with their content. */
const immutable: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.ok) c.header('cache-control', 'public, max-age=31536000, immutable')
}
