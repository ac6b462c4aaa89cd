import { Hono } from 'hono'
import { Problem } from '../../contract/problem.ts'
import type { ServerContext } from '../context.ts'
import type { OwnerEnv } from '../owner-only.ts'

/** Makes a one-time login link, for the command line only. */
export function loginRoutes({ loginLink }: ServerContext) {
  return new Hono<OwnerEnv>().post('/', (c) => {
    if (c.get('proof').kind !== 'command-line') throw new Problem('forbidden', 'Only the command line may do this.')
    return c.json({ login: loginLink() }, 201)
  })
}
