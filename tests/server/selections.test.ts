import { expect, test } from 'vitest'
import { callApi, postImport, testService } from '../support/service.ts'
import { type Api, apiOf } from './api.ts'

/** More bookmarks than one batch of a change has. */
const MANY = 450

/** The API of a library with this many bookmarks, every third of them tagged `third`. */
async function shelf(count = MANY): Promise<{ api: Api; total: (query: string) => Promise<number>; csv: Csv }> {
  const service = await testService()
  const api = apiOf(service)
  async function* file() {
    const lines = Array.from({ length: count }, (_, index) => {
      const tags = index % 3 === 0 ? 'third,note' : 'note'
      return `<DT><A HREF="https://a.example/${index}" TAGS="${tags}">note ${index} of many</A>`
    })
    yield Buffer.from(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${lines.join('\n')}\n</DL>`)
  }
  expect(await (await postImport(service, file(), 'shelf')).json()).toMatchObject({ imported: count })
  return {
    api,
    total: async (query) => (await api('GET', `/bookmarks?${query}`)).body.total,
    csv: async (query) => (await callApi(service, 'GET', `/exports?format=csv&${query}`)).text()
  }
}

type Csv = (query: string) => Promise<string>

const idsOf = ({ bookmarks }: { bookmarks: { id: string }[] }) => bookmarks.map(({ id }) => id)

test('all bookmarks of a list are changed and undone in one step', async () => {
  const { api, total } = await shelf()
  const change = { kind: 'tags', add: ['new'], remove: ['third'] }
  const { body } = await api('POST', '/bookmarks/changes', { all: { tag: 'third' }, change })
  expect(body).toEqual({ changed: 150, unchanged: 0, kept: [], undo: expect.any(Number) })
  expect((await api('GET', '/tags')).body).toEqual([
    { name: 'new', bookmarks: 150 },
    { name: 'note', bookmarks: MANY }
  ])
  expect((await api('POST', `/undo/${body.undo}`)).body).toEqual({ undone: 150, kept: 0, redo: expect.any(Number) })
  expect([await total('tag=third'), await total('tag=new')]).toEqual([150, 0])
})

test('the bookmarks of an import are listed, counted and changed by its number', async () => {
  const { api, total } = await shelf(3)
  await api('POST', '/bookmarks', { type: 'link', url: 'https://b.example/' })
  const [{ id }] = (await api('GET', '/imports')).body
  expect(await total(`import=${id}`)).toBe(3)
  const all = { import: String(id) }
  expect((await api('POST', '/bookmarks/selections', { all })).body).toMatchObject({ total: 3 })
  await api('POST', '/bookmarks/changes', { all, change: { kind: 'delete' } })
  expect([await total(`import=${id}`), await total('')]).toEqual([0, 1])
})

test.for([
  ['tag=thrid', { tag: 'thrid' }],
  ['words=tag:thrid', { words: 'tag:thrid' }],
  ['words=tga:third', { words: 'tga:third' }],
  ['words=ещку', { words: 'ещку' }]
] as const)('changes and exports of ?%s are of what its list shows, which is corrected', async ([query, all]) => {
  const { api, total, csv } = await shelf(6)
  await api('POST', '/bookmarks', { type: 'link', url: 'https://b.example/', title: 'tore' })
  const shown = await total(encodeURI(query))
  expect(shown).toBeGreaterThan(0)
  expect((await api('POST', '/bookmarks/selections', { all })).body).toMatchObject({ total: shown })
  const lines = (await csv(encodeURI(query))).trim().split('\n')
  expect(lines).toHaveLength(1 + shown)
  const { body } = await api('POST', '/bookmarks/changes', { all, change: { kind: 'delete' } })
  expect(body.changed).toBe(shown)
})

test('the undo of a step of many batches leaves out what was purged since', async () => {
  const { api, total } = await shelf()
  const { body } = await api('POST', '/bookmarks/changes', { all: {}, change: { kind: 'delete' } })
  expect(body.changed).toBe(MANY)
  const ids = idsOf((await api('GET', '/bookmarks?trash=true&limit=1')).body)
  await api('POST', '/bookmarks/changes', { ids, change: { kind: 'purge' } })
  expect((await api('POST', `/undo/${body.undo}`)).body).toMatchObject({ undone: MANY - 1, kept: 0 })
  expect(await total('limit=1')).toBe(MANY - 1)
})

test('a change leaves out exceptions and bookmarks that do not match, and restores all of the trash', async () => {
  const { api, total } = await shelf()
  const except = idsOf((await api('GET', '/bookmarks?limit=2')).body)
  const all = { words: 'note many' }
  expect((await api('POST', '/bookmarks/selections', { all, except })).body).toMatchObject({ total: MANY - 2 })
  const change = async (request: object) => (await api('POST', '/bookmarks/changes', request)).body
  await change({ all, except, change: { kind: 'delete' } })
  expect(await total('limit=1')).toBe(2)
  const restored = await change({ all: { trash: 'true' }, except: [], change: { kind: 'restore' } })
  expect(restored.changed).toBe(MANY - 2)
  const none = await change({ all: { words: 'absent' }, change: { kind: 'delete' } })
  expect(none).toEqual({ changed: 0, unchanged: 0, kept: [], undo: null })
})

test('the last word of a selection is unfinished if the list treats it so', async () => {
  const { api } = await shelf(30)
  const total = async (typing: string) =>
    (await api('POST', '/bookmarks/selections', { all: { words: 'note man', typing } })).body.total
  expect([await total('true'), await total('false')]).toEqual([30, 0])
})

test('a selection has its total, its tags with their counts and its pages', async () => {
  const { api } = await shelf(9)
  const select = async (selection: object) => (await api('POST', '/bookmarks/selections', selection)).body
  const tags = [
    { name: 'note', bookmarks: 9 },
    { name: 'third', bookmarks: 3 }
  ]
  const whole = await select({ all: {} })
  expect(whole).toEqual({ total: 9, tags, pages: expect.any(Array) })
  const urls = Array.from({ length: 9 }, (_, index) => `https://a.example/${index}`)
  expect(whole.pages.map(({ url }: { url: string }) => url)).toEqual(urls)
  const { bookmarks } = (await api('GET', '/bookmarks?tag=third')).body
  const ids = idsOf({ bookmarks })
  expect(await select({ all: {}, except: ids })).toEqual({
    total: 6,
    tags: [{ name: 'note', bookmarks: 6 }],
    pages: whole.pages.filter(({ id }: { id: string }) => !ids.includes(id))
  })
  const text = (await api('POST', '/bookmarks', { type: 'text', content: 'no address' })).body.bookmark
  expect(await select({ ids: [ids[0], text.id, 'gone'] })).toEqual({
    total: 2,
    tags: [
      { name: 'note', bookmarks: 1 },
      { name: 'third', bookmarks: 1 }
    ],
    pages: [{ id: ids[0], url: bookmarks[0].url }]
  })
})

test('a running change reports its progress, and a cancelled one can be undone', async () => {
  const { api, total } = await shelf(3000)
  const changing = api('POST', '/bookmarks/changes?name=mine', { all: {}, change: { kind: 'delete' } })
  expect(await progress(api, 'mine')).toMatchObject({ total: 3000 })
  await api('POST', '/work/mine/cancel')
  const { changed, undo, cancelled } = (await changing).body
  expect({ cancelled, isPart: changed > 0 && changed < 3000 }).toEqual({ cancelled: true, isPart: true })
  expect(await total('limit=1')).toBe(3000 - changed)
  expect((await api('POST', `/undo/${undo}`)).body).toMatchObject({ undone: changed, kept: 0 })
  expect(await total('limit=1')).toBe(3000)
  expect((await api('GET', '/work/mine')).body.error).toMatchObject({ code: 'not-found' })
})

test('emptying the trash and undoing an import can be cancelled and continued', async () => {
  const { api, total } = await shelf(3000)
  const [{ id }] = (await api('GET', '/imports')).body
  const undoing = api('POST', `/imports/${id}/undo?name=undo`)
  await progress(api, 'undo')
  await api('POST', '/work/undo/cancel')
  const part = (await undoing).body
  expect(part).toMatchObject({ cancelled: true, kept: 0 })
  expect((await api('POST', `/imports/${id}/undo`)).body.undone).toBe(3000 - part.undone)
  const emptying = api('DELETE', '/trash?name=empty')
  await progress(api, 'empty')
  await api('POST', '/work/empty/cancel')
  const { purged } = (await emptying).body
  expect(purged).toBeGreaterThan(0)
  expect(await total('trash=true')).toBe(3000 - purged)
})

test('an exported file has the selected bookmarks only', async () => {
  const { api, csv } = await shelf(9)
  const [first, second] = idsOf((await api('GET', '/bookmarks')).body)
  const countRows = async (selection: object) => {
    const text = await csv(`ticket=${(await api('POST', '/exports/tickets', selection)).body.ticket}`)
    return text.trim().split('\n').length - 1
  }
  const counts = [await countRows({ ids: [first, second] }), await countRows({ except: [first] }), await countRows({})]
  expect(counts).toEqual([2, 8, 9])
})

test.for([
  ['without bookmarks', { ids: [] }],
  ['of the trash with filters', { all: { trash: 'true', tag: 'x' } }],
  ['of an unknown organization', { all: { organization: 'none' } }],
  ['by ids and by a list at once', { ids: ['x'], all: {} }]
] as const)('a selection %s is refused', async ([, selection]) => {
  const { api, total } = await shelf(1)
  expect((await api('POST', '/bookmarks/selections', selection)).body.error).toBeDefined()
  expect(
    (await api('POST', '/bookmarks/changes', { ...selection, change: { kind: 'delete' } })).body.error
  ).toBeDefined()
  expect(await total('limit=1')).toBe(1)
})

/** Waits until named work has done something. */
async function progress(api: Api, name: string): Promise<{ total: number }> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const { body } = await api('GET', `/work/${name}`)
    if (body.done > 0) return body
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error(`The work ${name} never began.`)
}
