import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { rawRequest } from '../support/http.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

interface ServerEvent {
  kind: string
  saved?: number
  by?: string
}

/** A listening service, and the headers of a session. */
async function serving(options: Parameters<typeof testService>[0] = {}) {
  const service = await testService(options)
  const { port } = await service.listen(0)
  const host = `${service.dashboardHost}:${port}`
  const headers = { host, cookie: `earmark=${await service.beginSession()}`, origin: `http://${host}` }
  return { service, url: `http://127.0.0.1:${port}`, headers }
}

/** Opens the stream and collects its events. */
async function listenTo(url: string, headers: Record<string, string>) {
  const sent = request(`${url}/api/events`, { headers, agent: false })
  sent.on('error', () => {})
  sent.end()
  onTestFinished(() => void sent.destroy())
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const ended = new Promise<void>((resolve) => response.on('error', () => {}).once('close', resolve))
  return {
    response,
    events: () => [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as ServerEvent),
    ended,
    close: () => sent.destroy()
  }
}

test('bookmarks that an agent saves are reported within a second, with their number and the client', async () => {
  const { service, url, headers } = await serving()
  const key = await makeKey(service)
  const { response, events } = await listenTo(url, headers)
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store'
  })
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { client: { name: 'Zed', version: '9' } } }
  await post(service, key, body)
  const begun = performance.now()
  await callTool(service, key, 'bookmarks.insert', { urls: ['https://a.example/', 'https://b.example/'] })
  await expect.poll(events).toContainEqual({ kind: 'bookmarks', saved: 2, by: 'Zed 9' })
  expect(performance.now() - begun).toBeLessThan(1000)
})

test('an insert of an existing page is reported as a call, not as a new bookmark', async () => {
  const { service, url, headers } = await serving()
  const key = await makeKey(service)
  await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/' })
  const { events } = await listenTo(url, headers)
  await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/' })
  await expect.poll(events).toContainEqual({ kind: 'calls' })
  expect(events().map(({ kind }) => kind)).not.toContain('bookmarks')
})

test('each change is reported by its kind', async () => {
  const { service, url, headers } = await serving()
  const { events } = await listenTo(url, headers)
  const kinds = () => new Set(events().map(({ kind }) => kind))
  const created = (await (await callApi(service, 'POST', '/keys', { name: 'x' })).json()) as { id: string }
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  await callApi(service, 'PATCH', '/settings', { theme: 'dark' })
  await expect.poll(kinds).toEqual(new Set(['keys', 'organizations', 'settings']))
  const before = events().length
  await callApi(service, 'DELETE', `/keys/${created.id}`)
  await expect.poll(() => events().slice(before)).toEqual([{ kind: 'keys' }])
})

test('backups and openings are reported, so that other windows show them', async () => {
  const { service, url, headers } = await serving()
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  const { bookmarks } = (await (await callApi(service, 'GET', '/bookmarks')).json()) as { bookmarks: { id: string }[] }
  const { events } = await listenTo(url, headers)
  await callApi(service, 'POST', '/bookmarks/openings', { ids: bookmarks.map(({ id }) => id) })
  await expect.poll(events).toEqual([{ kind: 'openings' }])
  await callApi(service, 'POST', '/backups')
  await expect.poll(() => events().slice(1)).toEqual([{ kind: 'backups' }])
})

test('a search is reported as a call after it is stored', async () => {
  const { service, url, headers } = await serving()
  const key = await makeKey(service)
  const { events } = await listenTo(url, headers)
  await callTool(service, key, 'bookmarks.search', {})
  await expect.poll(events, { timeout: 3000 }).toContainEqual({ kind: 'calls' })
})

test('an API key, no session and a page of another origin get no stream', async () => {
  const { service, url, headers } = await serving()
  const statusOf = async (more: object) => (await rawRequest(url, { path: '/api/events', headers: { ...more } })).status
  expect(await statusOf({})).toBe(401)
  expect(await statusOf({ 'x-api-key': await makeKey(service) })).toBe(401)
  expect(await statusOf({ ...headers, origin: 'http://127.0.0.1:1' })).toBe(403)
  expect(await statusOf({ host: headers.host, cookie: headers.cookie, 'sec-fetch-site': 'same-site' })).toBe(403)
})

test('a logout ends the streams of its session only', async () => {
  const { service, url, headers } = await serving()
  const [mine, also] = [await listenTo(url, headers), await listenTo(url, headers)]
  const other = await listenTo(url, { ...headers, cookie: `earmark=${await service.beginSession()}` })
  await rawRequest(url, { method: 'DELETE', path: '/api/session', headers })
  await Promise.all([mine.ended, also.ended])
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  await expect.poll(other.events).toContainEqual({ kind: 'organizations' })
})

test('more than 8 streams of a session, or 32 in all, are refused until one is closed', async () => {
  const { service, url, headers } = await serving()
  const streams: Awaited<ReturnType<typeof listenTo>>[] = []
  const isRefused = async (more: typeof headers) => {
    const refused = await rawRequest(url, { path: '/api/events', headers: more })
    expect(refused).toMatchObject({ status: 429, body: expect.stringContaining('Close some of them') })
  }
  for (let sessions = 0; sessions < 4; sessions++) {
    const more = { ...headers, cookie: `earmark=${await service.beginSession()}` }
    for (let count = 0; count < 8; count++) streams.push(await listenTo(url, more))
    await isRefused(more)
  }
  await isRefused(headers)
  streams[0]?.close()
  await expect
    .poll(async () => {
      const { response, close } = await listenTo(url, headers)
      close()
      return response.statusCode
    })
    .toBe(200)
})

test('HEAD opens no stream', async () => {
  const { url, headers } = await serving()
  for (let count = 0; count < 40; count++) {
    const answer = await rawRequest(url, { method: 'HEAD', path: '/api/events', headers })
    expect(answer).toMatchObject({ status: 200, body: '' })
  }
})

test('a service closes without waiting for its streams', async () => {
  const { service, url, headers } = await serving()
  const { ended } = await listenTo(url, headers)
  const begun = performance.now()
  await service.close()
  await ended
  expect(performance.now() - begun).toBeLessThan(900)
})

function post(service: Service, key: string, body: object): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return service.fetch(
    new Request('http://127.0.0.1/api/tools/mcp', { method: 'POST', headers, body: JSON.stringify(body) })
  )
}

test('a restore ends the stream, and another one reports the changes of the restored library', async () => {
  const { service, url, headers } = await serving()
  const { name } = (await (await callApi(service, 'POST', '/backups')).json()) as { name: string }
  const stream = await listenTo(url, headers)
  expect((await callApi(service, 'POST', `/backups/${name}/restore`)).status).toBe(200)
  await stream.ended
  const { events } = await listenTo(url, { ...headers, cookie: `earmark=${await service.beginSession()}` })
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  await expect.poll(events).toContainEqual({ kind: 'bookmarks', saved: 1 })
})
