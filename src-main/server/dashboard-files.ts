import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type MiddlewareHandler } from 'hono'
import type { OwnProgram } from '../contract/own-program.ts'

/** Addresses that are views of the dashboard, not files: the routes of src-renderer/app. */
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
  '/trash',
  '/profile/api-keys',
  '/settings'
]

/** The built dashboard. Its files hold no data, so they need no login. */
export function dashboardFiles(folder: string, { packaged }: OwnProgram): Hono {
  const page = serveStatic({ root: folder, rewriteRequestPath: () => '/index.html' })
  const capture = serveStatic({ root: folder, rewriteRequestPath: () => '/capture/index.html' })
  const app = new Hono()
  if (packaged) for (const view of VIEWS) app.use(view, markPackaged)
  for (const view of VIEWS) app.get(view, page)
  app.get('/capture', capture) // the desktop's small window, a page of its own
  app.use('/assets/*', forGood).get('/assets/*', serveStatic({ root: folder }))
  return app.get('*', asMissing, ...(packaged ? [markPackaged] : []), page)
}

/** The installed app's dashboard gives no advice about a folder of sources; it reads this before it can ask anything. */
const markPackaged: MiddlewareHandler = async (c, next) => {
  await next()
  if (!c.res.ok) return
  const html = await c.res.text()
  c.res.headers.delete('content-length')
  c.res = new Response(html.replace('<html ', '<html data-packaged '), c.res)
}

/**
 * Sends the dashboard, which says that the page is missing, to people; programs get the same JSON answer as from all
 * routes.
 */
const asMissing: MiddlewareHandler = async (c, next) => {
  if (c.req.path.startsWith('/api/') || !c.req.header('accept')?.includes('text/html')) return c.notFound()
  await next()
  if (c.res.ok) c.res = new Response(c.res.body, { status: 404, headers: c.res.headers })
}

/** The names of these files change with their content. */
const forGood: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.ok) c.header('cache-control', 'public, max-age=31536000, immutable')
}
