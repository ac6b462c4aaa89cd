import { describe, expect, test } from 'vitest'
import { apiRoutes } from '../../src-main/server/api.ts'
import type { ServerContext } from '../../src-main/server/context.ts'
import type { Service } from '../../src-main/service.ts'
import { rawRequest } from '../support/http.ts'
import { callApi, makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const DAY_MS = 86_400_000
const LOOPBACK = 'http://127.0.0.1'
const JSON_TYPE = { 'content-type': 'application/json' }
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

describe('a login', () => {
  test('with a link’s token sets one cookie that no script reads and no other site sends', async () => {
    const service = await testService()
    const response = await logIn(service, { token: tokenIn(service.loginLink()) })
    expect(response.status).toBe(200)
    const [cookie = '', ...more] = response.headers.getSetCookie()
    expect(more).toEqual([])
    expect(cookie).toMatch(/^earmark=[\w-]{43};/)
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(part)
    expect(cookie).not.toMatch(/domain=/i)
  })

  test('with a used, an old and an unknown token is refused in the same words, without a cookie', async () => {
    const clock = { time: Date.UTC(2026, 0, 1) }
    const service = await testService({ now: () => clock.time })
    const used = tokenIn(service.loginLink())
    await logIn(service, { token: used })
    const old = tokenIn(service.loginLink())
    clock.time += 10 * 60_000
    const answers = await Promise.all(
      [used, old, 'unknown'].map(async (token) => {
        const response = await logIn(service, { token })
        expect(response.headers.get('set-cookie')).toBeNull()
        return `${response.status} ${await response.text()}`
      })
    )
    expect(answers[0]).toMatch(/^401 .*"login-used".*earmark -- login/)
    expect(new Set(answers).size).toBe(1)
  })

  test.each([{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(201) }, { token: 'x', more: 1 }, []])(
    'with the body %j gets 400',
    async (body) => {
      expect((await logIn(await testService(), body)).status).toBe(400)
    }
  )

  test('with a link for the command line opens the dashboard; a session may not create such links', async () => {
    const service = await testService()
    const response = await callApi(service, 'POST', '/login-links')
    expect(response.status).toBe(201)
    const { login } = (await response.json()) as { login: string }
    expect(login).toMatch(/^http:\/\/[\da-f]{32}\.localhost:20727\/login#[\w-]{43}$/)
    const cookie = cookieIn(await logIn(service, { token: tokenIn(login) }))
    expect((await send(service, 'POST', '/login-links', { cookie, origin: originOf(service) })).status).toBe(403)
  })
})

describe('a session’s cookie', () => {
  test('opens the API and the endpoint, which answers as to the owner', async () => {
    const { service, cookie, origin } = await loggedIn()
    expect((await send(service, 'GET', '/status', { cookie })).status).toBe(200)
    await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
    const search = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bookmarks.search' } }
    const found = await send(service, 'POST', '/tools/mcp', { cookie, origin }, JSON.stringify(search))
    expect(await found.text()).toContain('a.example')
  })

  test('opens the endpoint even with a wrong key', async () => {
    const { service, cookie, origin } = await loggedIn()
    const wrong = { origin, 'x-api-key': 'emk_wrong' }
    expect((await send(service, 'POST', '/tools/mcp', { ...wrong, cookie }, LIST)).status).toBe(200)
    expect((await send(service, 'POST', '/tools/mcp', wrong, LIST)).status).toBe(401)
  })

  test('opens no call that may change something without the dashboard’s Origin', async () => {
    const { service, cookie, origin } = await loggedIn()
    const key = '{"name":"x"}'
    expect((await send(service, 'POST', '/tools/mcp', { cookie }, LIST)).status).toBe(401)
    expect((await send(service, 'POST', '/keys', { cookie }, key)).status).toBe(401)
    expect((await send(service, 'POST', '/keys', { cookie, origin }, key)).status).toBe(201)
    expect((await send(service, 'DELETE', '/session', { cookie })).status).toBe(401)
    expect((await send(service, 'GET', '/status', { cookie })).status).toBe(200)
  })

  test('is removed with the session at logout, which needs no session', async () => {
    const { service, cookie, origin } = await loggedIn()
    const response = await send(service, 'DELETE', '/session', { cookie, origin })
    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toMatch(/^earmark=;.*Max-Age=0/)
    expect((await send(service, 'GET', '/status', { cookie })).status).toBe(401)
    expect((await send(service, 'DELETE', '/session', { origin })).status).toBe(204)
  })

  test.each([
    ['/status', 200],
    ['/events', 401]
  ])('opens nothing after 30 days without use; after %s it gets %i', async (path, status) => {
    const clock = { time: Date.UTC(2026, 0, 1) }
    const data = tempFolder()
    const { service, cookie } = await loggedIn({ data, now: () => clock.time })
    clock.time += 20 * DAY_MS
    const response = await send(service, 'GET', path, { cookie })
    expect(response.status).toBe(200)
    await response.body?.cancel()
    await service.close() // writes the uses
    clock.time += 20 * DAY_MS
    const restarted = await testService({ data, now: () => clock.time })
    expect((await send(restarted, 'GET', '/status', { cookie })).status).toBe(status)
  })

  test('shows a key’s secret, also after the service restarts', async () => {
    const data = tempFolder()
    const { service, cookie } = await loggedIn({ data })
    const created = await callApi(service, 'POST', '/keys', { name: 'stored', keyFile: true })
    const { id, key } = (await created.json()) as { id: string; key: string }
    const show = (from: Service, headers = {}) => send(from, 'GET', `/keys/${id}/secret`, headers)
    expect(await (await show(service, { cookie })).json()).toEqual({ key })
    expect((await show(service)).status).toBe(401)
    await service.close()
    const restarted = await testService({ data })
    expect(restarted.dashboardHost).toBe(service.dashboardHost)
    expect(await (await show(restarted, { cookie })).json()).toEqual({ key })
  })
})

test('an API key and an unknown cookie or token open no call of the dashboard’s API', async () => {
  const service = await testService()
  const key = await makeKey(service)
  const credentials: Record<string, string>[] = [
    {},
    { cookie: 'earmark=' },
    { cookie: `earmark=${'A'.repeat(43)}` },
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${key}` },
    { 'x-api-key': key }
  ]
  // A logout needs no session.
  for (const { method, path } of guardedCalls().filter((call) => call.path !== '/session')) {
    for (const headers of credentials) {
      const { status } = await send(service, method, path, headers)
      expect([method, path, headers, status]).toEqual([method, path, headers, 401])
    }
  }
  expect(await (await send(service, 'GET', '/keys', {})).json()).toMatchObject({ error: { code: 'unauthorized' } })
})

// Browsers send the cookies of 127.0.0.1 to every program that listens there.
describe('at an address whose cookies other programs are sent', () => {
  test('a session’s cookie opens no call of the API', async () => {
    const service = await testService()
    const { port } = await service.listen(0)
    const cookie = `earmark=${await service.beginSession()}`
    const url = `http://127.0.0.1:${port}`
    const calls = guardedCalls()
    expect(calls.length).toBeGreaterThan(50)
    const endpoint = { method: 'POST', path: '/tools/mcp' }
    for (const { method, path } of [...calls, endpoint]) {
      for (const name of ['127.0.0.1', 'localhost', `${'0'.repeat(32)}.localhost`]) {
        const host = `${name}:${port}`
        const headers = { host, cookie, origin: `http://${host}`, ...JSON_TYPE }
        const body = path === endpoint.path ? LIST : undefined
        const answer = await rawRequest(url, { method, path: `/api${path}`, headers, ...(body && { body }) })
        expect([method, path, name, answer.status]).toEqual([method, path, name, name.length > 20 ? 403 : 401])
      }
    }
    const host = `${service.dashboardHost}:${port}`
    const headers = { host, cookie, origin: `http://${host}`, ...JSON_TYPE }
    expect((await rawRequest(url, { path: '/api/status', headers })).status).toBe(200)
    expect((await rawRequest(url, { method: 'POST', path: '/api/tools/mcp', headers, body: LIST })).status).toBe(200)
  })

  test('a login returns the session in the body, for a header', async () => {
    const service = await testService()
    const token = tokenIn(service.loginLink())
    const answer = await send(service, 'POST', '/session', { origin: LOOPBACK }, JSON.stringify({ token }), LOOPBACK)
    expect(answer.headers.get('set-cookie')).toBeNull()
    const { session } = (await answer.json()) as { session: string }
    const header = { 'x-earmark-session': session, origin: LOOPBACK }
    const get = (path: string, headers = {}) => send(service, 'GET', path, headers, undefined, LOOPBACK)
    expect((await get('/status', header)).status).toBe(200)
    // An element of the page sends no header; its address opens only the events and the pictures.
    expect((await get(`/events?session=${session}`)).status).toBe(200)
    expect((await get(`/pictures/none?session=${session}`)).status).toBe(404)
    for (const path of ['/status', '/bookmarks', '/keys', '/exports']) {
      expect((await get(`${path}?session=${session}`)).status).toBe(401)
    }
    expect((await send(service, 'DELETE', '/session', header, undefined, LOOPBACK)).status).toBe(204)
    expect((await get('/status', header)).status).toBe(401)
  })
})

describe('the ticket for an exported file', () => {
  test('opens one export, once', async () => {
    const service = await testService()
    const get = (path: string) => send(service, 'GET', path, {})
    const created = await callApi(service, 'POST', '/exports/tickets', {})
    const { ticket } = (await created.json()) as { ticket: string }
    expect((await get(`/status?ticket=${ticket}`)).status).toBe(401)
    const unknown = await get('/exports?format=csv&ticket=made-up')
    expect([unknown.status, await unknown.text()]).toEqual([401, expect.stringContaining('Export again')])
    expect((await get(`/exports?format=csv&ticket=${ticket}`)).status).toBe(200)
    expect((await get(`/exports?format=csv&ticket=${ticket}`)).status).toBe(401)
    expect((await callApi(service, 'GET', '/exports?format=csv')).status).toBe(200)
  })

  test('opens nothing after its session ends, and running exports stop', async () => {
    const { service, cookie, origin } = await loggedIn()
    for (const note of [1, 2, 3])
      await callApi(service, 'POST', '/bookmarks', { type: 'text', content: `note ${note}` })
    const session = { cookie, origin }
    const exportWithTicket = async () => {
      const created = await send(service, 'POST', '/exports/tickets', session, '{}')
      const { ticket } = (await created.json()) as { ticket: string }
      return () => send(service, 'GET', `/exports?format=csv&ticket=${ticket}`, {})
    }
    expect(await (await (await exportWithTicket())()).text()).toContain('note 3')
    const late = await exportWithTicket()
    const running = [await (await exportWithTicket())(), await send(service, 'GET', '/exports?format=csv', session)]
    const readers = running.map(({ body }) => body?.getReader())
    for (const reader of readers) expect((await reader?.read())?.done).toBe(false)
    expect((await send(service, 'DELETE', '/session', session)).status).toBe(204)
    for (const reader of readers) await expect(readAll(reader)).rejects.toMatchObject({ code: 'expired' })
    expect((await late()).status).toBe(401)
  })
})

/** All calls of the API that need a session; those of the extension are opened by no session. */
function guardedCalls(): { method: string; path: string }[] {
  const nothing = {
    changes: { onChange() {}, onSessionEnd() {} },
    closing: new AbortController().signal,
    identification: {}
  }
  const context = { ...nothing, ports: { now: () => 0 } } as unknown as ServerContext
  const calls = apiRoutes(context)
    .routes.filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/extension/'))
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, '1') }))
  const byName = new Map(calls.map((call) => [`${call.method} ${call.path}`, call]))
  for (const open of ['GET /proof', 'POST /session']) byName.delete(open)
  return [...byName.values()]
}

/** The dashboard’s address, as its browser names it. */
const originOf = ({ dashboardHost }: Service) => `http://${dashboardHost}`

const tokenIn = (link: string) => new URL(link).hash.slice(1)
const cookieIn = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''

function send(
  service: Service,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
  at = originOf(service)
): Promise<Response> {
  const init = { method, headers: { ...JSON_TYPE, ...headers }, ...(body !== undefined && { body }) }
  return service.fetch(new Request(`${at}/api${path}`, init))
}

function logIn(service: Service, body: unknown): Promise<Response> {
  return send(service, 'POST', '/session', { origin: originOf(service) }, JSON.stringify(body))
}

async function loggedIn(options: Parameters<typeof testService>[0] = {}) {
  const service = await testService(options)
  const cookie = cookieIn(await logIn(service, { token: tokenIn(service.loginLink()) }))
  return { service, cookie, origin: originOf(service) }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  while (!(await reader?.read())?.done);
}

test('sessions are listed with their browser, and the owner ends one of them', async () => {
  const clock = { time: Date.UTC(2026, 0, 1) }
  const service = await testService({ now: () => clock.time })
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const login = (userAgent: string) =>
    service.fetch(
      new Request(`http://${service.dashboardHost}/api/session`, {
        method: 'POST',
        headers: { ...JSON_TYPE, 'user-agent': userAgent },
        body: JSON.stringify({ token: tokenIn(service.loginLink()) })
      })
    )
  await login(agent)
  clock.time += 1000
  const own = (await login('Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0')).headers
  const headers = { cookie: own.getSetCookie()[0]?.split(';')[0] ?? '', origin: `http://${service.dashboardHost}` }
  const list = async () =>
    (await service.fetch(new Request(`http://${service.dashboardHost}/api/sessions`, { headers }))).json()
  const sessions = (await list()) as { id: string }[]
  expect(sessions).toEqual([
    expect.objectContaining({ client: 'Firefox, Windows', isOwn: true, createdAt: '2026-01-01T00:00:01.000Z' }),
    expect.objectContaining({ client: 'Chrome, Linux', isOwn: false, seenAt: '2026-01-01T00:00:00.000Z' })
  ])
  expect(JSON.stringify(sessions)).not.toMatch(/[0-9a-f]{32}/)
  expect((await callApi(service, 'DELETE', `/sessions/${sessions[1]?.id}`)).status).toBe(204)
  expect(await list()).toHaveLength(1)
  expect((await callApi(service, 'DELETE', `/sessions/${sessions[1]?.id}`)).status).toBe(404)
})
