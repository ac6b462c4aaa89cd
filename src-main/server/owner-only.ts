import type { Context, MiddlewareHandler } from 'hono'
import { provesTab } from '../actions/keys/session.ts'
import type { OwnProgram } from '../contract/own-program.ts'
import type { Ports } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import type { ServerContext } from './context.ts'
import { credentialsOf, type OwnerProof } from './identify.ts'

export interface OwnerEnv {
  Variables: { proof: OwnerProof }
}

/** Where a new session comes from. Told to whoever asks, so without the paths of this machine. */
export function wayIn({ packaged }: OwnProgram): string {
  return packaged ? 'open Earmark’s window' : 'open a login link from npm run -s earmark -- login'
}

/** Carries what only the tab that logged in has. */
export const TAB_HEADER = 'x-earmark-tab'

/**
 * Lets through the dashboard's session and the command line; an API key opens only the endpoint. A session's cookie
 * alone is not enough: the browser sends it to any program on this machine that it visits, whatever the port.
 */
export function ownerOnly({
  identification,
  ports,
  exportTickets,
  program
}: ServerContext): MiddlewareHandler<OwnerEnv> {
  return async (c, next) => {
    const proof = await identification.owner(credentialsOf(c.req.raw))
    if (!proof) throw new Problem('unauthorized', `Log in first: ${wayIn(program)}.`)
    const ticket = c.req.path === '/api/exports' ? c.req.query('ticket') : undefined
    const isFree = isAskedByElement(c) || (ticket !== undefined && exportTickets.redeem(ticket))
    if (proof.kind === 'session' && !isFree) await assertTab(ports, proof.secret, c.req.header(TAB_HEADER))
    c.set('proof', proof)
    await next()
  }
}

/** @throws Problem `tab-locked` where a session's request does not come from a tab that was given its token */
export async function assertTab(ports: Ports, secret: string, tabToken: string | undefined): Promise<void> {
  if (tabToken !== undefined && (await provesTab(ports, secret, tabToken))) return
  throw new Problem(
    'tab-locked',
    'This tab may not do this. Allow it from the tab you logged in with, or open a new login link here.'
  )
}

/** Pictures and live events are asked for by elements of a page, which send no headers of ours. */
function isAskedByElement({ req }: Context): boolean {
  return ['GET', 'HEAD'].includes(req.raw.method) && /^\/api\/(events$|pictures\/)/.test(req.path)
}
