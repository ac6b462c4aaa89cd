import { describe, expect, test } from 'vitest'
import { hashSecret } from '../../../src-main/actions/keys/hash-secret.ts'
import { createUseRecorder } from '../../../src-main/actions/keys/record-use.ts'
import { beginSession, endSession, identifySession } from '../../../src-main/actions/keys/session.ts'
import type { Service } from '../../../src-main/service.ts'
import { callApi, testService } from '../../support/service.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { quickPorts, START } from '../ports.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ORIGIN = 'http://127.0.0.1:20727'

describe('a session', () => {
  test('is known by its secret from its beginning', async () => {
    const ports = quickPorts()
    const { secret } = await beginSession(ports)
    expect(await identifySession(ports, secret)).toEqual(hashSecret(secret))
  })

  test('has a secret of 256 bits that is no other’s', async () => {
    const ports = quickPorts()
    const [first, second] = [await beginSession(ports), await beginSession(ports)]
    expect(Buffer.from(first.secret, 'base64url')).toHaveLength(32)
    const all = [first, second].flatMap(({ secret, tabToken }) => [secret, tabToken])
    expect(new Set(all).size).toBe(4)
  })

  test.each(['', 'unknown', 'A'.repeat(43)])('is not known by the secret %j', async (secret) => {
    const ports = quickPorts()
    await beginSession(ports)
    expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('ends for the one who logs out, and not for others', async () => {
    const ports = quickPorts()
    const [{ secret: mine }, { secret: other }] = [await beginSession(ports), await beginSession(ports)]
    await endSession(ports, mine)
    expect(await identifySession(ports, mine)).toBeUndefined()
    expect(await identifySession(ports, other)).toBeDefined()
  })

  test('ends after 12 hours without use', async () => {
    const ports = quickPorts()
    const { secret } = await beginSession(ports)
    ports.clock.time = START + 12 * HOUR_MS - 1
    expect(await identifySession(ports, secret)).toBeDefined()
    ports.clock.time = START + 12 * HOUR_MS
    expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('lasts 12 hours from its last use', async () => {
    const ports = quickPorts()
    const { secret } = await beginSession(ports)
    await use(ports, secret, START + 11 * HOUR_MS)
    ports.clock.time = START + 23 * HOUR_MS - 1
    expect(await identifySession(ports, secret)).toBeDefined()
    ports.clock.time = START + 23 * HOUR_MS
    expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('ends after 7 days however much it is used', async () => {
    const ports = quickPorts()
    const { secret } = await beginSession(ports)
    for (let hours = 11; hours < 7 * 24; hours += 11) await use(ports, secret, START + hours * HOUR_MS)
    ports.clock.time = START + 7 * DAY_MS - 1
    expect(await identifySession(ports, secret)).toBeDefined()
    ports.clock.time = START + 7 * DAY_MS
    expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('that ended is forgotten by the library', async () => {
    const ports = quickPorts()
    const [{ secret: old }, { secret: young }] = [await beginSession(ports), await beginSession(ports)]
    await use(ports, young, START + 11 * HOUR_MS)
    await use(ports, young, START + 13 * HOUR_MS)
    expect(await ports.library.findSession(hashSecret(old))).toBeUndefined()
    expect(await ports.library.findSession(hashSecret(young))).toBeDefined()
  })
})

describe('over the API', () => {
  test('a login token buys a cookie that scripts cannot read and other sites do not send', async () => {
    const service = await testService()
    const response = await logIn(service, service.mintLogin())
    expect(response.status).toBe(200)
    const cookie = response.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^earmark_20727=[\w-]{43};/)
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(part)
    expect(cookie).not.toContain('Domain')
  })

  test('the tab that logged in opens the dashboard’s calls, its cookie the endpoint', async () => {
    const service = await testService()
    const tab = await newTab(service)
    expect((await send(service, 'GET', '/api/status', tab)).status).toBe(200)
    expect((await list(service, { cookie: tab.cookie, origin: ORIGIN })).status).toBe(200)
  })

  test('a call that may change something is refused without our Origin', async () => {
    const service = await testService()
    const tab = await newTab(service)
    expect((await list(service, { cookie: tab.cookie })).status).toBe(401)
    const key = { ...tab, 'content-type': 'application/json' }
    expect((await send(service, 'POST', '/api/keys', key, '{"name":"x"}')).status).toBe(401)
    expect((await send(service, 'POST', '/api/keys', { ...key, origin: ORIGIN }, '{"name":"x"}')).status).toBe(201)
  })

  test('a session of another port’s cookie opens nothing', async () => {
    const service = await testService()
    const cookie = (await newCookie(service)).replace('earmark_20727', 'earmark_20728')
    expect((await send(service, 'GET', '/api/status', { cookie })).status).toBe(401)
  })

  test('the cookie opens the endpoint beside a wrong key too, as interface.md has it', async () => {
    const service = await testService()
    const cookie = await newCookie(service)
    const wrong = { origin: ORIGIN, 'x-api-key': 'emk_wrong' }
    expect((await list(service, { ...wrong, cookie })).status).toBe(200)
    expect((await list(service, wrong)).status).toBe(401)
  })

  test('logging out ends the session and takes the cookie away', async () => {
    const service = await testService()
    const tab = await newTab(service)
    const response = await send(service, 'DELETE', '/api/session', { ...tab, origin: ORIGIN })
    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toMatch(/^earmark_20727=;.*Max-Age=0/)
    expect((await send(service, 'GET', '/api/status', tab)).status).toBe(401)
  })

  test('logging out without our Origin is refused, and the session goes on', async () => {
    const service = await testService()
    const tab = await newTab(service)
    expect((await send(service, 'DELETE', '/api/session', { ...tab })).status).toBe(401)
    expect((await send(service, 'GET', '/api/status', tab)).status).toBe(200)
  })

  test('the cookie alone logs nobody out', async () => {
    const service = await testService()
    const tab = await newTab(service)
    const refused = await send(service, 'DELETE', '/api/session', { cookie: tab.cookie, origin: ORIGIN })
    expect(refused.status).toBe(403)
    expect((await send(service, 'GET', '/api/status', tab)).status).toBe(200)
  })

  test('logging out without a session is no fault', async () => {
    const service = await testService()
    expect((await send(service, 'DELETE', '/api/session', { origin: ORIGIN })).status).toBe(204)
  })

  test('an idle session’s cookie opens nothing any more', async () => {
    const clock = { time: START }
    const service = await testService({ now: () => clock.time })
    const cookie = await newCookie(service)
    clock.time += 12 * HOUR_MS
    expect((await send(service, 'GET', '/api/status', { cookie })).status).toBe(401)
  })

  test.each([
    ['no cookie', {}],
    ['an empty cookie', { cookie: 'earmark_20727=' }],
    ['a made-up cookie', { cookie: `earmark_20727=${'A'.repeat(43)}` }],
    ['a wrong token of the command line', { authorization: 'Bearer wrong' }]
  ])('with %s every call but the login is refused', async (_, headers) => {
    const service = await testService()
    for (const path of ['status', 'keys', 'organizations']) {
      const response = await send(service, 'GET', `/api/${path}`, headers)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } })
    }
  })

  describe('a key’s secret', () => {
    test('is shown to the tab that logged in, and to no other', async () => {
      const { service, id, key, cookie, tabToken } = await withKeptKey()
      const show = (headers: object) => send(service, 'GET', `/api/keys/${id}/secret`, { cookie, ...headers })
      const shown = await show({ 'x-earmark-tab': tabToken })
      expect(await shown.json()).toEqual({ key })
      for (const headers of [{}, { 'x-earmark-tab': '' }, { 'x-earmark-tab': 'A'.repeat(43) }]) {
        const refused = await show(headers)
        expect(refused.status).toBe(403)
        expect(await refused.json()).toMatchObject({
          error: { code: 'tab-locked', message: expect.stringMatching(/tab you logged in with|login link/) }
        })
      }
    })

    test('is not shown for the token without its session, nor with another’s', async () => {
      const { service, id, tabToken } = await withKeptKey()
      const headers = { 'x-earmark-tab': tabToken }
      const path = `/api/keys/${id}/secret`
      expect((await send(service, 'GET', path, headers)).status).toBe(401)
      expect((await send(service, 'GET', path, { ...headers, cookie: await newCookie(service) })).status).toBe(403)
    })

    test('is shown to its tab over a restart of the service', async () => {
      const { service, data, id, key, cookie, tabToken } = await withKeptKey()
      await service.close()
      const again = await testService({ data })
      const response = await send(again, 'GET', `/api/keys/${id}/secret`, { cookie, 'x-earmark-tab': tabToken })
      expect(await response.json()).toEqual({ key })
    })
  })

  test('an API key opens the endpoint only', async () => {
    const service = await testService()
    const headers = { ...(await newTab(service)), origin: ORIGIN, 'content-type': 'application/json' }
    const made = await send(service, 'POST', '/api/keys', headers, '{"name":"x"}')
    const { key } = (await made.json()) as { key: string }
    expect((await list(service, { 'x-api-key': key })).status).toBe(200)
    expect((await send(service, 'GET', '/api/status', { 'x-api-key': key })).status).toBe(401)
    expect((await send(service, 'GET', '/api/status', { authorization: `Bearer ${key}` })).status).toBe(401)
  })
})

/** Uses the session at a time and writes that down, as the service does once a second. */
async function use(ports: ReturnType<typeof quickPorts>, secret: string, at: number): Promise<void> {
  ports.clock.time = at
  const recorder = createUseRecorder(ports, () => {})
  recorder.session(hashSecret(secret))
  await recorder.close()
}

function send(
  service: Service,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string
): Promise<Response> {
  return service.fetch(new Request(ORIGIN + path, { method, headers, ...(body !== undefined && { body }) }))
}

function logIn(service: Service, token: string): Promise<Response> {
  const headers = { origin: ORIGIN, 'content-type': 'application/json' }
  return send(service, 'POST', '/api/session', headers, JSON.stringify({ token }))
}

async function newCookie(service: Service): Promise<string> {
  return (await newTab(service)).cookie
}

/** The headers of a tab that has logged in. */
async function newTab(service: Service): Promise<{ cookie: string; 'x-earmark-tab': string }> {
  const response = await logIn(service, service.mintLogin())
  const { tabToken } = (await response.json()) as { tabToken: string }
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', 'x-earmark-tab': tabToken }
}

/** A service with a key whose secret is kept, and a tab that has logged in. */
async function withKeptKey() {
  const data = tempFolder()
  const service = await testService({ data })
  const response = await logIn(service, service.mintLogin())
  const { tabToken } = (await response.json()) as { tabToken: string }
  const made = await callApi(service, 'POST', '/keys', { name: 'kept', keyFile: true })
  const { id, key } = (await made.json()) as { id: string; key: string }
  return { service, data, id, key, tabToken, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

function list(service: Service, headers: Record<string, string>): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  return send(service, 'POST', '/api/tools/mcp', { 'content-type': 'application/json', ...headers }, body)
}

test('closing waits for the use that is being written down', async () => {
  const ports = quickPorts()
  const writing = Promise.withResolvers<void>()
  const library = { ...ports.library, recordUse: () => writing.promise }
  const recorder = createUseRecorder({ ...ports, library }, () => {})
  recorder.key(1, null)
  void recorder.flush()
  let closed = false
  const closing = recorder.close().then(() => {
    closed = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(closed).toBe(false)
  writing.resolve()
  await closing
})
