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
import { callApi, callTool, makeKey, noKeychain, testService } from '../../support/service.ts'
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

// What saving each page says: a page its owner already has is existing, somebody else's is news.
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

  const held: readonly string[] = existingFor[key]
  const pairs = BOOKMARKS.map((bookmark) => ({ bookmark, status: held.includes(bookmark) ? 'existing' : 'saved' }))

  test.each(pairs)('a page that is already there, $bookmark, is told $status', async ({ bookmark, status }) => {
    const { service, secret, rows } = library
    const { payload } = await callTool(service, secret, 'bookmarks.insert', { urls: PAGES[bookmark] })
    expect(payload).toMatchObject({ bookmarks: [{ url: PAGES[bookmark], status }] })
    const copies = rows().filter(({ url }) => url === PAGES[bookmark])
    expect(copies).toHaveLength(status === 'saved' ? 2 : 1)
    if (status === 'saved') expect(copies[0]).toMatchObject(PLACED[key])
  })
})

test.each(Object.entries(PLACED))('what %s saves is placed as %o', async (key, placed) => {
  const { service, secret, rows } = await testLibrary(key as KeyKind)
  const { payload } = await callTool(service, secret, 'bookmarks.insert', { urls: NEW })
  expect(payload).toMatchObject({ saved: 1 })
  expect(rows()).toContainEqual(expect.objectContaining({ url: NEW, ...placed }))
})

test.each([
  ['a profile key', 'public', null],
  ['a key of organization A', 'organization', 'A']
] as const)('with public as the default, what %s saves is %s', async (key, visibility, organization) => {
  const { service, secret, rows } = await testLibrary(key, { defaultVisibility: 'public' })
  await callTool(service, secret, 'bookmarks.insert', { urls: NEW })
  expect(rows()).toContainEqual(expect.objectContaining({ url: NEW, visibility, organization }))
})

test('a read-only key that inserts is told which right it lacks, and nothing is written', async () => {
  const { service, secret, rows } = await testLibrary('a read-only profile key')
  const answer = await callTool(service, secret, 'bookmarks.insert', { urls: NEW })
  expect(answer).toMatchObject({ status: 200, isError: true, payload: { error: { code: 'forbidden' } } })
  expect(answer.payload.error.message).toMatch(/read-only.*insert/)
  expect(rows()).toHaveLength(BOOKMARKS.length)
})

test('a read-only key of an organization sees what the organization sees and saves nothing', async () => {
  const { service, rows } = await testLibrary('a profile key')
  const secret = await makeKey(service, { organization: 'A', readOnly: true })
  expect((await callTool(service, secret, 'bookmarks.search', {})).payload.total).toBe(2)
  expect(await callTool(service, secret, 'bookmarks.insert', { urls: NEW })).toMatchObject({ isError: true })
  expect(rows()).toHaveLength(BOOKMARKS.length)
})

test.each(['an expired key', 'a revoked key'] as const)('%s saves nothing', async (key) => {
  const { service, secret, rows } = await testLibrary(key)
  expect((await callTool(service, secret, 'bookmarks.insert', { urls: NEW })).status).toBe(401)
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

test('malformed, unknown, expired and revoked keys get the same answer', async () => {
  const expired = await testLibrary('an expired key')
  const revoked = await testLibrary('a revoked key')
  const other = await testService()
  const unknown = await makeKey(other)
  const answers = await Promise.all([
    refusalOf(expired.service, expired.secret),
    refusalOf(revoked.service, revoked.secret),
    refusalOf(revoked.service, unknown),
    refusalOf(revoked.service, 'emk_nonsense'),
    refusalOf(revoked.service, '')
  ])
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toMatch(/^401 /)
})

describe('a key never learns of what it may not see:', () => {
  test('the total counts only what it may see', async () => {
    const { service, secret } = await testLibrary('a key of organization A')
    const { payload } = await callTool(service, secret, 'bookmarks.search', { search: 'page' })
    expect(payload).toMatchObject({ total: 2, hasMore: false })
  })

  test.each(['private', 'organization', 'public'])('the total of visibility %s is its own', async (visibility) => {
    const { service, secret } = await testLibrary('a key of organization A')
    const { payload } = await callTool(service, secret, 'bookmarks.search', { visibility })
    expect(payload.total).toBe({ private: 0, organization: 1, public: 1 }[visibility])
  })

  test('a hint does not say that a hidden bookmark would match without the filter', async () => {
    const { service, secret } = await testLibrary('a key of organization A')
    const args = { search: 'private', tags: ['hidden'], domain: 'nowhere.example' }
    const { payload } = await callTool(service, secret, 'bookmarks.search', args)
    const hint = 'No bookmark has the tag “hidden”.'
    expect(payload).toEqual({ total: 0, page: 1, limit: 5, hasMore: false, hint, bookmarks: [] })
  })

  test('a hint counts only what it may see', async () => {
    const { service, secret } = await testLibrary('a key of organization A')
    const { payload } = await callTool(service, secret, 'bookmarks.search', { search: 'page', tags: 'hidden' })
    expect(payload.hint).toContain('2 bookmarks match')
  })

  test('its answer for a hidden tag is that for a tag nobody has', async () => {
    const { service, secret } = await testLibrary('a key of organization A')
    const hidden = await callTool(service, secret, 'bookmarks.search', { tags: 'hidden' })
    const unknown = await callTool(service, secret, 'bookmarks.search', { tags: 'nobody' })
    expect(hidden.payload.hint.replace('hidden', 'nobody')).toBe(unknown.payload.hint)
  })

  test('a bookmark it sees does not name the organization’s other keys, nor a row id', async () => {
    const { service, secret } = await testLibrary('a key of organization A')
    const { payload } = await callTool(service, secret, 'bookmarks.search', { domain: 'a.example' })
    const fields = 'createdAt,description,domain,id,tags,title,type,url,visibility'
    expect(Object.keys(payload.bookmarks[0]).sort().join()).toBe(fields)
    expect(payload.bookmarks[0].id).toMatch(/^[\w-]{16}$/)
  })

  test('a page the owner holds privately is saved for it, under an id of its own', async () => {
    const { service, secret, rows } = await testLibrary('a key of organization A')
    const { payload } = await callTool(service, secret, 'bookmarks.insert', { urls: PAGES.private })
    expect(payload).toMatchObject({ saved: 1, existing: 0 })
    const copies = rows().filter(({ url }) => url === PAGES.private)
    expect(copies.map(({ visibility }) => visibility).sort()).toEqual(['organization', 'private'])
    expect(copies.find(({ visibility }) => visibility === 'private')?.id).not.toBe(payload.bookmarks[0].id)
  })
})

describe('when a key was last used', () => {
  test('is written down within seconds, with the client’s name', async () => {
    const clock = { time: START }
    const service = await testService({ now: () => clock.time })
    const secret = await makeKey(service)
    expect(await listed(service)).toMatchObject({ lastUsedAt: null, lastClient: null })
    clock.time += DAY_MS
    await searchAs(service, secret, 'Editor/1.0')
    const used = { lastUsedAt: new Date(clock.time).toISOString(), lastClient: 'Editor/1.0' }
    await vi.waitFor(async () => expect(await listed(service)).toMatchObject(used), { timeout: 4000, interval: 50 })
  })

  test('is written down when the service closes', async () => {
    const data = tempFolder()
    const service = await openAt(data)
    const secret = await makeKey(service)
    await searchAs(service, secret, 'Editor/1.0')
    await service.close()
    const again = await testService({ data })
    expect(await listed(again)).toMatchObject({ lastUsedAt: expect.any(String), lastClient: 'Editor/1.0' })
  })

  test('does not count what was refused', async () => {
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

/** Where the libraries of this file lie. `seed` has one bookmark of each kind; every test works on a copy. */
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

async function refusalOf(service: Service, secret: string): Promise<string> {
  const response = await searchAs(service, secret, 'any')
  return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`
}

async function listed(service: Service): Promise<{ id: string }> {
  const [key] = (await (await callApi(service, 'GET', '/keys')).json()) as [{ id: string }]
  return key
}
