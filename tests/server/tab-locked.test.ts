import { expect, test } from 'vitest'
import { apiRoutes } from '../../src-main/server/app.ts'
import type { ServerContext } from '../../src-main/server/context.ts'
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

/** What needs no session, and what an element of a page asks for. */
const FREE = ['GET /proof', 'POST /session', 'GET /events', 'GET /pictures/1', 'GET /pictures/originals/1']

/** What no session opens at all. */
const isExtension = (path: string) => path.startsWith('/extension/')

test('a session’s cookie alone opens none of its calls', async () => {
  const service = await testService()
  const { secret, tabToken } = await service.beginSession()
  const cookie = `earmark_80=${secret}`
  const other = await service.beginSession()
  const calls = allCalls().filter(({ method, path }) => !FREE.includes(`${method} ${path}`) && !isExtension(path))
  expect(calls.length).toBeGreaterThan(50)
  for (const { method, path } of calls) {
    for (const wrong of [undefined, '', other.tabToken]) {
      const headers = new Headers({ cookie, origin: ORIGIN })
      if (wrong !== undefined) headers.set('x-earmark-tab', wrong)
      const answer = await service.fetch(new Request(`${ORIGIN}/api${path}`, { method, headers }))
      expect([method, path, answer.status]).toEqual([method, path, 403])
      expect(await answer.json()).toMatchObject({ error: { code: 'tab-locked' } })
    }
  }
  const proven = { cookie, 'x-earmark-tab': tabToken }
  expect((await service.fetch(new Request(`${ORIGIN}/api/status`, { headers: proven }))).status).toBe(200)
})

test('a ticket lets a link fetch one file, for its session', async () => {
  const service = await testService()
  const { secret, tabToken } = await service.beginSession()
  const cookie = `earmark_80=${secret}`
  const get = (path: string, headers = { cookie }) => service.fetch(new Request(`${ORIGIN}/api${path}`, { headers }))
  const headers = { cookie, 'x-earmark-tab': tabToken, origin: ORIGIN, 'content-type': 'application/json' }
  const asking = { method: 'POST', headers, body: '{}' }
  const made = await service.fetch(new Request(`${ORIGIN}/api/exports/tickets`, asking))
  const { ticket } = (await made.json()) as { ticket: string }
  expect((await get(`/exports?format=csv&ticket=${ticket}`, { cookie: 'earmark_80=x' })).status).toBe(401)
  expect((await get(`/status?ticket=${ticket}`)).status).toBe(403)
  expect((await get('/exports?format=csv&ticket=made-up')).status).toBe(403)
  expect((await get(`/exports?format=csv&ticket=${ticket}`)).status).toBe(200)
  expect((await get(`/exports?format=csv&ticket=${ticket}`)).status).toBe(403)
  expect((await callApi(service, 'GET', '/exports?format=csv')).status).toBe(200)
})
