import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Tool } from '../../src-main/mcp/tools/tool.ts'
import type { Service } from '../../src-main/service.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const INSERT = ['bookmarks.insert', { urls: ['https://a.example/'] }] as const

function messageFor(tool: string, args?: object, id = 1): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, ...(args && { arguments: args }) } }
}

function post(service: Service, key: string, body: BodyInit, more: object = {}): Promise<Response> {
  const init = { method: 'POST', headers: { 'x-api-key': key, ...JSON_TYPE, ...more }, body, duplex: 'half' }
  return service.fetch(new Request('http://127.0.0.1/api/tools/mcp', init as RequestInit))
}

async function revokeOnlyKey(service: Service): Promise<void> {
  const [key] = (await (await callApi(service, 'GET', '/keys')).json()) as { id: string }[]
  expect((await callApi(service, 'DELETE', `/keys/${key?.id}`)).ok).toBe(true)
}

async function countBookmarks(service: Service): Promise<number> {
  return ((await (await callApi(service, 'GET', '/bookmarks')).json()) as { total: number }).total
}

describe('a call whose body arrives slowly', () => {
  /** Begins a call of a tool, and sends the rest of its body on request. */
  function slowCall(service: Service, key: string, tool: string, args: object) {
    const body = JSON.stringify(messageFor(tool, args))
    const rest = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const pieces = [body.slice(0, 5), body.slice(5)]
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          begun.resolve() // the caller is identified before the body is read
          if (pieces.length === 1) await rest.promise
          const piece = pieces.shift()
          if (piece === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(piece))
        }
      },
      { highWaterMark: 0 }
    )
    const answer = post(service, key, stream)
    return {
      begun: begun.promise,
      async end() {
        rest.resolve()
        return (await answer).status
      }
    }
  }

  test('is refused if its key is revoked meanwhile', async () => {
    const service = await testService()
    const key = await makeKey(service)
    const calls = [slowCall(service, key, ...INSERT), slowCall(service, key, 'bookmarks.search', {})]
    await Promise.all(calls.map(({ begun }) => begun))
    await revokeOnlyKey(service)
    expect(await Promise.all(calls.map(({ end }) => end()))).toEqual([401, 401])
    expect(await countBookmarks(service)).toBe(0)
  })

  test('ends before a backup without its key is restored', async () => {
    const service = await testService()
    await makeKey(service, { name: 'old' })
    const { name } = (await (await callApi(service, 'POST', '/backups')).json()) as { name: string }
    const call = slowCall(service, await makeKey(service, { name: 'new' }), ...INSERT)
    await call.begun
    const restored = callApi(service, 'POST', `/backups/${name}/restore`)
    await expect.poll(async () => (await callApi(service, 'GET', '/status')).status).toBe(503)
    expect(await call.end()).toBe(200)
    expect((await restored).status).toBe(200)
    expect(await countBookmarks(service)).toBe(0)
  })

  test('is answered if its key is still valid', async () => {
    const service = await testService()
    const call = slowCall(service, await makeKey(service), ...INSERT)
    await call.begun
    expect(await call.end()).toBe(200)
    expect(await countBookmarks(service)).toBe(1)
  })
})

/** A service whose search waits until `end` is called, and the number of searches that have begun. */
async function heldService() {
  const released = Promise.withResolvers<void>()
  const held = { begun: 0, end: () => released.resolve() }
  const tool: Tool = {
    name: 'bookmarks.search',
    title: 'Held',
    description: 'Waits.',
    inputSchemas: { plain: {}, mcp: {} },
    annotations: { openWorldHint: false },
    prepare: () => ({
      async run(ports, caller) {
        held.begun += 1
        await released.promise
        return { text: String(await ports.library.countBookmarks(caller)) }
      }
    })
  }
  const service = await testService({ tools: [tool] })
  return { service, held, search: (key: string) => callTool(service, key, 'bookmarks.search', {}) }
}

const SEARCH = JSON.stringify(messageFor('bookmarks.search'))
const BATCH = JSON.stringify([1, 2, 3].map((id) => messageFor('bookmarks.search', undefined, id)))
const BATCH_VERSION = { 'mcp-protocol-version': '2025-03-26' }

/** Sends a message over a socket that the test can destroy. */
function send(port: number, key: string, body: string, more: object = {}) {
  const headers = { 'x-api-key': key, ...JSON_TYPE, ...more }
  const call = request(`http://127.0.0.1:${port}/api/tools/mcp`, { method: 'POST', headers, agent: false })
  call.on('error', () => {}).end(body)
  return call
}

test('waiting calls of a client that disconnects are never run, and other keys are answered', async () => {
  const { service, held, search } = await heldService()
  const [key, other] = [await makeKey(service), await makeKey(service, { name: 'other' })]
  const { port, quietSince } = await service.listen(0)
  const calls = Array.from({ length: 50 }, () => send(port, key, SEARCH))
  await expect.poll(() => held.begun).toBe(2)
  const answer = search(other)
  await expect.poll(() => held.begun).toBe(3)
  for (const call of calls) call.destroy()
  await expect.poll(quietSince).toBeDefined()
  held.end()
  expect((await answer).status).toBe(200)
  expect((await search(key)).status).toBe(200)
  expect(held.begun).toBe(4)
})

test('a batch ends when its client disconnects', async () => {
  const { service, held, search } = await heldService()
  const key = await makeKey(service)
  const { port, quietSince } = await service.listen(0)
  const call = send(port, key, BATCH, BATCH_VERSION)
  await expect.poll(() => held.begun).toBe(1)
  call.destroy()
  await expect.poll(quietSince).toBeDefined()
  held.end()
  expect((await search(key)).status).toBe(200)
  expect(held.begun).toBe(2)
})

test('a batch ends when its key is revoked', async () => {
  const { service, held } = await heldService()
  const answer = post(service, await makeKey(service), BATCH, BATCH_VERSION)
  await expect.poll(() => held.begun).toBe(1)
  await revokeOnlyKey(service)
  held.end()
  expect(await (await answer).json()).toMatchObject([{ id: 1 }])
  expect(held.begun).toBe(1)
})

test('more calls of a key than may wait get 503 and Retry-After', async () => {
  const { service, held } = await heldService()
  const key = await makeKey(service)
  const answers = Array.from({ length: 2 + 256 }, () => post(service, key, SEARCH))
  await expect.poll(() => held.begun).toBe(2)
  const refused = await post(service, key, SEARCH)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ error: { code: 'too-many' } })
  held.end()
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]))
})

test('during a restore a running call ends in the old library, and new ones are told when to try again', async () => {
  const { service, held, search } = await heldService()
  const old = await makeKey(service, { name: 'old' })
  const { name } = (await (await callApi(service, 'POST', '/backups')).json()) as { name: string }
  const key = await makeKey(service, { name: 'new' })
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  const running = search(key)
  await expect.poll(() => held.begun).toBe(1)
  const restored = callApi(service, 'POST', `/backups/${name}/restore`)
  await expect.poll(async () => (await callApi(service, 'GET', '/status')).status).toBe(503)
  const refused = await post(service, old, SEARCH)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await refused.json()).toMatchObject({ error: { code: 'taken' } })
  held.end()
  expect((await running).payload).toBe(1)
  expect((await restored).status).toBe(200)
  expect([(await search(old)).payload, (await search(key)).status]).toEqual([0, 401])
})
