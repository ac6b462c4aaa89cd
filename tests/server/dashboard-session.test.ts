import { expect, test } from 'vitest'
import { apiRoutes } from '../../src-main/server/app.ts'
import type { ServerContext } from '../../src-main/server/context.ts'
import { rawRequest } from '../support/http.ts'
import { callApi, testService } from '../support/service.ts'

const ORIGIN = 'http://127.0.0.1'

/** What the routes ask of the service while they are put together. */
const NOTHING = { changes: { onChange() {}, onSessionEnd() {} }, onClose() {}, identification: {} }

/** Every call there is: its method and its path. */
function allCalls(): { method: string; path: string }[] {
  const context = { ...NOTHING, ports: { now: () => 0 } }
  const found = apiRoutes(context as unknown as ServerContext)
    .routes.filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, '1') }))
  return [...new Map(found.map((call) => [`${call.method} ${call.path}`, call])).values()]
}

/** What needs no session. */
const FREE = ['GET /proof', 'POST /session']

/** What no session opens at all. */
const isExtension = (path: string) => path.startsWith('/extension/')

const CALLS = allCalls().filter(({ method, path }) => !FREE.includes(`${method} ${path}`) && !isExtension(path))

test('a session’s cookie opens nothing at an address whose cookies other programs are sent', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const cookie = `earmark=${await service.beginSession()}`
  const url = `http://127.0.0.1:${port}`
  expect(CALLS.length).toBeGreaterThan(50)
  const endpoint = { method: 'POST', path: '/tools/mcp' }
  for (const { method, path } of [...CALLS, endpoint]) {
    for (const name of ['127.0.0.1', 'localhost', `${'0'.repeat(32)}.localhost`]) {
      const host = `${name}:${port}`
      const headers = { host, cookie, origin: `http://${host}`, 'content-type': 'application/json' }
      const body = method === 'POST' && path === endpoint.path ? LIST : undefined
      const answer = await rawRequest(url, { method, path: `/api${path}`, headers, ...(body && { body }) })
      expect([method, path, name, answer.status]).toEqual([method, path, name, name.length > 20 ? 403 : 401])
    }
  }
  const own = `${service.dashboardHost}:${port}`
  const headers = { host: own, cookie, origin: `http://${own}`, 'content-type': 'application/json' }
  expect((await rawRequest(url, { path: '/api/status', headers })).status).toBe(200)
  expect((await rawRequest(url, { method: 'POST', path: '/api/tools/mcp', headers, body: LIST })).status).toBe(200)
})

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

test('at such an address a login gives no cookie, and its session is said in a header', async () => {
  const service = await testService()
  const token = new URL(service.loginLink()).hash.slice(1)
  const headers = { origin: ORIGIN, 'content-type': 'application/json' }
  const asked = { method: 'POST', headers, body: JSON.stringify({ token }) }
  const answer = await service.fetch(new Request(`${ORIGIN}/api/session`, asked))
  expect(answer.headers.get('set-cookie')).toBeNull()
  const { session } = (await answer.json()) as { session: string }
  const get = (path: string, more = {}) => service.fetch(new Request(`${ORIGIN}/api${path}`, { headers: more }))
  expect((await get('/status', { 'x-earmark-session': session })).status).toBe(200)
  // An element of the page sends no header, and its address opens nothing else.
  expect((await get(`/events?session=${session}`)).status).toBe(200)
  expect((await get(`/pictures/none?session=${session}`)).status).toBe(404)
  for (const path of ['/status', '/bookmarks', '/keys', '/exports']) {
    expect((await get(`${path}?session=${session}`)).status).toBe(401)
  }
  const ended = { method: 'DELETE', headers: { origin: ORIGIN, 'x-earmark-session': session } }
  expect((await service.fetch(new Request(`${ORIGIN}/api/session`, ended))).status).toBe(204)
  expect((await get('/status', { 'x-earmark-session': session })).status).toBe(401)
})

test('a ticket lets a link fetch one file, once', async () => {
  const service = await testService()
  const get = (path: string) => service.fetch(new Request(`${ORIGIN}/api${path}`))
  const made = await callApi(service, 'POST', '/exports/tickets', {})
  const { ticket } = (await made.json()) as { ticket: string }
  expect((await get(`/status?ticket=${ticket}`)).status).toBe(401)
  const unknown = await get('/exports?format=csv&ticket=made-up')
  expect([unknown.status, await unknown.text()]).toEqual([401, expect.stringContaining('Export again')])
  expect((await get(`/exports?format=csv&ticket=${ticket}`)).status).toBe(200)
  expect((await get(`/exports?format=csv&ticket=${ticket}`)).status).toBe(401)
  expect((await callApi(service, 'GET', '/exports?format=csv')).status).toBe(200)
})

test('a file that is being exported breaks off once its session ends, and its ticket opens nothing more', async () => {
  const service = await testService()
  for (const at of [1, 2, 3]) await callApi(service, 'POST', '/bookmarks', { type: 'text', content: `note ${at}` })
  const headers = {
    origin: ORIGIN,
    'x-earmark-session': await service.beginSession(),
    'content-type': 'application/json'
  }
  const ask = (method: string, path: string, body?: string) =>
    service.fetch(new Request(`${ORIGIN}/api${path}`, { method, headers, ...(body && { body }) }))
  const ticketed = async () => {
    const { ticket } = (await (await ask('POST', '/exports/tickets', '{}')).json()) as { ticket: string }
    return () => service.fetch(new Request(`${ORIGIN}/api/exports?format=csv&ticket=${ticket}`))
  }
  expect(await (await (await ticketed())()).text()).toContain('note 3')
  const late = await ticketed()
  const files = [(await (await ticketed())()).body, (await ask('GET', '/exports?format=csv')).body]
  const readers = files.map((file) => file?.getReader())
  for (const reader of readers) expect((await reader?.read())?.done).toBe(false)
  expect((await ask('DELETE', '/session')).status).toBe(204)
  for (const reader of readers) await expect(readAll(reader)).rejects.toMatchObject({ code: 'expired' })
  expect((await late()).status).toBe(401)
})

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  while (!(await reader?.read())?.done);
}
