import { expect, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { callApi, makeKey, testService } from '../support/service.ts'

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
