import { Hono } from 'hono'
import { z } from 'zod'
import { createKey, readKeySecret, revokeKey, rotateKey } from '../../actions/keys/keys.ts'
import { type ApiKey, KeyRequest } from '../../contract/key.ts'
import { dayNumber } from '../../core/day-number.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** A page of a key's ledger: `limit` calls before the one with the id `before`. */
const CallsQuery = z.strictObject({
  before: z.coerce.number().int().min(1).default(Number.MAX_SAFE_INTEGER),
  limit: z.coerce.number().int().min(1).max(200).default(50)
})

/** API keys: list, create, rotate, revoke, their calls and, where it is kept, their secret. */
export function keyRoutes({ ports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json((await ports.library.listKeys()).map((key) => shown(key, ports.now()))))
    .post('/', body(KeyRequest), async (c) => c.json(await createKey(ports, c.req.valid('json')), 201))
    .get('/:id/calls', query(CallsQuery), async (c) => {
      const { before, limit } = c.req.valid('query')
      const calls = await ports.library.listCalls(c.req.param('id'), before, limit)
      return c.json(calls.map((call) => ({ ...call, at: isoTime(call.at), undoneAt: isoTime(call.undoneAt) })))
    })
    .post('/:id/rotate', async (c) => c.json(await rotateKey(ports, c.req.param('id')), 201))
    .get('/:id/secret', async (c) => c.json({ key: await readKeySecret(ports, c.req.param('id')) }))
    .delete('/:id', async (c) => {
      await revokeKey(ports, c.req.param('id'))
      return c.body(null, 204)
    })
}

/** A key for a list: no row ids, times as ISO 8601. */
function shown({ rowId: _row, owner: _owner, callsDay, callsOnDay, ...key }: ApiKey, now: number) {
  const expired = key.expiresAt !== null && key.expiresAt <= now
  return {
    ...key,
    state: key.revokedAt !== null ? 'revoked' : expired ? 'expired' : 'active',
    createdAt: isoTime(key.createdAt) ?? '',
    expiresAt: isoTime(key.expiresAt),
    revokedAt: isoTime(key.revokedAt),
    lastUsedAt: isoTime(key.lastUsedAt),
    callsToday: callsDay === dayNumber(now) ? callsOnDay : 0
  }
}
