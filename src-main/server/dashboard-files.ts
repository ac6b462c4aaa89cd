import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type MiddlewareHandler } from 'hono'

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
export function dashboardFiles(folder: string): Hono {
  const page = serveStatic({ root: folder, rewriteRequestPath: () => '/index.html' })
  const capture = serveStatic({ root: folder, rewriteRequestPath: () => '/capture/index.html' })
  const app = new Hono()
  for (const view of VIEWS) app.get(view, page)
  app.get('/capture', capture) // the desktop's small window, a page of its own
  return app.use('/assets/*', forGood).get('/assets/*', serveStatic({ root: folder }))
}

/** The names of these files change with their content. */
const forGood: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.ok) c.header('cache-control', 'public, max-age=31536000, immutable')
}
