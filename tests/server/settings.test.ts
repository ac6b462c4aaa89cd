import { describe, expect, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { rawRequest } from '../support/http.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

const DEFAULTS = {
  theme: 'system',
  defaultVisibility: 'private',
  fetchDetails: true,
  port: null,
  backupFolder: null,
  watchedFiles: [],
  pins: []
}

test('settings have their defaults until they are changed, one by one', async () => {
  const service = await testService()
  expect(await (await callApi(service, 'GET', '/settings')).json()).toEqual(DEFAULTS)
  const changed = await callApi(service, 'PATCH', '/settings', { theme: 'dark', port: 20_800 })
  expect(await changed.json()).toEqual({ ...DEFAULTS, theme: 'dark', port: 20_800 })
  await callApi(service, 'PATCH', '/settings', { port: null })
  expect(await (await callApi(service, 'GET', '/settings')).json()).toEqual({ ...DEFAULTS, theme: 'dark' })
})

test.for([
  [{ theme: 'sepia' }, 'theme'],
  [{ defaultVisibility: 'organization' }, 'defaultVisibility'],
  [{ fetchDetails: 'yes' }, 'fetchDetails'],
  [{ port: 80 }, '1024'],
  [{ port: 65_536 }, '65535'],
  [{ port: 6000 }, 'Browsers refuse'],
  [{ port: 20_800.5 }, 'whole'],
  [{ port: '20800' }, 'port'],
  [{ colorOfTheMoon: 'pale' }, 'colorOfTheMoon']
] as const)('the change %j is refused, naming the fault', async ([change, fault]) => {
  const service = await testService()
  const response = await callApi(service, 'PATCH', '/settings', change)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'invalid', message: expect.stringContaining(fault) } })
  expect(await (await callApi(service, 'GET', '/settings')).json()).toEqual(DEFAULTS)
})

test('what a profile’s key saves gets the default visibility from then on', async () => {
  const service = await testService()
  const key = await makeKey(service)
  await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/' })
  await callApi(service, 'PATCH', '/settings', { defaultVisibility: 'public' })
  await callTool(service, key, 'bookmarks.insert', { urls: 'https://b.example/' })
  const found = await (await callApi(service, 'GET', '/bookmarks')).json()
  expect(found).toMatchObject({ bookmarks: [{ visibility: 'public' }, { visibility: 'private' }] })
})

describe('the port', () => {
  test('is the usual one until another is chosen', async () => {
    const service = await testService()
    expect(await service.preferredPort()).toBe(20_727)
    await callApi(service, 'PATCH', '/settings', { port: 20_801 })
    expect(await service.preferredPort()).toBe(20_801)
  })
})

test('the status says where the library lies, how large it is, and since when the service runs', async () => {
  const started = Date.UTC(2026, 5, 1)
  const service = await testService({ now: () => started })
  const before = (await (await callApi(service, 'GET', '/status')).json()) as { librarySize: number }
  expect(before).toMatchObject({
    dataFolder: expect.stringContaining('earmark'),
    lastBackupAt: null,
    startedAt: new Date(started).toISOString()
  })
  expect(before.librarySize).toBeGreaterThan(10_000)
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  const after = (await (await callApi(service, 'GET', '/status')).json()) as { librarySize: number }
  expect(after.librarySize).toBeGreaterThan(before.librarySize)
})

test('the status says whether pages can be fetched at all, whatever the settings say', async () => {
  const fetches = async (service: Service) => (await callApi(service, 'GET', '/status')).json()
  expect(await fetches(await testService())).toMatchObject({ fetches: false })
  expect(await fetches(await testService({ web: 'internet' }))).toMatchObject({ fetches: true })
})

test('a body of over a megabyte is refused whatever the method', async () => {
  const service = await testService()
  const response = await callApi(service, 'PATCH', '/settings', { theme: 'x'.repeat(1024 * 1024) })
  expect(response.status).toBe(413)
})

test('a body whose length is not said is refused', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const answer = await rawRequest(`http://127.0.0.1:${port}`, {
    method: 'PATCH',
    path: '/api/settings',
    headers: { authorization: `Bearer ${service.commandToken}`, 'transfer-encoding': 'chunked' },
    body: '{"theme":"dark"}'
  })
  expect(answer).toMatchObject({ status: 411, body: expect.stringContaining('Content-Length') })
})
