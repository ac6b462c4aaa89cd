import { Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import { beginSession, endSession, SESSION_MS } from '../../actions/keys/session.ts'
import { sessionCookieName } from '../../contract/endpoint.ts'
import { Problem } from '../../contract/problem.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { credentialsOf } from '../identify.ts'
import { assertTab, TAB_HEADER, wayIn } from '../owner-only.ts'

const LoginRequest = z.strictObject({ token: z.string().min(1).max(200) })

/** Exchanges a login link's token for the session cookie, and ends a session. */
export function sessionRoutes({ ports, identification, loginLinks, program }: ServerContext) {
  return new Hono()
    .post('/', body(LoginRequest), async (c) => {
      if (!loginLinks.redeem(c.req.valid('json').token)) {
        throw new Problem('login-used', `This login link was already used or is too old: ${wayIn(program)}.`)
      }
      const { secret, tabToken } = await beginSession(ports)
      setCookie(c, sessionCookieName(new URL(c.req.url).port), secret, {
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        maxAge: SESSION_MS / 1000
      })
      return c.json({ tabToken })
    })
    .delete('/', async (c) => {
      const proof = await identification.owner(credentialsOf(c.req.raw))
      // A cookie that proves nothing may be a live session's, sent by a page that is not ours.
      if (!proof && c.req.header('cookie')) throw new Problem('unauthorized', 'There is no session to end.')
      if (proof?.kind === 'session') {
        await assertTab(ports, proof.secret, c.req.header(TAB_HEADER))
        await endSession(ports, proof.secret)
      }
      deleteCookie(c, sessionCookieName(new URL(c.req.url).port), { path: '/' })
      return c.body(null, 204)
    })
}
