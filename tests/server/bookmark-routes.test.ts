import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../src-main/contract/bookmark.ts'
import { postImport, testService } from '../support/service.ts'
import { later } from '../support/temp-folder.ts'
import { type Api, apiOf, refusal } from './api.ts'

const newApi = async () => apiOf(await testService())

/** One library for all tests that only read, with bookmarks of every type in two places. */
const atEnd = later()
let shelf: Api
beforeAll(async () => {
  shelf = apiOf(await testService({}, atEnd))
  await shelf('POST', '/organizations', { name: 'Acme' })
  const ids: string[] = []
  for (const request of [
    { type: 'link', url: 'https://docs.a.example/rust', title: 'Rust book', tags: ['rust', 'reading'] },
    { type: 'link', url: 'https://b.example/', title: 'asynchronous', tags: ['rust'], organization: 'Acme' },
    { type: 'image', url: 'https://a.example/cat.png', title: 'Cat', visibility: 'public' },
    { type: 'color', content: 'rebeccapurple' },
    { type: 'text', content: 'Buy milk\nand bread', description: 'List' },
    { type: 'text', content: 'Gone', title: 'Gone' }
  ]) {
    const { status, body } = await shelf('POST', '/bookmarks', request)
    expect(status).toBe(201)
    ids.push(body.bookmark.id)
  }
  await shelf('POST', '/bookmarks/changes', { ids: ids.slice(-1), change: { kind: 'delete' } })
})

test.for([
  ['', ['Buy milk', '#663399', 'Cat', 'asynchronous', 'Rust book']],
  ['order=oldest', ['Rust book', 'asynchronous', 'Cat', '#663399', 'Buy milk']],
  ['order=title', ['#663399', 'asynchronous', 'Buy milk', 'Cat', 'Rust book']],
  ['order=site', ['Cat', 'asynchronous', 'Rust book', 'Buy milk', '#663399']],
  ['untagged=true', ['Buy milk', '#663399', 'Cat']],
  ['days=1&tag=reading', ['Rust book']],
  ['from=2020-01-01&to=2020-01-31', []],
  ['from=2020-01-01&words=asynchronous', ['asynchronous']],
  ['opened=true', []],
  ['import=1', []],
  ['type=text', ['Buy milk']],
  ['visibility=public', ['Cat']],
  ['domain=www.a.example', ['Cat', 'Rust book']],
  ['tag=rust&tag=READING', ['Rust book']],
  ['organization=acme', ['asynchronous']],
  ['organization=acme&words=cat', []],
  ['words=%20&type=color', ['#663399']],
  ['page=2&limit=2', ['Cat', 'asynchronous']],
  ['trash=true', ['Gone']],
  ['trash=true&words=GÔN', ['Gone']],
  ['trash=true&words=rust', []]
] as const)('the list for ?%s has %j', async ([query, titles]) => {
  const { status, body } = await shelf('GET', `/bookmarks?${query}`)
  expect(status).toBe(200)
  expect(body.bookmarks.map(({ title }: { title: string }) => title)).toEqual(titles)
})

test('an unfinished word matches the words that begin with it, although it is a whole word too', async () => {
  expect((await shelf('GET', '/bookmarks?words=b')).body.total).toBe(1)
  expect((await shelf('GET', '/bookmarks?words=b&typing=true')).body.total).toBe(3)
})

test('a list reports its total, its page, whether more follow, and a hint if it is empty', async () => {
  const { body } = await shelf('GET', '/bookmarks?page=2&limit=2')
  expect(body).toMatchObject({ total: 5, atLeast: false, hasMore: true, page: 2, limit: 2 })
  expect((await shelf('GET', '/bookmarks?page=3&limit=2')).body).toMatchObject({ total: 5, hasMore: false })
  const empty = await shelf('GET', '/bookmarks?type=color&domain=a.example')
  expect(empty.body).toMatchObject({ total: 0, bookmarks: [], hint: expect.stringContaining('domain') })
})

test.for([
  ['organization=Acne', 'There is no organization named “Acne”; the nearest is “Acme”.'],
  ['organization=elsewhere&words=cat', 'There is no organization named “elsewhere”.']
])('the list for ?%s is empty, and its hint is %j', async ([query, hint]) => {
  const { status, body } = await shelf('GET', `/bookmarks?${query}`)
  expect([status, body]).toEqual([200, expect.objectContaining({ total: 0, bookmarks: [], hint })])
})

test('a bookmark has all its fields, in the list and by its id', async () => {
  const { body } = await shelf('GET', '/bookmarks?tag=reading')
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const bookmark = {
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
    ratio: null,
    hasText: false,
    link: null,
    picture: null,
    savedBy: null
  }
  expect(body.bookmarks).toEqual([bookmark])
  expect((await shelf('GET', `/bookmarks/${body.bookmarks[0].id}`)).body).toEqual(bookmark)
  expect((await shelf('GET', '/bookmarks?trash=true')).body.bookmarks).toMatchObject([{ deletedAt: time }])
})

test('counts are by type, without the trash, which is counted by itself', async () => {
  expect((await shelf('GET', '/bookmarks/counts')).body).toEqual({
    all: 5,
    link: 2,
    image: 1,
    color: 1,
    text: 1,
    trash: 1,
    samples: 0,
    broken: 0,
    moved: 0
  })
  expect((await shelf('GET', '/tags')).body).toEqual([
    { name: 'reading', bookmarks: 1 },
    { name: 'rust', bookmarks: 2 }
  ])
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
  ['GET', '/bookmarks?import=first', 400],
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
  expect(answer).toMatchObject(refusal(status, status === 400 ? 'invalid' : 'not-found', /./))
})

const TEXT = { type: 'text', content: 'x' }

test.for([
  ['a link without an address', { type: 'link', title: 'x' }],
  ['an image whose address is not a page', { type: 'image', url: 'ftp://a.example/' }],
  ['a text without text', { type: 'text', content: ' \n ' }],
  ['an invalid color', { type: 'color', content: 'bluish' }],
  ['a text with an invalid source', { ...TEXT, url: 'not a url' }],
  ['a bookmark without a type', { url: 'https://a.example/' }],
  ['an unknown type', { type: 'video', url: 'https://a.example/' }],
  ['an unknown field', { ...TEXT, color: 'red' }],
  ['a title that is too long', { ...TEXT, title: 'x'.repeat(LIMITS.title + 1) }],
  ['a tag that is too long', { ...TEXT, tags: ['x'.repeat(LIMITS.tag + 1)] }],
  ['a name in a nested tag that is too long', { ...TEXT, tags: [`x/${'x'.repeat(LIMITS.tagName + 1)}`] }],
  ['a nested tag with too many names', { ...TEXT, tags: ['x/'.repeat(LIMITS.tag / 2 + 1)] }],
  ['too many tags', { ...TEXT, tags: Array.from({ length: LIMITS.tags + 1 }, (_, index) => `${index}`) }],
  ['a private bookmark of an organization', { ...TEXT, visibility: 'private', organization: 'Acme' }],
  ['visibility “organization” without an organization', { ...TEXT, visibility: 'organization' }]
] as const)('%s is not saved', async ([, request]) => {
  expect(await shelf('POST', '/bookmarks', request)).toMatchObject(refusal(400, 'invalid', /./))
})

test('a bookmark for an unknown organization is not saved', async () => {
  expect(await shelf('POST', '/bookmarks', { ...TEXT, organization: 'Nobody' })).toMatchObject({ status: 404 })
})

test('a saved text is cleaned, gets a title from its first line and is private by default', async () => {
  const api = await newApi()
  const { body } = await api('POST', '/bookmarks', {
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
    domain: 'a.example',
    visibility: 'private',
    organization: null
  })
})

test('the title of a long text is its beginning, to the end of a word', async () => {
  const api = await newApi()
  const content = 'A note without an end, '.repeat(20)
  const { body } = await api('POST', '/bookmarks', { type: 'text', content })
  expect(body.bookmark.title).toMatch(/^(A note without an end, ){4}.* …$/)
  expect(body.bookmark.title.length).toBeLessThanOrEqual(122)
})

test('an existing page is returned unchanged; a text from it is another bookmark', async () => {
  const api = await newApi()
  const page = { type: 'link', url: 'https://a.example/x', title: 'First', visibility: 'public' }
  const first = await api('POST', '/bookmarks', page)
  const again = await api('POST', '/bookmarks', { ...page, url: 'https://a.example/x?utm_source=a', title: 'Second' })
  expect(again).toEqual({ status: 200, body: { status: 'existing', bookmark: first.body.bookmark } })
  expect((await api('POST', '/bookmarks', { ...TEXT, url: 'https://a.example/x' })).status).toBe(201)
})

test('a page from the trash that is saved as private comes back as private', async () => {
  const api = await newApi()
  const page = { type: 'link', url: 'https://again.example/' }
  const { id } = (await api('POST', '/bookmarks', { ...page, visibility: 'public' })).body.bookmark
  await api('POST', '/bookmarks/changes', { ids: [id], change: { kind: 'delete' } })
  const again = await api('POST', '/bookmarks', { ...page, visibility: 'private' })
  expect(again.body).toMatchObject({ status: 'saved', bookmark: { id, visibility: 'private' } })
})

test('an edit returns the cleaned bookmark and an undo step that is used once', async () => {
  const api = await newApi()
  const { body } = await api('POST', '/bookmarks', { type: 'color', content: 'red' })
  const path = `/bookmarks/${body.bookmark.id}`
  const edited = await api('PATCH', path, { content: ' #00F ', title: 'Blue\u0000', tags: ['#sky'] })
  expect(edited.body.bookmark).toMatchObject({ content: '#00F', title: 'Blue', tags: ['sky'] })
  expect((await api('PATCH', path, { title: 'Blue' })).body.undo).toBeNull()
  const undone = { undone: 1, kept: 0, redo: expect.any(Number) }
  expect((await api('POST', `/undo/${edited.body.undo}`)).body).toEqual(undone)
  expect((await api('GET', path)).body).toEqual(body.bookmark)
  expect((await api('POST', `/undo/${edited.body.undo}`)).status).toBe(404)
})

test.for([
  ['a link without its address', 'link', { url: '' }, 400],
  ['a text without its text', 'text', { content: '' }, 400],
  ['an invalid color', 'color', { content: 'reddish' }, 400],
  ['another type', 'text', { type: 'link' }, 400],
  ['an unknown organization', 'text', { organization: 'Nobody' }, 404],
  ['the address of another bookmark', 'link', { url: 'https://taken.example/' }, 409]
] as const)('an edit to %s is refused', async ([, type, patch, status]) => {
  const api = await newApi()
  await api('POST', '/bookmarks', { type: 'link', url: 'https://taken.example/' })
  const fields = { link: { url: 'https://a.example/' }, text: { content: 'x' }, color: { content: 'red' } }[type]
  const { body } = await api('POST', '/bookmarks', { type, ...fields })
  expect((await api('PATCH', `/bookmarks/${body.bookmark.id}`, patch)).status).toBe(status)
  expect((await api('GET', `/bookmarks/${body.bookmark.id}`)).body).toEqual(body.bookmark)
})

test('an edit with a version is refused if the bookmark changed since that version', async () => {
  const api = await newApi()
  const { body } = await api('POST', '/bookmarks', { ...TEXT, title: 'Old' })
  const path = `/bookmarks/${body.bookmark.id}`
  const { updatedAt: version } = body.bookmark
  const edited = await api('PATCH', path, { title: 'Theirs', version })
  expect(edited.status).toBe(200)
  expect(await api('PATCH', path, { title: 'Mine', version })).toMatchObject(refusal(409, 'conflict', 'changed'))
  expect((await api('GET', path)).body.title).toBe('Theirs')
  const next = await api('PATCH', path, { description: 'Mine', version: edited.body.bookmark.updatedAt })
  expect(next.body.bookmark).toMatchObject({ title: 'Theirs', description: 'Mine' })
  expect((await api('PATCH', path, { title: 'Mine', version: 'yesterday' })).status).toBe(400)
  // A repeated edit, in another spelling than the library's.
  expect(await api('PATCH', path, { title: 'Theirs ', version })).toMatchObject({ status: 200, body: { undo: null } })
})

test('an edit with an old version of a bookmark that is now in the trash is a conflict', async () => {
  const api = await newApi()
  const { body } = await api('POST', '/bookmarks', { ...TEXT, title: 'Old' })
  const { id, updatedAt: version } = body.bookmark
  await api('POST', '/bookmarks/changes', { ids: [id], change: { kind: 'delete' } })
  const edited = await api('PATCH', `/bookmarks/${id}`, { title: 'Mine', version })
  expect(edited).toMatchObject(refusal(409, 'conflict', 'changed'))
})

test('an edit with the tags that were read changes only what differs from them', async () => {
  const api = await newApi()
  const { body } = await api('POST', '/bookmarks', { ...TEXT, tags: ['alpha', 'beta'] })
  const { id, updatedAt: version } = body.bookmark
  await api('PATCH', '/tags/alpha', { name: 'omega' })
  const tags = ['alpha', 'Gamma']
  const edited = await api('PATCH', `/bookmarks/${id}`, { tags, formerTags: ['alpha', 'beta'], version })
  expect(edited.body.bookmark.tags).toEqual(['Gamma', 'omega'])
  const many = Array.from({ length: LIMITS.tags }, (_, index) => `tag${index}`)
  expect(await api('PATCH', `/bookmarks/${id}`, { tags: many, formerTags: [] })).toMatchObject(
    refusal(400, 'invalid', 'tags')
  )
})

test('an edit removes a text’s source and moves a bookmark to an organization and back', async () => {
  const api = await newApi()
  await api('POST', '/organizations', { name: 'Acme' })
  const text = await api('POST', '/bookmarks', { ...TEXT, url: 'https://a.example/' })
  const edit = async (patch: object) => (await api('PATCH', `/bookmarks/${text.body.bookmark.id}`, patch)).body.bookmark
  expect(await edit({ url: '' })).toMatchObject({ url: null, domain: null })
  expect(await edit({ organization: 'Acme' })).toMatchObject({ visibility: 'organization', organization: 'Acme' })
  expect(await edit({ visibility: 'public' })).toMatchObject({ visibility: 'public', organization: null })
})

test('several bookmarks are tagged, moved and deleted in one step each, and the trash is emptied', async () => {
  const api = await newApi()
  const ids: string[] = []
  for (const content of ['a', 'b', 'c'])
    ids.push((await api('POST', '/bookmarks', { ...TEXT, content })).body.bookmark.id)
  const change = (change: object) => api('POST', '/bookmarks/changes', { ids: [...ids, 'nothing'], change })
  const tagged = await change({ kind: 'tags', add: ['#new', 'New'] })
  const kept = [{ id: 'nothing', reason: 'missing' }]
  expect(tagged.body).toEqual({ changed: 3, unchanged: 1, kept, undo: expect.any(Number) })
  expect((await api('GET', '/tags')).body).toEqual([{ name: 'new', bookmarks: 3 }])
  expect((await api('POST', `/undo/${tagged.body.undo}`)).body).toMatchObject({ undone: 3, kept: 0 })
  await change({ kind: 'move', visibility: 'public' })
  expect((await api('GET', '/bookmarks?visibility=public')).body.total).toBe(3)
  await change({ kind: 'delete' })
  expect((await api('DELETE', '/trash')).body).toEqual({ purged: 3 })
  expect((await api('GET', '/bookmarks/counts')).body).toMatchObject({ all: 0, trash: 0 })
})

test.for([
  ['no bookmarks', { ids: [], change: { kind: 'delete' } }],
  ['more than 1,000', { ids: Array.from({ length: 1001 }, (_, index) => `${index}`), change: { kind: 'delete' } }],
  ['no tags', { ids: ['x'], change: { kind: 'tags', add: [] } }],
  ['an empty tag', { ids: ['x'], change: { kind: 'tags', add: ['# '] } }],
  ['an unnamed organization', { ids: ['x'], change: { kind: 'move', visibility: 'organization' } }],
  ['an unknown kind', { ids: ['x'], change: { kind: 'burn' } }]
] as const)('a change of %s is refused', async ([, request]) => {
  expect((await shelf('POST', '/bookmarks/changes', request)).status).toBe(400)
})

test('tags are merged, renamed and deleted, each with an undo step', async () => {
  const api = await newApi()
  await api('POST', '/bookmarks', { ...TEXT, tags: ['c++', 'cpp', 'c/c++'] })
  expect(await api('PATCH', '/tags/cpp', { name: 'C++' })).toMatchObject(refusal(409, 'taken', 'Merge'))
  expect((await api('PATCH', '/tags/cpp', { name: ' #\u0000 ' })).status).toBe(400)
  expect((await api('POST', '/tags/merges', { from: ['cpp'], into: 'CPP' })).status).toBe(400)
  const merged = await api('POST', '/tags/merges', { from: ['cpp', 'c/c++'], into: '#c++' })
  expect(merged.body).toEqual({ bookmarks: 1, undo: expect.any(Number) })
  const renamed = await api('PATCH', `/tags/${encodeURIComponent('c++')}`, { name: 'C' })
  expect((await api('GET', '/tags')).body).toEqual([{ name: 'C', bookmarks: 1 }])
  await api('POST', `/undo/${renamed.body.undo}`)
  await api('POST', `/undo/${merged.body.undo}`)
  const deleted = await api('DELETE', `/tags/${encodeURIComponent('c/c++')}`)
  expect(deleted.body).toEqual({ bookmarks: 1, undo: expect.any(Number) })
  expect((await api('GET', '/tags')).body.map(({ name }: { name: string }) => name)).toEqual(['c++', 'cpp'])
})

test.for([
  ['https://docs.a.example/rust?utm_source=mail#top', 'Rust book'],
  ['https://b.example/', 'asynchronous'],
  ['https://c.example/', undefined],
  ['not an address', undefined]
] as const)('the saved bookmark of %s has the title %s', async ([url, title]) => {
  const { status, body } = await shelf('GET', `/bookmarks/saved?url=${encodeURIComponent(url)}`)
  expect([status, body.bookmark?.title]).toEqual([200, title])
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
      (date, index) => `<DT><A HREF="https://${index}.example/" ADD_DATE="${date.getTime() / 1000}">${index}</A>`
    )
    yield new TextEncoder().encode(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${links.join('\n')}`)
  }
  expect((await postImport(service, file(), 'dated')).status).toBe(200)
  const listed = async (query: string) => {
    const { body } = await apiOf(service)('GET', `/bookmarks?order=oldest&${query}`)
    return body.bookmarks.map(({ title }: { title: string }) => title)
  }
  expect(await listed('from=2024-02-28&to=2024-02-29')).toEqual(['1', '2'])
  expect(await listed('from=2024-02-29')).toEqual(['2', '3'])
  expect(await listed('to=2024-02-27')).toEqual(['0'])
  expect(await listed('days=7')).toEqual([])
  expect(await listed('days=30000&from=2024-02-29')).toEqual(['2', '3'])
})
