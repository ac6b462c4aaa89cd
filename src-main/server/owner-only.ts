import type { Context, MiddlewareHandler } from 'hono'
import { SESSION_HEADER } from '../contract/endpoint.ts'
import type { OwnProgram } from '../contract/own-program.ts'
import { Problem } from '../contract/problem.ts'
import type { ServerContext } from './context.ts'
import { type Credentials, credentialsOf, type OwnerProof } from './identify.ts'

export interface OwnerEnv {
  Variables: { proof: OwnerProof }
}

/** Where a new session comes from. Told to whoever asks, so without the paths of this machine. */
export function wayIn({ packaged }: OwnProgram): string {
  return packaged ? 'open Earmark’s window' : 'open a login link from npm run -s earmark -- login'
}

/** Lets through the dashboard's session and the command line; an API key opens only the endpoint. */
export function ownerOnly({ identification, exportTickets, program }: ServerContext): MiddlewareHandler<OwnerEnv> {
  return async (c, next) => {
    const ticket = c.req.path === '/api/exports' ? c.req.query('ticket') : undefined
    const proof = ticket === undefined ? await identification.owner(askedBy(c)) : redeemed(ticket)
    if (!proof) throw loggedOut(program)
    c.set('proof', proof)
    await next()
  }

  /** A link sends no headers of ours, so its ticket speaks for whoever asked for it. */
  function redeemed(ticket: string): OwnerProof {
    if (exportTickets.redeem(ticket)) return { kind: 'ticket' }
    throw new Problem('expired', 'This download link was already used or is too old. Export again.')
  }
}

/**
 * Lets a request's calls all be made in one library. Whoever asks is asked for once more: the request may have waited for
 * a backup to be restored, which ends sessions.
 */
export function inOneLibrary({ ports, identification, program }: ServerContext): MiddlewareHandler<OwnerEnv> {
  return (c, next) =>
    ports.library.inOneLibrary(async () => {
      if (!(await identification.owner(credentialsOf(c.req.raw)))) throw loggedOut(program)
      await next()
    })
}

function loggedOut(program: OwnProgram): Problem {
  return new Problem('unauthorized', `Log in first: ${wayIn(program)}.`)
}

/** Pictures and live events are asked for by elements of a page, which send no headers of ours: their address has it. */
function askedBy({ req }: Context): Credentials {
  const credentials = credentialsOf(req.raw)
  const isElement = ['GET', 'HEAD'].includes(req.raw.method) && /^\/api\/(events$|pictures\/)/.test(req.path)
  const session = isElement ? req.query('session') : undefined
  if (session === undefined) return credentials
  return { ...credentials, header: (name) => (name === SESSION_HEADER ? session : credentials.header(name)) }
}
