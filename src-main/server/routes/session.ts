import { Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import { beginSession, endSession, SESSION_MS } from '../../actions/keys/session.ts'
import { SESSION_COOKIE } from '../../contract/endpoint.ts'
import { Problem } from '../../contract/problem.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { credentialsOf } from '../identify.ts'
import { type OwnerEnv, wayIn } from '../owner-only.ts'

const LoginRequest = z.strictObject({ token: z.string().min(1).max(200) })

/** Exchanges a login link's token for a session, and ends a session. */
export function sessionRoutes({ ports, identification, loginLinks, dashboardHost, program }: ServerContext) {
  return new Hono()
    .post('/', body(LoginRequest), async (c) => {
      if (!loginLinks.redeem(c.req.valid('json').token)) {
        throw new Problem('login-used', `This login link was already used or is too old: ${wayIn(program)}.`)
      }
      const secret = await beginSession(ports)
      // A cookie of any other name of this machine goes to the programs on its other ports too.
      if (new URL(c.req.url).hostname !== dashboardHost) return c.json({ session: secret })
      setCookie(c, SESSION_COOKIE, secret, {
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        maxAge: SESSION_MS / 1000
      })
      return c.json({ session: null })
    })
    .delete('/', async (c) => {
      const proof = await identification.owner(credentialsOf(c.req.raw))
      // A cookie that proves nothing may be a live session's, sent by a page that is not ours.
      if (!proof && c.req.header('cookie')) throw new Problem('unauthorized', 'There is no session to end.')
      if (proof?.kind === 'session') await endSession(ports, proof.secret)
      deleteCookie(c, SESSION_COOKIE, { path: '/' })
      return c.body(null, 204)
    })
}

/** Makes a one-time login link, for the command line only. */
export function loginRoutes({ loginLink }: ServerContext) {
  return new Hono<OwnerEnv>().post('/', (c) => {
    if (c.get('proof').kind !== 'command-line') throw new Problem('forbidden', 'Only the command line may do this.')
    return c.json({ login: loginLink() }, 201)
  })
}
