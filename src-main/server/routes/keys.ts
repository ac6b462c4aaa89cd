import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { z } from 'zod'
import { undoInsert } from '../../actions/bookmarks/change-bookmarks.ts'
import { connectEditor } from '../../actions/keys/connect-editor.ts'
import { createKey, readKeySecret, revokeKey, rotateKey } from '../../actions/keys/keys.ts'
import { testConnection } from '../../actions/keys/test-connection.ts'
import { BrowserRequest, ConnectionTestRequest, ConnectRequest } from '../../contract/editor.ts'
import { endpointOf, programOrigin } from '../../contract/endpoint.ts'
import { type ApiKey, KeyRequest } from '../../contract/key.ts'
import { Problem } from '../../contract/problem.ts'
import { dayNumber, isoTime } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { rowIdIn } from '../row-id.ts'

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

/** Takes back what a call saved. */
export function callRoutes({ ports }: ServerContext) {
  return new Hono().post('/:id/undo', async (c) => {
    const id = rowIdIn(c.req.param('id')) ?? 0
    if (id < 1) throw new Problem('not-found', 'There is no such call.')
    return c.json(await undoInsert(ports, id))
  })
}

/** Tries a key against our own address, as an editor would. */
export function connectionTestRoutes({ ports, ownTests }: ServerContext) {
  return new Hono().post('/', body(ConnectionTestRequest), async (c) => {
    const address = endpointOf(programOrigin(new URL(c.req.url).port))
    return c.json(await testConnection(ports, ownTests, address, c.req.valid('json').key))
  })
}

const UndoRequest = z.strictObject({ dryRun: z.boolean().default(false) })

/** The editors of this machine: which there are, and writing Earmark into their files and out of them again. */
export function editorRoutes({ ports, program, ownFolder }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(await (await ports.editors()).list()))
    .post('/:id/connect', body(ConnectRequest), async (c) =>
      c.json(await connectEditor(ports, c.req.param('id'), c.req.valid('json'), { program, data: ownFolder }))
    )
    .post('/:id/disconnect', body(UndoRequest), async (c) =>
      c.json(await (await ports.editors()).disconnect(c.req.param('id'), c.req.valid('json').dryRun))
    )
}

/** The browsers of this machine: which there are, and telling them of the program that the extension may start. */
export function browserRoutes({ ports, program, ownFolder, dashboard }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json({ browsers: await ports.browsers.list(), extension: extensionFolder(dashboard) }))
    .post('/:id/connect', body(BrowserRequest), async (c) =>
      c.json(await ports.browsers.connect(c.req.param('id'), program, ownFolder, c.req.valid('json').dryRun))
    )
    .post('/:id/disconnect', body(BrowserRequest), async (c) =>
      c.json(await ports.browsers.disconnect(c.req.param('id'), c.req.valid('json').dryRun))
    )
}

/** Where the built extension lies: beside the dashboard, or beside the packaged app's archive; `null` where it is in neither. */
function extensionFolder(dashboard: string): string | null {
  const places = [join(dashboard, '../extension'), join(dashboard, '../../../extension')]
  return places.find((place) => existsSync(join(place, 'chromium/manifest.json'))) ?? null
}
