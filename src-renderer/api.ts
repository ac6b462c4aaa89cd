import { hc } from 'hono/client'
import type { Api } from '../src-main/server/api.ts'

/** The service this page came from. The session cookie goes along by itself. */
export const api = hc<Api>(`${location.origin}/api`)
