import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import { connectEditor, testConnection } from '../../actions/keys/connect-editor.ts'
import { beginSession, hashSecret, SESSION_MS } from '../../actions/keys/credentials.ts'
import { createKey, readKeySecret, revokeKey, rotateKey } from '../../actions/keys/keys.ts'
import { undoInsert } from '../../actions/undo.ts'
import { BrowserRequest, ConnectionTestRequest, ConnectRequest } from '../../contract/editor.ts'
import { endpointAddress, programOrigin, SESSION_COOKIE } from '../../contract/endpoint.ts'
import { type ApiKey, KeyRequest } from '../../contract/key.ts'
import { Problem } from '../../contract/problem.ts'
import { dayNumber, isoTime } from '../../core/iso-time.ts'
import { body, query, readRowId } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { howToLogIn, type OwnerEnv } from '../identify.ts'

/** A page of a key's ledger: calls older than the call with the id `before`. */
const CallsQuery = z.strictObject({
  before: z.coerce.number().int().min(1).default(Number.MAX_SAFE_INTEGER),
  limit: z.coerce.number().int().min(1).max(200).default(50)
})

/** API keys, with their calls and their secrets, if these are stored. */
export function keyRoutes({ ports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json((await ports.library.listKeys()).map((key) => shownKey(key, ports.now()))))
    .post('/', body(KeyRequest), async (c) => c.json(await createKey(ports, c.req.valid('json')), 201))
    .get('/:id/calls', query(CallsQuery), async (c) => {
      const { before, limit } = c.req.valid('query')
      const calls = await ports.library.listCalls(c.req.param('id'), before, limit)
      return c.json(calls.map((call) => ({ ...call, at: isoTime(call.at) ?? '', undoneAt: isoTime(call.undoneAt) })))
    })
    .post('/:id/rotate', async (c) => c.json(await rotateKey(ports, c.req.param('id')), 201))
    .get('/:id/secret', async (c) => c.json({ key: await readKeySecret(ports, c.req.param('id')) }))
    .delete('/:id', async (c) => {
      await revokeKey(ports, c.req.param('id'))
      return c.body(null, 204)
    })
}

/** A key as the API shows it: no row ids, times as ISO 8601. */
function shownKey({ rowId: _row, owner: _owner, callsDay, callsOnDay, ...key }: ApiKey, now: number) {
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

export function callRoutes({ ports }: ServerContext) {
  return new Hono().post('/:id/undo', async (c) => {
    const id = readRowId(c.req.param('id')) ?? 0
    if (id < 1) throw new Problem('not-found', 'There is no such call.')
    return c.json(await undoInsert(ports, id))
  })
}

/** Tests whether an editor can connect with a key. */
export function connectionTestRoutes({ ports, identification }: ServerContext) {
  return new Hono().post('/', body(ConnectionTestRequest), async (c) => {
    const address = endpointAddress(programOrigin(new URL(c.req.url).port))
    return c.json(await testConnection(ports, address, identification.prove, c.req.valid('json').key))
  })
}

const UndoRequest = z.strictObject({ dryRun: z.boolean().default(false) })

/** The editors of this machine, and Earmark's entries in their files. */
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

/** The browsers of this machine, and their entries for the extension's native host. */
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

/** The folder of the built extension, next to the dashboard or to the packaged app's archive; `null` if there is none. */
function extensionFolder(dashboard: string): string | null {
  const places = [join(dashboard, '../extension'), join(dashboard, '../../../extension')]
  return places.find((place) => existsSync(join(place, 'chromium/manifest.json'))) ?? null
}

const LoginRequest = z.strictObject({ token: z.string().min(1).max(200) })

/** Begins a session with a login link's token, and ends a session. */
export function sessionRoutes({ ports, identification, loginLinks, dashboardHost, program }: ServerContext) {
  return new Hono()
    .post('/', body(LoginRequest), async (c) => {
      if (!loginLinks.redeem(c.req.valid('json').token)) {
        throw new Problem('login-used', `This login link was already used or is too old: ${howToLogIn(program)}.`)
      }
      const secret = await beginSession(ports, nameOfClient(c.req.header('user-agent')))
      // Under any other name of this machine, browsers would also send the cookie to programs on other ports.
      if (new URL(c.req.url).hostname !== dashboardHost) return c.json({ session: secret })
      setCookie(c, SESSION_COOKIE, secret, { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: SESSION_MS / 1000 })
      return c.json({ session: null })
    })
    .delete('/', async (c) => {
      const proof = await identification.owner(c.req.raw)
      // The cookie may be from an active session, and a page of another site may have caused this request.
      if (!proof && c.req.header('cookie')) throw new Problem('unauthorized', 'There is no session to end.')
      if (proof?.kind === 'session') await ports.library.endSession(hashSecret(proof.secret))
      deleteCookie(c, SESSION_COOKIE, { path: '/' })
      return c.body(null, 204)
    })
}

/** The sessions of the dashboard, which the owner can end one by one. */
export function sessionListRoutes({ ports }: ServerContext) {
  return new Hono<OwnerEnv>()
    .get('/', async (c) => {
      const proof = c.get('proof')
      const own = proof.kind === 'session' ? idOf(hashSecret(proof.secret)) : undefined
      const sessions = await ports.library.listSessions()
      return c.json(
        sessions.map(({ hash, client, createdAt, seenAt }) => ({
          id: idOf(hash),
          client,
          isOwn: idOf(hash) === own,
          createdAt: isoTime(createdAt) ?? '',
          seenAt: isoTime(seenAt) ?? ''
        }))
      )
    })
    .delete('/:id', async (c) => {
      const session = (await ports.library.listSessions()).find(({ hash }) => idOf(hash) === c.req.param('id'))
      if (!session) throw new Problem('not-found', 'This session has ended.')
      await ports.library.endSession(session.hash)
      return c.body(null, 204)
    })
}

/** Returns a session's id: the start of its hash, because the whole hash stays in the service. */
function idOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex').slice(0, 16)
}

/** Returns the browser and the system that a user agent names; `null` if it names none. */
function nameOfClient(userAgent = ''): string | null {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return [browser, system].filter(Boolean).join(', ') || null
}

// User agents also name other browsers and systems that are later in these lists, so the first match is the right one.
const BROWSERS: [string, RegExp][] = [
  ['Earmark', /Electron\//],
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//]
]
const SYSTEMS: [string, RegExp][] = [
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/]
]

/** Creates one-time login links, for the command line only. */
export function loginRoutes({ loginLink }: ServerContext) {
  return new Hono<OwnerEnv>().post('/', (c) => {
    if (c.get('proof').kind !== 'command-line') throw new Problem('forbidden', 'Only the command line may do this.')
    return c.json({ login: loginLink() }, 201)
  })
}
