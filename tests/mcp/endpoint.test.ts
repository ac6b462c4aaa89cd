import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Tool } from '../../src-main/mcp/tools/tool.ts'
import type { Service } from '../../src-main/service.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

/** Begins a call of a tool, whose body ends when it is told to. */
function slowCall(service: Service, key: string, tool: string, args: object) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } })
  const sent = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const pieces = [body.slice(0, 5), body.slice(5)]
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        asked.resolve() // by a reader that knows already who calls
        if (pieces.length === 1) await sent.promise
        const piece = pieces.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(piece))
      }
    },
    { highWaterMark: 0 }
  )
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit
  const answer = service.fetch(new Request('http://127.0.0.1/api/tools/mcp', init))
  return {
    begun: asked.promise,
    async end() {
      sent.resolve()
      return (await answer).status
    }
  }
}

async function pages(service: Service): Promise<number> {
  return ((await (await callApi(service, 'GET', '/bookmarks')).json()) as { total: number }).total
}

const INSERT = ['bookmarks.insert', { urls: ['https://a.example/'] }] as const

test('a call whose body ends after its key was revoked is refused', async () => {
  const service = await testService()
  const key = await makeKey(service)
  const calls = [slowCall(service, key, ...INSERT), slowCall(service, key, 'bookmarks.search', {})]
  await Promise.all(calls.map(({ begun }) => begun))
  const [made] = (await (await callApi(service, 'GET', '/keys')).json()) as { id: string }[]
  await callApi(service, 'DELETE', `/keys/${made?.id}`)
  expect(await Promise.all(calls.map(({ end }) => end()))).toEqual([401, 401])
  expect(await pages(service)).toBe(0)
})

test('a call whose body ends after a backup was restored that does not know its key is refused', async () => {
  const service = await testService()
  await makeKey(service, { name: 'old' })
  const { name } = (await (await callApi(service, 'POST', '/backups')).json()) as { name: string }
  const key = await makeKey(service, { name: 'new' })
  const call = slowCall(service, key, ...INSERT)
  await call.begun
  expect((await callApi(service, 'POST', `/backups/${name}/restore`)).status).toBe(200)
  // It has the number that the key had which is gone.
  await makeKey(service, { name: 'another' })
  expect(await call.end()).toBe(401)
  expect(await pages(service)).toBe(0)
})

test('a call whose body ends late and whose key is valid is answered', async () => {
  const service = await testService()
  const call = slowCall(service, await makeKey(service), ...INSERT)
  await call.begun
  expect(await call.end()).toBe(200)
  expect(await pages(service)).toBe(1)
})

/** A tool whose calls last until they are told to end, and how many have begun. */
function heldTool() {
  const goOn = Promise.withResolvers<void>()
  const held = { begun: 0, end: () => goOn.resolve() }
  const tool: Tool = {
    name: 'bookmarks.search',
    title: 'Held',
    description: 'Waits.',
    inputSchema: {},
    annotations: { openWorldHint: false },
    prepare: () => ({
      async run(ports, caller) {
        held.begun += 1
        await goOn.promise
        return { text: String(await ports.library.countBookmarks(caller)) }
      }
    })
  }
  return { ...held, tools: [tool], held }
}

test('calls whose client is gone before their turn came are never made, and another key is answered', async () => {
  const { tools, held } = heldTool()
  const service = await testService({ tools })
  const [mine, other] = [await makeKey(service), await makeKey(service, { name: 'other' })]
  const { port, quietSince } = await service.listen(0)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bookmarks.search' } })
  const sent = Array.from({ length: 50 }, () => {
    const headers = { 'x-api-key': mine, 'content-type': 'application/json' }
    const call = request(`http://127.0.0.1:${port}/api/tools/mcp`, { method: 'POST', headers, agent: false })
    call.on('error', () => {}).end(body)
    return call
  })
  await expect.poll(() => held.begun).toBe(8)
  const others = callTool(service, other, 'bookmarks.search', {})
  await expect.poll(() => held.begun).toBe(9)
  for (const call of sent) call.destroy()
  await expect.poll(quietSince).toBeDefined()
  held.end()
  expect((await others).status).toBe(200)
  expect((await callTool(service, mine, 'bookmarks.search', {})).status).toBe(200)
  expect(held.begun).toBe(10)
})

test('what is left of a batch whose client is gone is not done', async () => {
  const { tools, held } = heldTool()
  const service = await testService({ tools })
  const key = await makeKey(service)
  const { port, quietSince } = await service.listen(0)
  const one = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'bookmarks.search' } }
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'mcp-protocol-version': '2025-03-26' }
  const call = request(`http://127.0.0.1:${port}/api/tools/mcp`, { method: 'POST', headers, agent: false })
  call.on('error', () => {}).end(JSON.stringify([1, 2, 3].map((id) => ({ ...one, id }))))
  await expect.poll(() => held.begun).toBe(1)
  call.destroy()
  await expect.poll(quietSince).toBeDefined()
  held.end()
  expect((await callTool(service, key, 'bookmarks.search', {})).status).toBe(200)
  expect(held.begun).toBe(2)
})

test('what is left of a batch is not done once its key was revoked', async () => {
  const { tools, held } = heldTool()
  const service = await testService({ tools })
  const key = await makeKey(service)
  const keys = (await (await callApi(service, 'GET', '/keys')).json()) as { id: string }[]
  const one = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'bookmarks.search' } }
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'mcp-protocol-version': '2025-03-26' }
  const body = JSON.stringify([1, 2, 3].map((id) => ({ ...one, id })))
  const answer = service.fetch(new Request('http://127.0.0.1/api/tools/mcp', { method: 'POST', headers, body }))
  await expect.poll(() => held.begun).toBe(1)
  expect((await callApi(service, 'DELETE', `/keys/${keys[0]?.id}`)).ok).toBe(true)
  held.end()
  expect(await (await answer).json()).toMatchObject([{ id: 1 }])
  expect(held.begun).toBe(1)
})

test('more calls of a key than may wait are told to come again', async () => {
  const { tools, held } = heldTool()
  const service = await testService({ tools })
  const key = await makeKey(service)
  const call = () => {
    const init = { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bookmarks.search' } })
    return service.fetch(new Request('http://127.0.0.1/api/tools/mcp', { ...init, body }))
  }
  const all = Array.from({ length: 8 + 256 }, call)
  await expect.poll(() => held.begun).toBe(8)
  const refused = await call()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ error: { code: 'too-many' } })
  held.end()
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
})

test('while a backup is restored, a call goes on in the old library, and one that waits is asked for its key again', async () => {
  const { tools, held } = heldTool()
  const service = await testService({ tools })
  const old = await makeKey(service, { name: 'old' })
  const { name } = (await (await callApi(service, 'POST', '/backups')).json()) as { name: string }
  const key = await makeKey(service, { name: 'new' })
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  const session = await service.beginSession()
  const before = callTool(service, key, 'bookmarks.search', {})
  await expect.poll(() => held.begun).toBe(1)
  const restored = callApi(service, 'POST', `/backups/${name}/restore`)
  const status = () => Promise.race([callApi(service, 'GET', '/status').then(() => 'answered'), wait(50, 'waits')])
  await expect.poll(status).toBe('waits') // the restore does, for the call
  const [late, unknown] = [old, key].map((one) => callTool(service, one, 'bookmarks.search', {}))
  const headers = { 'x-earmark-session': session, origin: 'http://127.0.0.1', 'content-type': 'application/json' }
  const body = JSON.stringify({ type: 'link', url: 'https://b.example/' })
  const save = service.fetch(new Request('http://127.0.0.1/api/bookmarks', { method: 'POST', headers, body }))
  held.end()
  expect((await before).payload).toBe(1)
  expect((await restored).status).toBe(200)
  // The session ended with the restore.
  expect((await save).status).toBe(401)
  expect([(await late)?.payload, (await unknown)?.status]).toEqual([0, 401])
})
