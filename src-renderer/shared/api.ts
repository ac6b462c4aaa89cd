import { hc } from 'hono/client'
import type { Api } from '../../src-main/server/api.ts'
import { tabHeaders } from './tab-token.ts'

/** The service this page came from. The session cookie goes along by itself, what proves the tab with each call. */
export const api = hc<Api>(`${location.origin}/api`, { headers: tabHeaders })
