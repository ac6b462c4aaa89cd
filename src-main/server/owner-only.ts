import type { MiddlewareHandler } from 'hono'
import { Problem } from '../contract/problem.ts'
import type { ServerContext } from './context.ts'
import { credentialsOf, type OwnerProof } from './identify.ts'

export interface OwnerEnv {
  Variables: { proof: OwnerProof }
}

/** Lets through the dashboard's session and the command line; an API key opens only the endpoint. */
export function ownerOnly({ identification }: ServerContext): MiddlewareHandler<OwnerEnv> {
  return async (c, next) => {
    const proof = await identification.owner(credentialsOf(c.req.raw))
    if (!proof) throw new Problem('unauthorized', 'Log in first: open a login link from `earmark login`.')
    c.set('proof', proof)
    await next()
  }
}
