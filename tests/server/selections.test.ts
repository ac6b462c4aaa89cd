import { expect, test } from 'vitest'
import { callApi, postImport, testService } from '../support/service.ts'

/** More than are changed in one part. */
const MANY = 450

/** A library of so many bookmarks, every third tagged `third`, and a way to ask it. */
async function shelf(count = MANY) {
  const service = await testService()
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
  const ask = async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await callApi(service, method, path, body)
    const text = await response.text()
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
  }
  const lines = Array.from({ length: count }, (_, index) => {
    const tags = index % 3 === 0 ? 'third,note' : 'note'
    return `<DT><A HREF="https://a.example/${index}" TAGS="${tags}">note ${index} of many</A>`
  })
  const file = Buffer.from(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${lines.join('\n')}\n</DL>`)
  const response = await postImport(service, pieces(file), 'shelf')
  expect(await response.json()).toMatchObject({ imported: count })
  return { service, ask }
}

async function* pieces(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file
}

const totalOf = async (ask: (method: string, path: string) => Promise<{ total: number }>, query: string) =>
  (await ask('GET', `/bookmarks?${query}`)).total

test('all that a list shows is changed as one step, and taken back as one', async () => {
  const { ask } = await shelf()
  const changed = await ask('POST', '/bookmarks/changes', {
    all: { tag: 'third' },
    change: { kind: 'tags', add: ['new'], remove: ['third'] }
  })
  expect(changed).toEqual({ changed: 150, unchanged: 0, kept: [], undo: expect.any(Number) })
  expect(await ask('GET', '/tags')).toEqual([
    { name: 'new', bookmarks: 150 },
    { name: 'note', bookmarks: MANY }
  ])
  expect(await ask('POST', `/undo/${changed.undo}`)).toEqual({ undone: 150, kept: 0, redo: expect.any(Number) })
  expect(await totalOf(ask, 'tag=third')).toBe(150)
  expect(await totalOf(ask, 'tag=new')).toBe(0)
})

test('a step of many parts is taken back whole, but for what was changed since', async () => {
  const { ask } = await shelf()
  const { undo, changed } = await ask('POST', '/bookmarks/changes', { all: {}, change: { kind: 'delete' } })
  expect(changed).toBe(MANY)
  const { bookmarks } = await ask('GET', '/bookmarks?trash=true&limit=1')
  await ask('POST', '/bookmarks/changes', { ids: [bookmarks[0].id], change: { kind: 'purge' } })
  expect(await ask('POST', `/undo/${undo}`)).toEqual({ undone: MANY - 1, kept: 0, redo: expect.any(Number) })
  expect(await totalOf(ask, 'limit=1')).toBe(MANY - 1)
})

test('those left out, the trash and what words do not find stay as they are', async () => {
  const { ask } = await shelf()
  const { bookmarks } = await ask('GET', '/bookmarks?limit=2')
  const except = bookmarks.map(({ id }: { id: string }) => id)
  const all = { words: 'note many' }
  expect(await ask('POST', '/bookmarks/selections', { all, except })).toMatchObject({ total: MANY - 2 })
  await ask('POST', '/bookmarks/changes', { all, except, change: { kind: 'delete' } })
  expect(await totalOf(ask, 'limit=1')).toBe(2)
  const restored = await ask('POST', '/bookmarks/changes', {
    all: { trash: 'true' },
    except: [],
    change: { kind: 'restore' }
  })
  expect(restored.changed).toBe(MANY - 2)
  const none = await ask('POST', '/bookmarks/changes', { all: { words: 'absent' }, change: { kind: 'delete' } })
  expect(none).toEqual({ changed: 0, unchanged: 0, kept: [], undo: null })
})

test('the last word is the beginning of one where the list took it as one', async () => {
  const { ask } = await shelf(30)
  const total = async (typing: string) =>
    (await ask('POST', '/bookmarks/selections', { all: { words: 'note man', typing } })).total
  expect([await total('true'), await total('false')]).toEqual([30, 0])
})

test('a selection says which tags it has on all of it and on some, and where it leads', async () => {
  const { ask } = await shelf(9)
  const tags = [
    { name: 'note', bookmarks: 9 },
    { name: 'third', bookmarks: 3 }
  ]
  const whole = await ask('POST', '/bookmarks/selections', { all: {} })
  expect(whole).toEqual({ total: 9, tags, pages: expect.any(Array) })
  expect(whole.pages.map(({ url }: { url: string }) => url)).toEqual(
    Array.from({ length: 9 }, (_, index) => `https://a.example/${index}`)
  )
  const { bookmarks } = await ask('GET', '/bookmarks?tag=third')
  const ids = bookmarks.map(({ id }: { id: string }) => id)
  expect(await ask('POST', '/bookmarks/selections', { all: {}, except: ids })).toEqual({
    total: 6,
    tags: [{ name: 'note', bookmarks: 6 }],
    pages: whole.pages.filter(({ id }: { id: string }) => !ids.includes(id))
  })
  const text = await ask('POST', '/bookmarks', { type: 'text', content: 'no address' })
  expect(await ask('POST', '/bookmarks/selections', { ids: [ids[0], text.bookmark.id, 'gone'] })).toEqual({
    total: 2,
    tags: [
      { name: 'note', bookmarks: 1 },
      { name: 'third', bookmarks: 1 }
    ],
    pages: [{ id: ids[0], url: bookmarks[0].url }]
  })
})

test('a change under way says how far it is, can be stopped, and what was done until then can be taken back', async () => {
  const { ask } = await shelf(3000)
  const changing = ask('POST', '/bookmarks/changes?name=mine', { all: {}, change: { kind: 'delete' } })
  const seen = await waitFor(async () => {
    const progress = await ask('GET', '/work/mine')
    return progress.done > 0 ? progress : undefined
  })
  expect(seen.total).toBe(3000)
  await ask('POST', '/work/mine/cancel')
  const { changed, undo, cancelled } = await changing
  expect({ cancelled, some: changed > 0 && changed < 3000 }).toEqual({ cancelled: true, some: true })
  expect(await totalOf(ask, 'limit=1')).toBe(3000 - changed)
  expect(await ask('POST', `/undo/${undo}`)).toEqual({ undone: changed, kept: 0, redo: expect.any(Number) })
  expect(await totalOf(ask, 'limit=1')).toBe(3000)
  expect((await ask('GET', '/work/mine')).error).toMatchObject({ code: 'not-found' })
})

test('an emptying of the trash and an undoing of an import can be stopped; what is left can be gone on with', async () => {
  const { ask } = await shelf(3000)
  const [{ id }] = await ask('GET', '/imports')
  const undoing = ask('POST', `/imports/${id}/undo?name=undo`)
  await begun(ask, 'undo')
  await ask('POST', '/work/undo/cancel')
  const part = await undoing
  expect(part).toMatchObject({ cancelled: true, kept: 0 })
  expect((await ask('POST', `/imports/${id}/undo`)).undone).toBe(3000 - part.undone)
  const emptying = ask('DELETE', '/trash?name=empty')
  await begun(ask, 'empty')
  await ask('POST', '/work/empty/cancel')
  const { purged } = await emptying
  expect(purged).toBeGreaterThan(0)
  expect(await totalOf(ask, 'trash=true')).toBe(3000 - purged)
})

test('a file holds what is selected and nothing else', async () => {
  const { ask } = await shelf(9)
  const { bookmarks } = await ask('GET', '/bookmarks')
  const [one, two] = bookmarks.map(({ id }: { id: string }) => id)
  const linesOf = async (selection: object) => {
    const { ticket } = await ask('POST', '/exports/tickets', selection)
    const text: string = await ask('GET', `/exports?format=csv&ticket=${ticket}`)
    return text.trim().split('\n').length - 1
  }
  expect([await linesOf({ ids: [one, two] }), await linesOf({ except: [one] }), await linesOf({})]).toEqual([2, 8, 9])
})

test.for([
  ['a selection of nothing', { ids: [] }],
  ['the trash with filters', { all: { trash: 'true', tag: 'x' } }],
  ['an organization that is not there', { all: { organization: 'none' } }],
  ['both ways at once', { ids: ['x'], all: {} }]
] as const)('%s is refused', async ([, selection]) => {
  const { ask } = await shelf(1)
  expect((await ask('POST', '/bookmarks/selections', selection)).error).toBeDefined()
  const change = { kind: 'delete' }
  expect((await ask('POST', '/bookmarks/changes', { ...selection, change })).error).toBeDefined()
  expect(await totalOf(ask, 'limit=1')).toBe(1)
})

async function begun(ask: (method: string, path: string) => Promise<{ done?: number }>, name: string): Promise<void> {
  await waitFor(async () => ((await ask('GET', `/work/${name}`)).done ?? 0) > 0 || undefined)
}

async function waitFor<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const seen = await look()
    if (seen !== undefined) return seen
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error('It never came.')
}
