import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Bookmark, Placement } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { Settings } from '../../../src-main/contract/settings.ts'
import { startNodeProcess } from '../../../src-main/host/child-process.ts'
import { openService, type Service } from '../../../src-main/service.ts'
import { openReadConnection } from '../../../src-main/store/connection.ts'
import { openLibrary } from '../../../src-main/store/open-library.ts'
import { searchBookmarks } from '../../../src-main/store/search/searches.ts'
import { noKeychain } from '../../support/no-keychain.ts'
import { callApi, callTool, makeKey, testService } from '../../support/service.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { link, START } from '../ports.ts'

const DAY_MS = 86_400_000

const BOOKMARKS = ['private', 'of A', 'of B', 'public'] as const
const PAGES = {
  private: 'https://private.example/page',
  'of A': 'https://a.example/page',
  'of B': 'https://b.example/page',
  public: 'https://public.example/page'
} as const

const KEYS = {
  'a profile key': {},
  'a key of organization A': { organization: 'A' },
  'a key of organization B': { organization: 'B' },
  'a read-only profile key': { readOnly: true },
  'an expired key': { expires: 1 },
  'a revoked key': { revoked: true }
} as const
type KeyKind = keyof typeof KEYS

const ALL = [...BOOKMARKS]
const SEES = {
  'a profile key': ALL,
  'a key of organization A': ['of A', 'public'],
  'a key of organization B': ['of B', 'public'],
  'a read-only profile key': ALL,
  'an expired key': 'refused',
  'a revoked key': 'refused'
} as const satisfies Record<KeyKind, readonly (typeof BOOKMARKS)[number][] | 'refused'>

describe.each(Object.keys(KEYS) as KeyKind[])('%s', (key) => {
  let library: LibraryWithKey
  beforeAll(async () => {
    library = await libraryWithKey(key)
  })
  afterAll(() => library.service.close())

  const sees: readonly string[] | 'refused' = SEES[key]
  const pairs = BOOKMARKS.map((bookmark) => {
    return { bookmark, outcome: sees === 'refused' ? 'is refused' : sees.includes(bookmark) ? 'finds' : 'misses' }
  })

  test.each(pairs)('$outcome a bookmark that is $bookmark', async ({ bookmark, outcome }) => {
    const { service, secret } = library
    const found = await callTool(service, secret, 'bookmarks.search', { domain: new URL(PAGES[bookmark]).host })
    if (outcome === 'is refused') {
      expect(found.status).toBe(401)
    } else {
      const urls = outcome === 'finds' ? [PAGES[bookmark]] : []
      expect(found.payload).toMatchObject({ total: urls.length, bookmarks: urls.map((url) => ({ url })) })
    }
  })
})

// A page that the key's owner already has is existing; a page of another owner is new.
const NEW = 'https://new.example/page'
const existingFor = {
  'a profile key': ['private', 'public'],
  'a key of organization A': ['of A'],
  'a key of organization B': ['of B']
} as const
const PLACED = {
  'a profile key': { visibility: 'private', organization: null },
  'a key of organization A': { visibility: 'organization', organization: 'A' },
  'a key of organization B': { visibility: 'organization', organization: 'B' }
} as const

describe.each(Object.keys(existingFor) as (keyof typeof existingFor)[])('%s that saves', (key) => {
  let library: LibraryWithKey
  beforeAll(async () => {
    library = await libraryWithKey(key)
  })
  afterAll(() => library.service.close())

  const existing: readonly string[] = existingFor[key]
  const pairs = BOOKMARKS.map((bookmark) => ({ bookmark, status: existing.includes(bookmark) ? 'existing' : 'saved' }))

  test.each(pairs)('reports a page that is $bookmark as $status', async ({ bookmark, status }) => {
    const { service, secret, rows } = library
    const { payload } = await callTool(service, secret, 'bookmarks.insert', { urls: PAGES[bookmark] })
    expect(payload).toMatchObject({ bookmarks: [{ url: PAGES[bookmark], status }] })
    const copies = rows().filter(({ url }) => url === PAGES[bookmark])
    expect(copies).toHaveLength(status === 'saved' ? 2 : 1)
    if (status === 'saved') expect(copies[0]).toMatchObject(PLACED[key])
  })
})

test.each([
  ['a profile key', {}, 'private', null],
  ['a profile key', { defaultVisibility: 'public' }, 'public', null],
  ['a key of organization A', {}, 'organization', 'A'],
  ['a key of organization A', { defaultVisibility: 'public' }, 'organization', 'A']
] as const)('what %s saves with the settings %j is %s', async (key, settings, visibility, organization) => {
  const { service, secret, rows } = await testLibrary(key, settings)
  await callTool(service, secret, 'bookmarks.insert', { urls: NEW })
  expect(rows()).toContainEqual(expect.objectContaining({ url: NEW, visibility, organization }))
})

test('a read-only key of an organization sees what the organization sees and saves nothing', async () => {
  const { service, rows } = await testLibrary('a profile key')
  const secret = await makeKey(service, { organization: 'A', readOnly: true })
  expect((await callTool(service, secret, 'bookmarks.search', {})).payload.total).toBe(2)
  expect(await callTool(service, secret, 'bookmarks.insert', { urls: NEW })).toMatchObject({ isError: true })
  expect(rows()).toHaveLength(BOOKMARKS.length)
})

test('a key ends exactly when its days are over', async () => {
  const clock = { time: START }
  const service = await testService({ now: () => clock.time })
  const secret = await makeKey(service, { expires: 2 })
  clock.time = START + 2 * DAY_MS - 1
  expect((await callTool(service, secret, 'bookmarks.search', {})).status).toBe(200)
  clock.time = START + 2 * DAY_MS
  expect((await callTool(service, secret, 'bookmarks.search', {})).status).toBe(401)
})

test('revoking a key ends it with its next request, and leaves other keys alone', async () => {
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
    const { service, secret } = await testLibrary('a key of organization A')
    const search = async (args: object) => (await callTool(service, secret, 'bookmarks.search', args)).payload
    expect(await search({ search: 'page' })).toMatchObject({ total: 2, hasMore: false })
    const hidden = await search({ search: 'private', tags: ['hidden'], domain: 'nowhere.example' })
    expect(hidden).toMatchObject({ total: 0, hint: 'No bookmark has the tag “hidden”.' })
  })

  test('gets bookmarks without the names of other keys and without row ids', async () => {
    const { service, secret } = await testLibrary('a key of organization A')
    const { payload } = await callTool(service, secret, 'bookmarks.search', { domain: 'a.example' })
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

  test('is the only caller for whom a page in the trash is not restored', async () => {
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
    expect(await listed(service)).toMatchObject({ lastUsedAt: null, lastClient: null })
    clock.time += DAY_MS
    await searchAs(service, secret, 'Editor/1.0')
    const used = { lastUsedAt: new Date(clock.time).toISOString(), lastClient: 'Editor/1.0' }
    await vi.waitFor(async () => expect(await listed(service)).toMatchObject(used), { timeout: 4000, interval: 50 })
  })

  test('is stored when the service closes', async () => {
    const data = tempFolder()
    const service = await openAt(data)
    const secret = await makeKey(service)
    await searchAs(service, secret, 'Editor/1.0')
    await service.close()
    const again = await testService({ data })
    expect(await listed(again)).toMatchObject({ lastUsedAt: expect.any(String), lastClient: 'Editor/1.0' })
  })

  test('does not include refused calls', async () => {
    const data = tempFolder()
    const service = await openAt(data)
    const secret = await makeKey(service)
    const { id } = await listed(service)
    await callApi(service, 'DELETE', `/keys/${id}`)
    await searchAs(service, secret, 'Editor/1.0')
    await service.close()
    const again = await testService({ data })
    expect(await listed(again)).toMatchObject({ lastUsedAt: null, lastClient: null })
  })
})

const PLACEMENTS: [keyof typeof PAGES, Placement['visibility'], 'A' | 'B' | null][] = [
  ['private', 'private', null],
  ['of A', 'organization', 'A'],
  ['of B', 'organization', 'B'],
  ['public', 'public', null]
]

/** The folder of this file's libraries. `seed` has one bookmark of each kind; every test works on a copy. */
let folder = ''
let copies = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earmark-permissions-'))
  const seed = join(folder, 'seed')
  mkdirSync(seed)
  const library = await openLibrary(seed)
  const owners = {
    A: (await library.createOrganization('A', START)).rowId,
    B: (await library.createOrganization('B', START)).rowId
  }
  for (const [bookmark, visibility, organization] of PLACEMENTS) {
    const placement = { owner: organization && owners[organization], visibility, savedAt: START }
    const tags = [bookmark === 'private' ? 'hidden' : 'shown']
    await library.saveBookmarks(placement, [link(PAGES[bookmark], { title: bookmark, tags })])
  }
  await library.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type LibraryWithKey = Awaited<ReturnType<typeof libraryWithKey>>

/** A service on a copy of the seed, and a key. `rows` is everything the library holds, newest first. */
async function libraryWithKey(kind: KeyKind, settings: Partial<Settings> = {}) {
  const data = join(folder, String(++copies))
  cpSync(join(folder, 'seed'), data, { recursive: true })
  if (settings.defaultVisibility) await changeSettings(data, settings)
  const clock = { time: START }
  const service = await openAt(data, () => clock.time)
  const { revoked, ...request } = { revoked: false, ...KEYS[kind] }
  const response = await callApi(service, 'POST', '/keys', { name: kind, ...request })
  const { id, key: secret } = (await response.json()) as { id: string; key: string }
  if (revoked) await callApi(service, 'DELETE', `/keys/${id}`)
  if (kind === 'an expired key') clock.time += DAY_MS
  return { service, secret, rows: () => readRows(data) }
}

/** The same, closed after the test. */
async function testLibrary(kind: KeyKind, settings: Partial<Settings> = {}): Promise<LibraryWithKey> {
  const library = await libraryWithKey(kind, settings)
  onTestFinished(() => library.service.close())
  return library
}

async function changeSettings(data: string, settings: Partial<Settings>): Promise<void> {
  const library = await openLibrary(data)
  await library.writeSettings(settings)
  await library.close()
}

function readRows(data: string): Bookmark[] {
  const db = openReadConnection(join(data, 'library.sqlite'))
  const { bookmarks } = searchBookmarks(db, PROFILE, { page: 1, limit: 100 })
  db.close()
  return bookmarks
}

/** A service that may be closed in the middle of a test. A bug it reports fails its closing. */
async function openAt(data: string, now: () => number = Date.now): Promise<Service> {
  const bugs: unknown[] = []
  const onBug = (error: unknown) => bugs.push(error)
  const service = await openService({
    data,
    version: '0.0.0-test',
    dashboard: data,
    startProcess: startNodeProcess,
    keychain: noKeychain,
    inPlace: true,
    onBug,
    now
  })
  return {
    ...service,
    async close() {
      await service.close()
      if (bugs.length > 0) throw bugs[0]
    }
  }
}

async function searchAs(service: Service, secret: string, client: string): Promise<Response> {
  return service.fetch(
    new Request('http://127.0.0.1/api/tools/mcp', {
      method: 'POST',
      headers: { 'x-api-key': secret, 'content-type': 'application/json', 'user-agent': client },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    })
  )
}

async function listed(service: Service): Promise<{ id: string }> {
  const [key] = (await (await callApi(service, 'GET', '/keys')).json()) as [{ id: string }]
  return key
}
