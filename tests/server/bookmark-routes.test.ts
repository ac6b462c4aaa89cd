import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../src-main/contract/bookmark.ts'
import type { Service } from '../../src-main/service.ts'
import { callApi, callTool, makeKey, postImport, testService } from '../support/service.ts'

/** What the API answered. */
interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  body: any
}

function caller(service: Service) {
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await callApi(service, method, path, body)
    return { status: response.status, body: await response.json() }
  }
}

const fresh = async () => caller(await testService())

/** One library for what only asks, with bookmarks of every type in two places. */
const closers: (() => void | Promise<void>)[] = []
let shelf: ReturnType<typeof caller>
beforeAll(async () => {
  shelf = caller(await testService({}, (close) => closers.unshift(close)))
  await shelf('POST', '/organizations', { name: 'Acme' })
  const all = [
    { type: 'link', url: 'https://docs.a.example/rust', title: 'Rust book', tags: ['rust', 'reading'] },
    { type: 'link', url: 'https://b.example/', title: 'asynchronous', tags: ['rust'], organization: 'Acme' },
    { type: 'image', url: 'https://a.example/cat.png', title: 'Cat', visibility: 'public' },
    { type: 'color', content: 'rebeccapurple' },
    { type: 'text', content: 'Buy milk\nand bread', description: 'List' },
    { type: 'text', content: 'Gone', title: 'Gone' }
  ]
  const saved: Answer[] = []
  for (const one of all) saved.push(await shelf('POST', '/bookmarks', one))
  expect(saved.map((one) => one.status)).toEqual(all.map(() => 201))
  await shelf('POST', '/bookmarks/changes', { ids: [saved[5]?.body.bookmark.id], change: { kind: 'delete' } })
})
afterAll(async () => {
  for (const close of closers) await close()
})

test.for([
  ['everything, newest first', '', ['Buy milk', '#663399', 'Cat', 'asynchronous', 'Rust book']],
  ['everything, oldest first', 'order=oldest', ['Rust book', 'asynchronous', 'Cat', '#663399', 'Buy milk']],
  ['everything by title', 'order=title', ['#663399', 'asynchronous', 'Buy milk', 'Cat', 'Rust book']],
  ['everything by site', 'order=site', ['Cat', 'asynchronous', 'Rust book', 'Buy milk', '#663399']],
  ['no tags', 'untagged=true', ['Buy milk', '#663399', 'Cat']],
  ['today', 'days=1&tag=reading', ['Rust book']],
  ['some days', 'from=2020-01-01&to=2020-01-31', []],
  ['words of some days', 'from=2020-01-01&words=asynchronous', ['asynchronous']],
  ['what was opened lately, which is nothing', 'opened=true', []],
  ['a type', 'type=text', ['Buy milk']],
  ['a visibility', 'visibility=public', ['Cat']],
  ['a site with its subdomains', 'domain=www.a.example', ['Cat', 'Rust book']],
  ['a tag', 'tag=RUST', ['asynchronous', 'Rust book']],
  ['two tags', 'tag=rust&tag=reading', ['Rust book']],
  ['an organization by its name', 'organization=acme', ['asynchronous']],
  ['an organization and words', 'organization=acme&words=asynchronous', ['asynchronous']],
  ['words and not an organization', 'organization=acme&words=cat', []],
  ['blank words', 'words=%20&type=color', ['#663399']],
  ['a page', 'page=2&limit=2', ['Cat', 'asynchronous']],
  ['a page beyond the end', 'page=1000000&limit=200', []],
  ['the trash', 'trash=true', ['Gone']],
  ['words in the trash', 'trash=true&words=GÔN', ['Gone']],
  ['words that are not in the trash', 'trash=true&words=rust', []]
] as const)('%s is listed: %s', async ([, query, titles]) => {
  const { status, body } = await shelf('GET', `/bookmarks?${query}`)
  expect(status).toBe(200)
  expect(body.bookmarks.map((one: { title: string }) => one.title)).toEqual(titles)
})

test('a word that is still being typed is the beginning of one, though it is a whole word too', async () => {
  const found = async (query: string) => (await shelf('GET', `/bookmarks?${query}`)).body.total
  expect(await found('words=b')).toBe(1)
  expect(await found('words=b&typing=true')).toBe(3)
})

test('a page says how many there are and whether more follow', async () => {
  const { body } = await shelf('GET', '/bookmarks?page=2&limit=2')
  expect(body).toMatchObject({ total: 5, atLeast: false, hasMore: true, page: 2, limit: 2 })
  expect((await shelf('GET', '/bookmarks?page=3&limit=2')).body).toMatchObject({ total: 5, hasMore: false })
})

test('a filter that lets nothing through is named', async () => {
  const { body } = await shelf('GET', '/bookmarks?type=color&domain=a.example')
  expect(body).toMatchObject({ total: 0, bookmarks: [], hint: expect.stringContaining('domain') })
  expect((await shelf('GET', '/bookmarks?tag=none')).body.hint).toContain('No bookmark has the tag “none”')
})

test('bookmarks are shown with all their fields', async () => {
  const { body } = await shelf('GET', '/bookmarks?tag=reading')
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const shown = {
    id: expect.stringMatching(/^[\w-]{16}$/),
    type: 'link',
    visibility: 'private',
    organization: null,
    url: 'https://docs.a.example/rust',
    domain: 'docs.a.example',
    title: 'Rust book',
    description: '',
    content: '',
    tags: ['reading', 'rust'],
    createdAt: time,
    updatedAt: time,
    deletedAt: null,
    icon: null,
    preview: null,
    link: null,
    picture: null,
    savedBy: null
  }
  expect(body.bookmarks).toEqual([shown])
  expect((await shelf('GET', `/bookmarks/${body.bookmarks[0].id}`)).body).toEqual(shown)
  expect((await shelf('GET', '/bookmarks?trash=true')).body.bookmarks).toMatchObject([{ deletedAt: time }])
})

test('counts are of what is not in the trash, and of the trash', async () => {
  expect((await shelf('GET', '/bookmarks/counts')).body).toEqual({
    all: 5,
    link: 2,
    image: 1,
    color: 1,
    text: 1,
    trash: 1,
    broken: 0,
    moved: 0
  })
  expect((await shelf('GET', '/tags')).body).toEqual([
    { name: 'reading', bookmarks: 1 },
    { name: 'rust', bookmarks: 2 }
  ])
})

test('pages of a search follow one another, the largest too, with nothing twice or left out', async () => {
  const service = await testService()
  const insert = async (from: number) => {
    for (let index = from; index < from + 60; index += 1) {
      const json = { type: 'link', url: `https://many.example/${index}`, title: `Manifold ${index}` }
      await callApi(service, 'POST', '/bookmarks', json)
    }
  }
  await Promise.all([0, 60, 120, 180].map(insert))
  for (const limit of [40, 100]) {
    const found: string[] = []
    for (let page = 1, hasMore = true; hasMore; page += 1) {
      const answer = await callApi(service, 'GET', `/bookmarks?words=manifold&limit=${limit}&page=${page}`)
      const body = (await answer.json()) as { bookmarks: { id: string }[]; hasMore: boolean }
      found.push(...body.bookmarks.map(({ id }) => id))
      hasMore = body.hasMore
    }
    expect(found).toHaveLength(240)
    expect(new Set(found).size).toBe(240)
  }
})

test.for([
  ['GET', '/bookmarks?order=title&words=x', 400],
  ['GET', '/bookmarks?trash=true&words=x&tag=x', 400],
  ['GET', '/bookmarks?trash=true&tag=x', 400],
  ['GET', '/bookmarks?trash=yes', 400],
  ['GET', '/bookmarks?limit=201', 400],
  ['GET', '/bookmarks?words=x&limit=101', 400],
  ['GET', '/bookmarks?page=0', 400],
  ['GET', '/bookmarks/past?limit=21', 400],
  ['GET', '/bookmarks?type=video', 400],
  ['GET', '/bookmarks?organization=nobody', 404],
  ['GET', '/bookmarks/nothing', 404],
  ['PATCH', '/bookmarks/nothing', 404],
  ['POST', '/undo/999', 404],
  ['POST', '/undo/x', 404],
  ['POST', '/undo/1.5', 404],
  ['POST', '/undo/1e0', 404],
  ['PATCH', '/tags/none', 404],
  ['DELETE', '/tags/none', 404]
] as const)('%s %s is refused with %i', async ([method, path, status]) => {
  const body = method === 'PATCH' ? { [path.includes('tags') ? 'name' : 'title']: 'x' } : undefined
  const answer = await shelf(method, path, body)
  expect(answer.status).toBe(status)
  expect(answer.body.error).toMatchObject({ code: status === 400 ? 'invalid' : 'not-found', message: /./ })
})

test.for([
  ['a link without an address', { type: 'link', title: 'x' }],
  ['an image that is no page', { type: 'image', url: 'ftp://a.example/' }],
  ['a text without text', { type: 'text', content: ' \n ' }],
  ['a color that is none', { type: 'color', content: 'bluish' }],
  ['a text with a source that is none', { type: 'text', content: 'x', url: 'not a url' }],
  ['no type', { url: 'https://a.example/' }],
  ['a type that is none', { type: 'video', url: 'https://a.example/' }],
  ['a field that is none', { type: 'text', content: 'x', color: 'red' }],
  ['a title that is too long', { type: 'text', content: 'x', title: 'x'.repeat(LIMITS.title + 1) }],
  ['a tag that is too long', { type: 'text', content: 'x', tags: ['x'.repeat(LIMITS.tag + 1)] }],
  [
    'a name in a nested tag that is too long',
    { type: 'text', content: 'x', tags: [`x/${'x'.repeat(LIMITS.tagName + 1)}`] }
  ],
  ['a nested tag with too many names', { type: 'text', content: 'x', tags: ['x/'.repeat(LIMITS.tag / 2 + 1)] }],
  ['too many tags', { type: 'text', content: 'x', tags: Array.from({ length: LIMITS.tags + 1 }, (_, n) => `${n}`) }],
  [
    'a private bookmark of an organization',
    { type: 'text', content: 'x', visibility: 'private', organization: 'Acme' }
  ],
  ['an organization that is not named', { type: 'text', content: 'x', visibility: 'organization' }]
] as const)('%s is not saved', async ([, request]) => {
  const { status, body } = await shelf('POST', '/bookmarks', request)
  expect([status, body.error.code]).toEqual([400, 'invalid'])
})

test('an organization that does not exist gets nothing', async () => {
  const request = { type: 'text', content: 'x', organization: 'Nobody' }
  expect((await shelf('POST', '/bookmarks', request)).status).toBe(404)
})

test('what is saved is cleaned: no control characters, no tag twice, a title where there was none', async () => {
  const call = await fresh()
  const { body } = await call('POST', '/bookmarks', {
    type: 'text',
    content: 'First\u202e line\r\nsecond\u0007',
    tags: ['#Rust', 'rust', ' ', 'a\u0000b'],
    url: 'https://a.example/source'
  })
  expect(body.bookmark).toMatchObject({
    title: 'First line',
    content: 'First line\nsecond',
    tags: ['ab', 'Rust'],
    url: 'https://a.example/source',
    domain: 'a.example'
  })
})

test('a page that is there is answered as it is and stays so; a text from it is another bookmark', async () => {
  const call = await fresh()
  const page = { type: 'link', url: 'https://a.example/x', title: 'First', visibility: 'public' }
  const first = await call('POST', '/bookmarks', page)
  const again = await call('POST', '/bookmarks', { ...page, url: 'https://a.example/x?utm_source=a', title: 'Second' })
  expect(again).toEqual({ status: 200, body: { status: 'existing', bookmark: first.body.bookmark } })
  const text = await call('POST', '/bookmarks', { type: 'text', content: 'quote', url: 'https://a.example/x' })
  expect(text.status).toBe(201)
})

test('what the owner saves without saying where gets the default visibility', async () => {
  const call = await fresh()
  const { body } = await call('POST', '/bookmarks', { type: 'text', content: 'x' })
  expect(body.bookmark).toMatchObject({ visibility: 'private', organization: null })
})

test('an edit answers with the bookmark and a step that takes it back', async () => {
  const call = await fresh()
  const { body } = await call('POST', '/bookmarks', { type: 'color', content: 'red' })
  const path = `/bookmarks/${body.bookmark.id}`
  const edited = await call('PATCH', path, { content: ' #00F ', title: 'Blue\u0000', tags: ['#sky'] })
  expect(edited.body.bookmark).toMatchObject({ content: '#00F', title: 'Blue', tags: ['sky'] })
  expect((await call('PATCH', path, { title: 'Blue' })).body.undo).toBeNull()
  expect((await call('POST', `/undo/${edited.body.undo}`)).body).toEqual({
    undone: 1,
    kept: 0,
    redo: expect.any(Number)
  })
  expect((await call('GET', path)).body).toEqual(body.bookmark)
  expect((await call('POST', `/undo/${edited.body.undo}`)).status).toBe(404)
})

test.for([
  ['a link without its address', 'link', { url: '' }, 400],
  ['a text without its text', 'text', { content: '' }, 400],
  ['a color that is none', 'color', { content: 'reddish' }, 400],
  ['a type', 'text', { type: 'link' }, 400],
  ['an organization that does not exist', 'text', { organization: 'Nobody' }, 404],
  ['an address that another has', 'link', { url: 'https://taken.example/' }, 409]
] as const)('an edit to %s is refused', async ([, type, patch, status]) => {
  const call = await fresh()
  await call('POST', '/bookmarks', { type: 'link', url: 'https://taken.example/' })
  const made = { link: { url: 'https://a.example/' }, text: { content: 'x' }, color: { content: 'red' } }[type]
  const { body } = await call('POST', '/bookmarks', { type, ...made })
  expect((await call('PATCH', `/bookmarks/${body.bookmark.id}`, patch)).status).toBe(status)
  expect((await call('GET', `/bookmarks/${body.bookmark.id}`)).body).toEqual(body.bookmark)
})

test('a text loses its source, and a link moves to an organization and back', async () => {
  const call = await fresh()
  await call('POST', '/organizations', { name: 'Acme' })
  const text = await call('POST', '/bookmarks', { type: 'text', content: 'x', url: 'https://a.example/' })
  const path = `/bookmarks/${text.body.bookmark.id}`
  expect((await call('PATCH', path, { url: '' })).body.bookmark).toMatchObject({ url: null, domain: null })
  const there = await call('PATCH', path, { organization: 'Acme' })
  expect(there.body.bookmark).toMatchObject({ visibility: 'organization', organization: 'Acme' })
  const back = await call('PATCH', path, { visibility: 'public' })
  expect(back.body.bookmark).toMatchObject({ visibility: 'public', organization: null })
})

test('many are changed at once, undone at once, and the trash is emptied', async () => {
  const call = await fresh()
  const ids: string[] = []
  for (const content of ['a', 'b', 'c'])
    ids.push((await call('POST', '/bookmarks', { type: 'text', content })).body.bookmark.id)
  const change = (wanted: object) => call('POST', '/bookmarks/changes', { ids: [...ids, 'nothing'], change: wanted })
  const added = await change({ kind: 'tags', add: ['#new', 'New'] })
  expect(added.body).toEqual({
    changed: 3,
    unchanged: 1,
    kept: [{ id: 'nothing', reason: 'missing' }],
    undo: expect.any(Number)
  })
  expect((await call('GET', '/tags')).body).toEqual([{ name: 'new', bookmarks: 3 }])
  expect((await call('POST', `/undo/${added.body.undo}`)).body).toEqual({
    undone: 3,
    kept: 0,
    redo: expect.any(Number)
  })
  await change({ kind: 'move', visibility: 'public' })
  expect((await call('GET', '/bookmarks?visibility=public')).body.total).toBe(3)
  await change({ kind: 'delete' })
  expect((await call('DELETE', '/trash')).body).toEqual({ purged: 3 })
  expect((await call('GET', '/bookmarks/counts')).body).toMatchObject({ all: 0, trash: 0 })
})

test.for([
  ['no bookmarks', { ids: [], change: { kind: 'delete' } }],
  ['more than a thousand', { ids: Array.from({ length: 1001 }, (_, n) => `${n}`), change: { kind: 'delete' } }],
  ['no tags', { ids: ['x'], change: { kind: 'tags', add: [] } }],
  ['a tag of nothing', { ids: ['x'], change: { kind: 'tags', add: ['# '] } }],
  ['a move to no organization', { ids: ['x'], change: { kind: 'move', visibility: 'organization' } }],
  ['a change that is none', { ids: ['x'], change: { kind: 'burn' } }]
] as const)('a change of %s is refused', async ([, request]) => {
  expect((await shelf('POST', '/bookmarks/changes', request)).status).toBe(400)
})

test('tags are renamed, merged, deleted, each with a step back', async () => {
  const call = await fresh()
  await call('POST', '/bookmarks', { type: 'text', content: 'a', tags: ['c++', 'cpp', 'c/c++'] })
  expect((await call('PATCH', '/tags/cpp', { name: 'C++' })).body.error).toMatchObject({
    code: 'taken',
    message: expect.stringContaining('Merge')
  })
  expect((await call('PATCH', '/tags/cpp', { name: ' #\u0000 ' })).status).toBe(400)
  expect((await call('POST', '/tags/merges', { from: ['cpp'], into: 'CPP' })).status).toBe(400)
  const merged = await call('POST', '/tags/merges', { from: ['cpp', 'c/c++'], into: '#c++' })
  expect(merged.body).toEqual({ bookmarks: 1, undo: expect.any(Number) })
  const renamed = await call('PATCH', `/tags/${encodeURIComponent('c++')}`, { name: 'C' })
  expect((await call('GET', '/tags')).body).toEqual([{ name: 'C', bookmarks: 1 }])
  await call('POST', `/undo/${renamed.body.undo}`)
  await call('POST', `/undo/${merged.body.undo}`)
  const deleted = await call('DELETE', `/tags/${encodeURIComponent('c/c++')}`)
  expect(deleted.body).toEqual({ bookmarks: 1, undo: expect.any(Number) })
  expect((await call('GET', '/tags')).body.map((tag: { name: string }) => tag.name)).toEqual(['c++', 'cpp'])
})

test('an API key opens none of this', async () => {
  const service = await testService()
  const key = await makeKey(service)
  for (const [method, path] of [
    ['GET', '/bookmarks'],
    ['POST', '/bookmarks'],
    ['POST', '/bookmarks/changes'],
    ['DELETE', '/trash'],
    ['POST', '/undo/1'],
    ['GET', '/tags']
  ] as const) {
    const request = new Request(`http://127.0.0.1/api${path}`, { method, headers: { 'x-api-key': key } })
    expect((await service.fetch(request)).status).toBe(401)
  }
})

test('what the owner moves into an organization its key finds from then on, and no longer once it is deleted', async () => {
  const service = await testService()
  const call = caller(service)
  await call('POST', '/organizations', { name: 'Acme' })
  const key = await makeKey(service, { organization: 'Acme' })
  const found = async () => (await callTool(service, key, 'bookmarks.search', {})).payload.total
  const { body } = await call('POST', '/bookmarks', { type: 'text', content: 'x' })
  expect(await found()).toBe(0)
  await call('PATCH', `/bookmarks/${body.bookmark.id}`, { organization: 'Acme' })
  expect(await found()).toBe(1)
  await call('POST', '/bookmarks/changes', { ids: [body.bookmark.id], change: { kind: 'delete' } })
  expect(await found()).toBe(0)
})

test.for([
  ['https://docs.a.example/rust?utm_source=mail#top', 'Rust book'],
  ['https://b.example/', 'asynchronous'],
  ['https://c.example/', undefined],
  ['not an address', undefined]
] as const)('whether %s is saved already is answered with its bookmark', async ([url, title]) => {
  const { status, body } = await shelf('GET', `/bookmarks/saved?url=${encodeURIComponent(url)}`)
  expect([status, body.bookmark?.title]).toEqual([200, title])
})

test('a page that is saved as private again comes back from the trash as private', async () => {
  const service = await testService()
  const page = { type: 'link', url: 'https://again.example/' }
  const saved = await callApi(service, 'POST', '/bookmarks', { ...page, visibility: 'public' })
  const { bookmark } = (await saved.json()) as { bookmark: { id: string } }
  await callApi(service, 'POST', '/bookmarks/changes', { ids: [bookmark.id], change: { kind: 'delete' } })
  const again = await callApi(service, 'POST', '/bookmarks', { ...page, visibility: 'private' })
  expect(await again.json()).toMatchObject({ status: 'saved', bookmark: { id: bookmark.id, visibility: 'private' } })
})

test('days begin and end by the clock of this computer', async () => {
  const service = await testService()
  const dates = [
    new Date(2024, 1, 27, 23, 59, 59),
    new Date(2024, 1, 28),
    new Date(2024, 1, 29, 23, 59),
    new Date(2024, 2)
  ]
  async function* file() {
    const links = dates.map(
      (date, at) => `<DT><A HREF="https://${at}.example/" ADD_DATE="${date.getTime() / 1000}">${at}</A>`
    )
    yield new TextEncoder().encode(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${links.join('\n')}`)
  }
  expect((await postImport(service, file(), 'dated')).status).toBe(200)
  const listed = async (query: string) => {
    const { body } = await caller(service)('GET', `/bookmarks?order=oldest&${query}`)
    return body.bookmarks.map(({ title }: { title: string }) => title)
  }
  expect(await listed('from=2024-02-28&to=2024-02-29')).toEqual(['1', '2'])
  expect(await listed('from=2024-02-29')).toEqual(['2', '3'])
  expect(await listed('to=2024-02-27')).toEqual(['0'])
  expect(await listed('days=7')).toEqual([])
})
