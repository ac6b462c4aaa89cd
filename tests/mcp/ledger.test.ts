import { expect, test } from 'vitest'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { link } from '../actions/ports.ts'
import { apiOf, refusal } from '../server/api.ts'
import { callTool, makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const DAY_MS = 86_400_000

interface ListedCall {
  id: number
  at: string
  tool: string
  results: number
  bytes: number
  savedLeft: number
  refused: string | null
  saved: { id: string; title: string; inTrash: boolean }[]
}

/** A service with a clock of the test's and one key, whose calls are listed. */
async function ledger(request: object = {}) {
  const clock = { time: Date.UTC(2026, 0, 1) }
  const service = await testService({ now: () => clock.time })
  const api = apiOf(service)
  const key = await makeKey(service, request)
  const keyId = (await api('GET', '/keys')).body[0].id
  const list = async (): Promise<ListedCall[]> => (await api('GET', `/keys/${keyId}/calls`)).body
  return {
    api,
    clock,
    service,
    call: (tool: string, args: object) => callTool(service, key, tool, args),
    insert: async (...urls: string[]) => (await callTool(service, key, 'bookmarks.insert', { urls })).payload,
    search: async (args: object = {}) => (await callTool(service, key, 'bookmarks.search', args)).payload,
    revoke: () => api('DELETE', `/keys/${keyId}`),
    async initialize(params: object) {
      const headers = { 'x-api-key': key, 'content-type': 'application/json', 'user-agent': 'agent/1' }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      await service.fetch(new Request('http://127.0.0.1/api/tools/mcp', { method: 'POST', headers, body }))
    },
    /** The calls, newest first, after at least this many are stored with their sizes. */
    async calls(atLeast: number): Promise<ListedCall[]> {
      const isStored = (calls: ListedCall[]) =>
        calls.length >= atLeast && calls.every(({ bytes, refused }) => bytes > 0 || refused !== null)
      await expect.poll(list, { timeout: 5000 }).toSatisfy(isStored)
      return list()
    }
  }
}

const ZED = { client: { name: 'Zed', version: '9' } }

test('each call of a key is listed with its tool, client, results and size', async () => {
  const { initialize, insert, search, calls } = await ledger()
  await initialize(ZED)
  const inserted = await insert('https://a.example/1', 'https://a.example/2')
  const searched = await search({ domain: 'a.example', limit: 1 })
  expect(await calls(2)).toMatchObject([
    { tool: 'bookmarks.search', client: 'Zed 9', results: 1, bytes: JSON.stringify(searched).length, undoable: 0 },
    { tool: 'bookmarks.insert', client: 'Zed 9', results: 2, bytes: JSON.stringify(inserted).length, undoable: 2 }
  ])
})

test('refused calls are listed with the reason and the cleaned name of the tool', async () => {
  const { call, calls } = await ledger()
  await call('bookmarks.search', { limit: 0 })
  await call(`bookmarks.remove\u202e${'x'.repeat(500)}`, {})
  await call('bookmarks.insert', [])
  const listed = await calls(3)
  expect(listed.map(({ tool, refused }) => [tool, refused])).toEqual([
    ['bookmarks.insert', 'arguments: must be an object'],
    [`bookmarks.remove${'x'.repeat(44)}`, expect.stringMatching(/^Unknown tool: bookmarks.removexx/)],
    ['bookmarks.search', expect.stringContaining('limit')]
  ])
  expect(Math.max(...listed.map(({ refused }) => refused?.length ?? 0))).toBeLessThanOrEqual(200)
})

test('a refused insert is listed without results and with nothing to undo', async () => {
  const { insert, calls } = await ledger({ readOnly: true })
  await insert('https://a.example/')
  expect(await calls(1)).toMatchObject([
    { tool: 'bookmarks.insert', results: 0, undoable: 0, refused: expect.stringContaining('read-only'), saved: [] }
  ])
})

test('calls with a revoked key are listed once a minute, with the name of their client', async () => {
  const { clock, initialize, revoke, calls } = await ledger()
  await revoke()
  for (let count = 0; count < 5; count++) await initialize({})
  clock.time += 60_000
  await initialize({})
  const refused = { tool: '', client: 'agent/1', refused: 'The key is revoked.' }
  expect(await calls(2)).toMatchObject([refused, refused])
})

test('calls with an expired key are listed', async () => {
  const { clock, initialize, calls } = await ledger({ expires: 1 })
  clock.time += DAY_MS + 1
  await initialize({})
  expect(await calls(1)).toMatchObject([{ tool: '', client: 'agent/1', refused: 'The key has expired.' }])
})

test('an insert is listed with its first five bookmarks, without purged ones', async () => {
  const { api, insert, calls } = await ledger()
  const urls = Array.from({ length: 7 }, (_, index) => `https://a.example/${index}`)
  const ids = (await insert(...urls)).bookmarks.map(({ id }: { id: string }) => id)
  const change = (kind: string) => api('POST', '/bookmarks/changes', { ids: [ids[1]], change: { kind } })
  await change('delete')
  const saved = urls.slice(0, 5).map((title, index) => ({ id: ids[index], title, inTrash: index === 1 }))
  expect(await calls(1)).toMatchObject([{ saved, savedLeft: 7 }])
  await change('purge')
  const [insertion] = await calls(1)
  expect(insertion).toMatchObject({ results: 7, savedLeft: 6 })
  expect(insertion?.saved.map(({ title }) => title)).toEqual([0, 2, 3, 4, 5].map((index) => urls[index]))
})

test('a bookmark has the key and the client that saved it, also after the key is revoked', async () => {
  const { api, service, initialize, insert, revoke } = await ledger({ name: 'Laptop' })
  await initialize(ZED)
  await insert('https://a.example/')
  await api('POST', '/bookmarks', { type: 'link', url: 'https://b.example/' })
  await revoke()
  expect((await api('GET', '/bookmarks?order=title')).body.bookmarks).toMatchObject([
    { url: 'https://a.example/', savedBy: { key: 'Laptop', client: 'Zed 9' } },
    { url: 'https://b.example/', savedBy: null }
  ])
  const { payload } = await callTool(service, await makeKey(service), 'bookmarks.search', {})
  expect(JSON.stringify(payload)).not.toMatch(/savedBy|Laptop/)
})

test('an insert is undone in one step, once, and its page can be saved again', async () => {
  const { api, insert, search, calls } = await ledger()
  await insert('https://a.example/before')
  await insert('https://a.example/1', 'https://a.example/before')
  const [insertion] = await calls(2)
  expect((await api('POST', `/calls/${insertion?.id}/undo`)).body).toEqual({ undone: 1, kept: 0 })
  expect((await search()).bookmarks).toMatchObject([{ url: 'https://a.example/before' }])
  expect(await api('POST', `/calls/${insertion?.id}/undo`)).toMatchObject(refusal(404, 'not-found', /./))
  expect(await insert('https://a.example/1')).toMatchObject({ saved: 1, existing: 0 })
  expect((await search()).total).toBe(2)
})

test.each(['0', 'x', '1.5', '99'])('undoing the unknown call %s is not found', async (id) => {
  const { api } = await ledger()
  expect((await api('POST', `/calls/${id}/undo`)).status).toBe(404)
})

test('calls are deleted after 90 days', async () => {
  const { clock, search, calls } = await ledger()
  await search()
  await calls(1)
  // A clock that jumps ahead is trusted after three days.
  clock.time += 91 * DAY_MS
  await search()
  await calls(2)
  clock.time += 3 * DAY_MS
  await search()
  await expect
    .poll(async () => (await calls(1)).map(({ at }) => at), { timeout: 5000 })
    .toEqual([clock.time, clock.time - 3 * DAY_MS].map((time) => new Date(time).toISOString()))
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

test('a search is listed with its words and filters, as the search field has them', async () => {
  const { search, calls } = await ledger()
  await search({ search: 'rust  async', tags: ['to read'], domain: 'a.example', type: 'link' })
  await search()
  expect(await calls(2)).toMatchObject([{ words: '' }, { words: 'rust async tag:to read site:a.example type:link' }])
})

test('the list of keys has the number of today’s calls of each', async () => {
  const { api, clock, service, insert, search } = await ledger()
  clock.time = new Date(2026, 0, 1, 12).getTime()
  await makeKey(service)
  const today = async () => (await api('GET', '/keys')).body.map(({ callsToday }: { callsToday: number }) => callsToday)
  await insert('https://a.example/')
  await search()
  await expect.poll(today, { timeout: 5000 }).toEqual([2, 0])
  clock.time += 12 * 3_600_000
  expect(await today()).toEqual([0, 0])
  await insert('https://b.example/')
  expect(await today()).toEqual([1, 0])
})
