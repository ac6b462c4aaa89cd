import { hc } from 'hono/client'
import type { Api } from '../../src-main/server/api.ts'
import { sessionHeaders } from './kept-session.ts'

/** The service this page came from. */
export const api = hc<Api>(`${location.origin}/api`, { headers: sessionHeaders })
