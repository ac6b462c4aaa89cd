import { expect, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { link } from '../actions/ports.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const DAY_MS = 86_400_000

interface ListedCall {
  id: number
  at: string
  tool: string
  client: string | null
  results: number
  bytes: number
  undoneAt: string | null
  undoable: number
  savedLeft: number
  refused: string | null
  saved: { id: string; title: string; inTrash: boolean }[]
}

/** The calls of the only key, newest first, after at least this many are stored. */
async function calls(service: Service, atLeast: number): Promise<ListedCall[]> {
  const keys = (await (await callApi(service, 'GET', '/keys')).json()) as { id: string }[]
  return expect
    .poll(() => list(service, keys[0]?.id ?? ''), { timeout: 5000 })
    .toSatisfy(
      (stored: ListedCall[]) =>
        stored.length >= atLeast && stored.every((call) => call.bytes > 0 || call.refused !== null)
    )
    .then(() => list(service, keys[0]?.id ?? ''))
}

async function list(service: Service, id: string): Promise<ListedCall[]> {
  return (await (await callApi(service, 'GET', `/keys/${id}/calls`)).json()) as ListedCall[]
}

async function initialize(service: Service, key: string, params: object): Promise<void> {
  await service.fetch(
    new Request('http://127.0.0.1/api/tools/mcp', {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'user-agent': 'agent/1' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    })
  )
}

test('each call of a key is listed with its tool, client, results and size', async () => {
  const service = await testService()
  const key = await makeKey(service)
  await initialize(service, key, { client: { name: 'Zed', version: '9' } })
  const saved = await callTool(service, key, 'bookmarks.insert', {
    urls: ['https://a.example/1', 'https://a.example/2']
  })
  const found = await callTool(service, key, 'bookmarks.search', { domain: 'a.example', limit: 1 })

  expect(await calls(service, 2)).toMatchObject([
    { tool: 'bookmarks.search', client: 'Zed 9', results: 1, bytes: JSON.stringify(found.payload).length, undoable: 0 },
    { tool: 'bookmarks.insert', client: 'Zed 9', results: 2, bytes: JSON.stringify(saved.payload).length, undoable: 2 }
  ])
})

test('refused calls are listed with the reason and the cleaned name of the tool', async () => {
  const service = await testService()
  const key = await makeKey(service)
  await callTool(service, key, 'bookmarks.search', { limit: 0 })
  await callTool(service, key, `bookmarks.remove\u202e${'x'.repeat(500)}`, {})
  await callTool(service, key, 'bookmarks.insert', [] as object)
  const listed = await calls(service, 3)
  expect(listed.map(({ tool, refused }) => [tool, refused])).toEqual([
    ['bookmarks.insert', 'arguments: must be an object'],
    [`bookmarks.remove${'x'.repeat(44)}`, expect.stringMatching(/^Unknown tool: bookmarks.removexx/)],
    ['bookmarks.search', expect.stringContaining('limit')]
  ])
  expect(Math.max(...listed.map(({ refused }) => refused?.length ?? 0))).toBeLessThanOrEqual(200)
})

test('a refused insert is listed without results and with nothing to undo', async () => {
  const service = await testService()
  await callTool(service, await makeKey(service, { readOnly: true }), 'bookmarks.insert', {
    urls: 'https://a.example/'
  })
  expect(await calls(service, 1)).toMatchObject([
    { tool: 'bookmarks.insert', results: 0, undoable: 0, refused: expect.stringContaining('read-only'), saved: [] }
  ])
})

test('calls with a revoked key are listed once a minute, with the name of their client', async () => {
  const clock = { time: Date.UTC(2026, 0, 1) }
  const service = await testService({ now: () => clock.time })
  const key = await makeKey(service)
  const [created] = (await (await callApi(service, 'GET', '/keys')).json()) as { id: string }[]
  await callApi(service, 'DELETE', `/keys/${created?.id}`)
  for (let count = 0; count < 5; count++) await initialize(service, key, {})
  clock.time += 60_000
  await initialize(service, key, {})
  const refused = { tool: '', client: 'agent/1', refused: 'The key is revoked.' }
  expect(await calls(service, 2)).toMatchObject([refused, refused])
})

test('calls with an expired key are listed', async () => {
  const clock = { time: Date.UTC(2026, 0, 1) }
  const service = await testService({ now: () => clock.time })
  const key = await makeKey(service, { expires: 1 })
  clock.time += DAY_MS + 1
  await initialize(service, key, {})
  expect(await calls(service, 1)).toMatchObject([{ tool: '', client: 'agent/1', refused: 'The key has expired.' }])
})

test('an insert is listed with its first five bookmarks, without purged ones', async () => {
  const service = await testService()
  const key = await makeKey(service)
  const urls = Array.from({ length: 7 }, (_, index) => `https://a.example/${index}`)
  const { payload } = await callTool(service, key, 'bookmarks.insert', { urls })
  const ids = payload.bookmarks.map(({ id }: { id: string }) => id)
  await callApi(service, 'POST', '/bookmarks/changes', { ids: [ids[1]], change: { kind: 'delete' } })
  const [insert] = await calls(service, 1)
  expect(insert?.saved).toEqual(
    urls.slice(0, 5).map((url, index) => ({ id: ids[index], title: url, inTrash: index === 1 }))
  )
  expect(insert?.savedLeft).toBe(7)
  await callApi(service, 'POST', '/bookmarks/changes', { ids: [ids[1]], change: { kind: 'purge' } })
  const [after] = await calls(service, 1)
  expect(after).toMatchObject({ results: 7, savedLeft: 6 })
  expect(after?.saved.map(({ title }) => title)).toEqual([0, 2, 3, 4, 5].map((index) => urls[index]))
})

test('a bookmark has the key and the client that saved it, also after the key is revoked', async () => {
  const service = await testService()
  const key = await makeKey(service, { name: 'Laptop' })
  await initialize(service, key, { client: { name: 'Zed', version: '9' } })
  await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/' })
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://b.example/' })
  const [created] = (await (await callApi(service, 'GET', '/keys')).json()) as { id: string }[]
  await callApi(service, 'DELETE', `/keys/${created?.id}`)
  const { bookmarks } = (await (await callApi(service, 'GET', '/bookmarks')).json()) as { bookmarks: object[] }
  expect(bookmarks).toMatchObject([
    { url: 'https://b.example/', savedBy: null },
    { url: 'https://a.example/', savedBy: { key: 'Laptop', client: 'Zed 9' } }
  ])
  const other = await makeKey(service)
  const { payload } = await callTool(service, other, 'bookmarks.search', {})
  expect(JSON.stringify(payload)).not.toMatch(/savedBy|Laptop/)
})

test('an insert is undone in one step, once', async () => {
  const service = await testService()
  const key = await makeKey(service)
  await callTool(service, key, 'bookmarks.insert', { urls: ['https://a.example/before'] })
  await callTool(service, key, 'bookmarks.insert', { urls: ['https://a.example/1', 'https://a.example/before'] })
  const [insert] = await calls(service, 2)

  const undone = await callApi(service, 'POST', `/calls/${insert?.id}/undo`)
  expect(await undone.json()).toEqual({ undone: 1, kept: 0 })
  const { payload } = await callTool(service, key, 'bookmarks.search', {})
  expect(payload.bookmarks).toMatchObject([{ url: 'https://a.example/before' }])

  const again = await callApi(service, 'POST', `/calls/${insert?.id}/undo`)
  expect(again.status).toBe(404)
  expect(await again.json()).toMatchObject({ error: { code: 'not-found' } })
})

test('a page that is saved again after the undo is restored', async () => {
  const service = await testService()
  const key = await makeKey(service)
  await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/1' })
  const [insert] = await calls(service, 1)
  await callApi(service, 'POST', `/calls/${insert?.id}/undo`)
  const again = await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/1' })
  expect(again.payload).toMatchObject({ saved: 1, existing: 0 })
  expect((await callTool(service, key, 'bookmarks.search', {})).payload.total).toBe(1)
})

test.each(['0', 'x', '1.5', '99'])('undoing the unknown call %s is not found', async (id) => {
  const service = await testService()
  expect((await callApi(service, 'POST', `/calls/${id}/undo`)).status).toBe(404)
})

test('calls are deleted after 90 days', async () => {
  const folder = tempFolder()
  let now = Date.UTC(2026, 0, 1)
  const service = await testService({ data: folder, now: () => now })
  const key = await makeKey(service)
  await callTool(service, key, 'bookmarks.search', {})
  await calls(service, 1)
  // A clock that jumps ahead is trusted after three days.
  now += 91 * DAY_MS
  await callTool(service, key, 'bookmarks.search', {})
  await calls(service, 2)
  now += 3 * DAY_MS
  await callTool(service, key, 'bookmarks.search', {})
  await expect
    .poll(async () => (await calls(service, 1)).map((call) => call.at), { timeout: 5000 })
    .toEqual([now, now - 3 * DAY_MS].map((at) => new Date(at).toISOString()))
})

test('an insert and its row in the ledger are written in one transaction', async () => {
  const library = await openLibrary(tempFolder())
  const key = { name: 'x', prefix: 'emk_', hash: new Uint8Array(32), owner: null, readOnly: false, expiresAt: null }
  const { rowId } = await library.createKey({ ...key, tags: [], createdAt: 1 })
  const draft = { ...link('https://a.example/'), tags: [] }
  const placement = { owner: null, visibility: 'private', savedAt: 1 } as const
  const call = { keyId: rowId + 1, client: null, tool: 'bookmarks.insert' }
  await expect(library.saveForCall(placement, [draft], call)).rejects.toThrow(/FOREIGN KEY/)
  expect(await library.countBookmarks({ owner: null, readOnly: false })).toBe(0)
  await library.close()
})

test('the list of keys has the number of today’s calls of each', async () => {
  const clock = { time: new Date(2026, 0, 1, 12).getTime() }
  const service = await testService({ now: () => clock.time })
  const today = async () => {
    const keys = (await (await callApi(service, 'GET', '/keys')).json()) as { callsToday: number }[]
    return keys.map(({ callsToday }) => callsToday)
  }
  const [busy] = [await makeKey(service), await makeKey(service)]
  await callTool(service, busy, 'bookmarks.insert', { urls: 'https://a.example/' })
  await callTool(service, busy, 'bookmarks.search', {})
  await expect.poll(today, { timeout: 5000 }).toEqual([2, 0])
  clock.time += 12 * 3_600_000
  expect(await today()).toEqual([0, 0])
  await callTool(service, busy, 'bookmarks.insert', { urls: 'https://b.example/' })
  expect(await today()).toEqual([1, 0])
})
