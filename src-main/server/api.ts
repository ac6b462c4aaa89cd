import type { apiRoutes } from './app.ts'

/** The typed API for `hono/client`, relative to `/api`. */
export type Api = ReturnType<typeof apiRoutes>
