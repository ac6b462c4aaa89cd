import { describe, expect, test, vi } from 'vitest'
import type { Service } from '../../../src-main/service.ts'
import { callApi, callTool, makeKey, testService } from '../../support/service.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { START } from '../ports.ts'

const DAY_MS = 86_400_000

/** One bookmark of each kind, by the place where its owner saved it. */
const PLACES = {
  private: {},
  'of A': { organization: 'A' },
  'of B': { organization: 'B' },
  public: { visibility: 'public' }
}
type Kind = keyof typeof PLACES
const KINDS = Object.keys(PLACES) as Kind[]
const urlOf = (kind: Kind) => `https://${kind.replace('of ', '').toLowerCase()}.example/page`

/** A service with one bookmark of each kind. */
async function library(
  options: Parameters<typeof testService>[0] = {},
  afterwards?: Parameters<typeof testService>[1]
) {
  const service = await testService(options, afterwards)
  const api = async (method: string, path: string, body?: object) => {
    const text = await (await callApi(service, method, path, body)).text()
    return text === '' ? undefined : JSON.parse(text)
  }
  for (const name of ['A', 'B']) await api('POST', '/organizations', { name })
  for (const kind of KINDS) {
    const tags = [kind === 'private' ? 'hidden' : 'shown']
    await api('POST', '/bookmarks', { type: 'link', url: urlOf(kind), title: kind, tags, ...PLACES[kind] })
  }
  return {
    service,
    api,
    call: (key: string, tool: string, args: object) => callTool(service, key, `bookmarks.${tool}`, args),
    bookmarks: async (url?: string): Promise<{ url: string }[]> =>
      (await api('GET', '/bookmarks')).bookmarks.filter((bookmark: { url: string }) => !url || bookmark.url === url)
  }
}

const KEYS = {
  'a profile key': {},
  'a key of organization A': { organization: 'A' },
  'a key of organization B': { organization: 'B' },
  'a read-only profile key': { readOnly: true },
  'a read-only key of organization A': { organization: 'A', readOnly: true }
}

test.each<[keyof typeof KEYS, Kind[]]>([
  ['a profile key', KINDS],
  ['a key of organization A', ['of A', 'public']],
  ['a key of organization B', ['of B', 'public']],
  ['a read-only profile key', KINDS],
  ['a read-only key of organization A', ['of A', 'public']]
])('%s finds the bookmarks %j', async (name, kinds) => {
  const { service, call } = await library()
  const key = await makeKey(service, KEYS[name])
  for (const kind of KINDS) {
    const { payload } = await call(key, 'search', { domain: new URL(urlOf(kind)).host })
    const urls = kinds.includes(kind) ? [urlOf(kind)] : []
    expect(payload).toMatchObject({ total: urls.length, bookmarks: urls.map((url) => ({ url })) })
  }
})

// A page that the key's owner already has is existing; a page of another owner is new.
test.each<[keyof typeof KEYS, Kind[], object]>([
  ['a profile key', ['private', 'public'], { visibility: 'private', organization: null }],
  ['a key of organization A', ['of A'], { visibility: 'organization', organization: 'A' }],
  ['a key of organization B', ['of B'], { visibility: 'organization', organization: 'B' }]
])('for %s the pages %j exist, and the others are saved as %j', async (name, existing, place) => {
  const { service, call, bookmarks } = await library()
  const key = await makeKey(service, KEYS[name])
  for (const kind of KINDS) {
    const url = urlOf(kind)
    const status = existing.includes(kind) ? 'existing' : 'saved'
    expect((await call(key, 'insert', { urls: url })).payload).toMatchObject({ bookmarks: [{ url, status }] })
    const copies = await bookmarks(url)
    expect(copies).toHaveLength(status === 'saved' ? 2 : 1)
    if (status === 'saved') expect(copies[0]).toMatchObject(place)
  }
})

test.each<[keyof typeof KEYS, object]>([
  ['a profile key', { visibility: 'public', organization: null }],
  ['a key of organization A', { visibility: 'organization', organization: 'A' }]
])('with the default visibility “public”, %s saves new pages as %j', async (name, place) => {
  const { service, api, call, bookmarks } = await library()
  await api('PATCH', '/settings', { defaultVisibility: 'public' })
  await call(await makeKey(service, KEYS[name]), 'insert', { urls: 'https://new.example/' })
  expect(await bookmarks('https://new.example/')).toMatchObject([place])
})

test.each(['a read-only profile key', 'a read-only key of organization A'] as const)(
  '%s saves nothing',
  async (name) => {
    const { service, call, bookmarks } = await library()
    const insert = await call(await makeKey(service, KEYS[name]), 'insert', { urls: 'https://new.example/' })
    expect(insert).toMatchObject({ isError: true, payload: { error: { code: 'forbidden' } } })
    expect(await bookmarks()).toHaveLength(KINDS.length)
  }
)

test('a key expires exactly after its days', async () => {
  const clock = { time: START }
  const service = await testService({ now: () => clock.time })
  const secret = await makeKey(service, { expires: 2 })
  clock.time = START + 2 * DAY_MS - 1
  expect((await callTool(service, secret, 'bookmarks.search', {})).status).toBe(200)
  clock.time = START + 2 * DAY_MS
  expect((await callTool(service, secret, 'bookmarks.search', {})).status).toBe(401)
})

test('a revoked key is refused at once, other keys are not', async () => {
  const service = await testService()
  const [first, second] = [await makeKey(service), await makeKey(service)]
  expect((await callTool(service, first, 'bookmarks.search', {})).status).toBe(200)
  const [{ id }] = (await (await callApi(service, 'GET', '/keys')).json()) as [{ id: string }]
  await callApi(service, 'DELETE', `/keys/${id}`)
  expect((await callTool(service, first, 'bookmarks.search', {})).status).toBe(401)
  expect((await callTool(service, second, 'bookmarks.search', {})).status).toBe(200)
})

describe('a key of an organization', () => {
  // `tests/search/sql/search-leak.test.ts` shows for random searches that hidden bookmarks change no answer.
  test('gets totals and hints of its own bookmarks only', async () => {
    const { service, call } = await library()
    const key = await makeKey(service, KEYS['a key of organization A'])
    const search = async (args: object) => (await call(key, 'search', args)).payload
    expect(await search({ search: 'page' })).toMatchObject({ total: 2, hasMore: false })
    const hidden = await search({ search: 'private', tags: ['hidden'], domain: 'nowhere.example' })
    const hint = 'No bookmark has the tag “hidden”. No bookmark has the domain “nowhere.example”.'
    expect(hidden).toMatchObject({ total: 0, hint })
  })

  test('gets the filter that emptied its search, counted among what it may see', async () => {
    const { service, key, save } = await acmeLibrary()
    await save({ url: 'https://b.example/', title: 'Shared', organization: 'Acme' })
    await save({ url: 'https://b.example/2', title: 'Shared, but private' })
    const args = { search: 'shared', type: 'color', domain: 'b.example' }
    const { payload } = await callTool(service, key, 'bookmarks.search', args)
    expect(payload.hint).toBe('Nothing matches with type “color”; without it 1 bookmark matches.')
  })

  test('gets bookmarks without the names of other keys and without row ids', async () => {
    const { service, call } = await library()
    const key = await makeKey(service, KEYS['a key of organization A'])
    const { payload } = await call(key, 'search', { domain: 'a.example' })
    const fields = 'createdAt,description,domain,id,tags,title,type,url,visibility'
    expect(Object.keys(payload.bookmarks[0]).sort().join()).toBe(fields)
    expect(payload.bookmarks[0].id).toMatch(/^[\w-]{16}$/)
  })

  test('gets a tag in the spelling of its own bookmarks, the owner in the spelling of a private one', async () => {
    const { service, key, save } = await acmeLibrary()
    await save({ url: 'https://a.example/', tags: ['KesTRel'] })
    const id = await save({ url: 'https://b.example/', title: 'Shared', tags: ['kestrel'], organization: 'Acme' })
    for (const args of [{ search: 'shared' }, { tags: ['KESTREL'] }, { search: `id:${id}` }]) {
      const { payload } = await callTool(service, key, 'bookmarks.search', args)
      expect(payload.bookmarks).toMatchObject([{ title: 'Shared', tags: ['kestrel'] }])
    }
    const { payload } = await callTool(service, await makeKey(service), 'bookmarks.search', { search: 'shared' })
    expect(payload.bookmarks).toMatchObject([{ tags: ['KesTRel'] }])
  })

  test('gets a new bookmark for a page in its trash, whose texts stay hidden', async () => {
    const { service, key, save, change } = await acmeLibrary()
    const page = { url: 'https://a.example/', title: 'Sued by them', tags: ['secret'], organization: 'Acme' }
    const id = await save(page)
    await change(id, 'delete')
    const { payload } = await callTool(service, key, 'bookmarks.insert', { urls: page.url })
    expect(payload).toMatchObject({ saved: 1, existing: 0 })
    const saved = payload.bookmarks[0].id
    expect(saved).not.toBe(id)
    const found = await callTool(service, key, 'bookmarks.search', {})
    expect(found.payload.bookmarks).toMatchObject([{ id: saved, url: page.url }])
    expect(JSON.stringify(found.payload)).not.toMatch(/Sued|secret/)

    const list = async (query = '') =>
      ((await (await callApi(service, 'GET', `/bookmarks${query}`)).json()) as { bookmarks: { id: string }[] })
        .bookmarks
    expect(await list('?trash=true')).toMatchObject([{ id, title: 'Sued by them' }])
    await change(id, 'restore')
    expect((await list()).map((bookmark) => bookmark.id).sort()).toEqual([id, saved].sort())

    // After the new bookmark is purged, the restored one is the page's only bookmark again.
    for (const kind of ['delete', 'purge']) await change(saved, kind)
    for (const kind of ['delete', 'restore']) await change(id, kind)
    const again = await callTool(service, key, 'bookmarks.insert', { urls: page.url })
    expect(again.payload).toMatchObject({ existing: 1 })
  })

  test('differs in this from the owner and a profile key, who get the bookmark from the trash back', async () => {
    const { service, save, change } = await acmeLibrary()
    for (const place of [{ organization: 'Acme' }, {}]) {
      const page = { url: 'https://a.example/', ...place }
      const id = await save(page)
      await change(id, 'delete')
      expect(await save(page)).toBe(id)
      if ('organization' in place) continue
      await change(id, 'delete')
      const { payload } = await callTool(service, await makeKey(service), 'bookmarks.insert', { urls: page.url })
      expect(payload.bookmarks).toMatchObject([{ id, status: 'saved' }])
    }
  })

  /** A service with an organization and its key, and what its owner does there. */
  async function acmeLibrary() {
    const service = await testService()
    await callApi(service, 'POST', '/organizations', { name: 'Acme' })
    return {
      service,
      key: await makeKey(service, { organization: 'Acme' }),
      async save(page: object): Promise<string> {
        const saved = await callApi(service, 'POST', '/bookmarks', { type: 'link', ...page })
        return ((await saved.json()) as { bookmark: { id: string } }).bookmark.id
      },
      change: (id: string, kind: string) =>
        callApi(service, 'POST', '/bookmarks/changes', { ids: [id], change: { kind } })
    }
  }
})

describe('the last use of a key', () => {
  test('is stored within seconds, with the client’s name', async () => {
    const clock = { time: START }
    const service = await testService({ now: () => clock.time })
    const secret = await makeKey(service)
    expect(await onlyKey(service)).toMatchObject({ lastUsedAt: null, lastClient: null })
    clock.time += DAY_MS
    await listTools(service, secret)
    const used = { lastUsedAt: new Date(clock.time).toISOString(), lastClient: 'Editor/1.0' }
    await vi.waitFor(async () => expect(await onlyKey(service)).toMatchObject(used), { timeout: 4000, interval: 50 })
  })

  test('is stored when the service closes', async () => {
    const data = tempFolder()
    const service = await testService({ data })
    const secret = await makeKey(service)
    await listTools(service, secret)
    await service.close()
    const again = await testService({ data })
    expect(await onlyKey(again)).toMatchObject({ lastUsedAt: expect.any(String), lastClient: 'Editor/1.0' })
  })

  test('does not include refused calls', async () => {
    const data = tempFolder()
    const service = await testService({ data })
    const secret = await makeKey(service)
    const { id } = await onlyKey(service)
    await callApi(service, 'DELETE', `/keys/${id}`)
    await listTools(service, secret)
    await service.close()
    const again = await testService({ data })
    expect(await onlyKey(again)).toMatchObject({ lastUsedAt: null, lastClient: null })
  })
})

async function listTools(service: Service, key: string): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'user-agent': 'Editor/1.0' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  return service.fetch(new Request('http://127.0.0.1/api/tools/mcp', { method: 'POST', headers, body }))
}

async function onlyKey(service: Service): Promise<{ id: string }> {
  const [key] = (await (await callApi(service, 'GET', '/keys')).json()) as [{ id: string }]
  return key
}
