import { describe, expect, test } from 'vitest'
import { hashSecret } from '../../../src-main/actions/keys/identify-key.ts'
import { createUseRecorder } from '../../../src-main/actions/keys/record-use.ts'
import { beginSession, endSession, identifySession } from '../../../src-main/actions/keys/session.ts'
import type { Service } from '../../../src-main/service.ts'
import { callApi, makeKey, testService } from '../../support/service.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { quickPorts, START } from '../ports.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a session', () => {
  test('is known by its secret from its beginning', async () => {
    const ports = quickPorts()
    const secret = await beginSession(ports)
    expect(await identifySession(ports, secret)).toEqual(hashSecret(secret))
  })

  test('has a secret of 256 bits that is no other’s', async () => {
    const ports = quickPorts()
    const [first, second] = [await beginSession(ports), await beginSession(ports)]
    expect(Buffer.from(first, 'base64url')).toHaveLength(32)
    expect(second).not.toBe(first)
  })

  test.each(['', 'unknown', 'A'.repeat(43)])('is not known by the secret %j', async (secret) => {
    const ports = quickPorts()
    await beginSession(ports)
    expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('ends for the one who logs out, and not for others', async () => {
    const ports = quickPorts()
    const [mine, other] = [await beginSession(ports), await beginSession(ports)]
    await endSession(ports, mine)
    expect(await identifySession(ports, mine)).toBeUndefined()
    expect(await identifySession(ports, other)).toBeDefined()
  })

  test('ends after 12 hours without use', async () => {
    const ports = quickPorts()
    const secret = await beginSession(ports)
    ports.clock.time = START + 12 * HOUR_MS - 1
    expect(await identifySession(ports, secret)).toBeDefined()
    ports.clock.time = START + 12 * HOUR_MS
    expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('lasts 12 hours from its last use', async () => {
    const ports = quickPorts()
    const secret = await beginSession(ports)
    await use(ports, secret, START + 11 * HOUR_MS)
    ports.clock.time = START + 23 * HOUR_MS - 1
    expect(await identifySession(ports, secret)).toBeDefined()
    ports.clock.time = START + 23 * HOUR_MS
    expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('ends after 7 days however much it is used', async () => {
    const ports = quickPorts()
    const secret = await beginSession(ports)
    for (let hours = 11; hours < 7 * 24; hours += 11) await use(ports, secret, START + hours * HOUR_MS)
    ports.clock.time = START + 7 * DAY_MS - 1
    expect(await identifySession(ports, secret)).toBeDefined()
    ports.clock.time = START + 7 * DAY_MS
    expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('that ended is forgotten by the library', async () => {
    const ports = quickPorts()
    const [old, young] = [await beginSession(ports), await beginSession(ports)]
    await use(ports, young, START + 11 * HOUR_MS)
    await use(ports, young, START + 13 * HOUR_MS)
    expect(await ports.library.findSession(hashSecret(old))).toBeUndefined()
    expect(await ports.library.findSession(hashSecret(young))).toBeDefined()
  })
})

describe('over the API', () => {
  test('a login token buys a cookie that scripts cannot read and other sites do not send', async () => {
    const service = await testService()
    const response = await logIn(service)
    expect(response.status).toBe(200)
    const cookie = response.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^earmark=[\w-]{43};/)
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(part)
    expect(cookie).not.toContain('Domain')
  })

  test('the cookie opens the dashboard’s calls and the endpoint', async () => {
    const service = await testService()
    const cookie = await newCookie(service)
    expect((await send(service, 'GET', '/api/status', { cookie })).status).toBe(200)
    expect((await list(service, { cookie, origin: originOf(service) })).status).toBe(200)
  })

  test('a call that may change something is refused without our Origin', async () => {
    const service = await testService()
    const [cookie, origin] = [await newCookie(service), originOf(service)]
    expect((await list(service, { cookie })).status).toBe(401)
    const key = { cookie, 'content-type': 'application/json' }
    expect((await send(service, 'POST', '/api/keys', key, '{"name":"x"}')).status).toBe(401)
    expect((await send(service, 'POST', '/api/keys', { ...key, origin }, '{"name":"x"}')).status).toBe(201)
  })

  test('the cookie opens the endpoint beside a wrong key too, as interface.md has it', async () => {
    const service = await testService()
    const cookie = await newCookie(service)
    const wrong = { origin: originOf(service), 'x-api-key': 'emk_wrong' }
    expect((await list(service, { ...wrong, cookie })).status).toBe(200)
    expect((await list(service, wrong)).status).toBe(401)
  })

  test('logging out ends the session and takes the cookie away', async () => {
    const service = await testService()
    const cookie = await newCookie(service)
    const response = await send(service, 'DELETE', '/api/session', { cookie, origin: originOf(service) })
    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toMatch(/^earmark=;.*Max-Age=0/)
    expect((await send(service, 'GET', '/api/status', { cookie })).status).toBe(401)
  })

  test('logging out without our Origin is refused, and the session goes on', async () => {
    const service = await testService()
    const cookie = await newCookie(service)
    expect((await send(service, 'DELETE', '/api/session', { cookie })).status).toBe(401)
    expect((await send(service, 'GET', '/api/status', { cookie })).status).toBe(200)
  })

  test('logging out without a session is no fault', async () => {
    const service = await testService()
    expect((await send(service, 'DELETE', '/api/session', { origin: originOf(service) })).status).toBe(204)
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
    ['an empty cookie', { cookie: 'earmark=' }],
    ['a made-up cookie', { cookie: `earmark=${'A'.repeat(43)}` }],
    ['a wrong token of the command line', { authorization: 'Bearer wrong' }]
  ])('with %s every call but the login is refused', async (_, headers) => {
    const service = await testService()
    for (const path of ['status', 'keys', 'organizations']) {
      const response = await send(service, 'GET', `/api/${path}`, headers)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } })
    }
  })

  test('a key’s secret is shown to a session, over a restart of the service too', async () => {
    const data = tempFolder()
    const service = await testService({ data })
    const made = await callApi(service, 'POST', '/keys', { name: 'kept', keyFile: true })
    const { id, key } = (await made.json()) as { id: string; key: string }
    const cookie = await newCookie(service)
    const show = async (from: Service, headers = {}) => send(from, 'GET', `/api/keys/${id}/secret`, headers)
    expect(await (await show(service, { cookie })).json()).toEqual({ key })
    expect((await show(service)).status).toBe(401)
    await service.close()
    const again = await testService({ data })
    expect(again.dashboardHost).toBe(service.dashboardHost)
    expect(await (await show(again, { cookie })).json()).toEqual({ key })
  })

  test('an API key opens the endpoint only', async () => {
    const service = await testService()
    const key = await makeKey(service)
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
  return service.fetch(new Request(originOf(service) + path, { method, headers, ...(body !== undefined && { body }) }))
}

/** Where the dashboard is, as its browser names it. */
const originOf = ({ dashboardHost }: Service) => `http://${dashboardHost}`

function logIn(service: Service): Promise<Response> {
  const token = new URL(service.loginLink()).hash.slice(1)
  const headers = { origin: originOf(service), 'content-type': 'application/json' }
  return send(service, 'POST', '/api/session', headers, JSON.stringify({ token }))
}

async function newCookie(service: Service): Promise<string> {
  return (await logIn(service)).headers.get('set-cookie')?.split(';')[0] ?? ''
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
