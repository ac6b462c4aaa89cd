import { expect, test } from 'vitest'
import { testService } from '../support/service.ts'
import { apiOf, refusal } from './api.ts'

async function shelf() {
  const api = apiOf(await testService())
  const save = async (body: object): Promise<string> => (await api('POST', '/bookmarks', body)).body.bookmark.id
  return { api, save }
}

test('duplicates are listed with the best bookmark first, merged, and undone in one step', async () => {
  const { api, save } = await shelf()
  const plain = await save({ type: 'link', url: 'http://a.example/x/', title: 'Plain', tags: ['one'] })
  const www = await save({ type: 'link', url: 'https://www.a.example/x', tags: ['two'] })
  const best = await save({ type: 'link', url: 'https://a.example/x/index.html' })
  const found = await api('GET', '/duplicates?limit=5')
  expect(found.body).toMatchObject({ total: 1, page: 1, limit: 5, hasMore: false })
  expect(found.body.groups[0].why).toBe('near')
  const ids = found.body.groups[0].bookmarks.map(({ id }: { id: string }) => id)
  expect(ids).toEqual([www, best, plain])
  expect(found.body.groups[0].bookmarks[2].createdAt).toMatch(/^\d{4}-.*Z$/)

  const merged = await api('POST', '/duplicates/merges', { merges: [{ keep: www, others: [best, plain] }] })
  expect(merged.body).toEqual({ merged: 1, trashed: 2, left: [], undo: expect.any(Number) })
  expect((await api('GET', `/bookmarks/${www}`)).body).toMatchObject({ title: 'Plain', tags: ['one', 'two'] })
  expect((await api('GET', '/bookmarks/counts')).body).toMatchObject({ all: 1, trash: 2 })
  expect((await api('GET', '/duplicates')).body).toMatchObject({ total: 0, groups: [] })
  expect((await api('POST', `/undo/${merged.body.undo}`)).body).toEqual({
    undone: 3,
    kept: 0,
    redo: expect.any(Number)
  })
  expect((await api('GET', '/duplicates')).body.total).toBe(1)
})

test('all duplicates are merged in one step and keep the chosen bookmarks', async () => {
  const { api, save } = await shelf()
  const ids: string[] = []
  for (let page = 0; page < 60; page++) {
    ids.push(await save({ type: 'link', url: `http://${page}.example/`, tags: [`${page}`] }))
    await save({ type: 'link', url: `https://${page}.example/` })
  }
  const [chosen] = ids
  const merged = await api('POST', '/duplicates/merges/all?name=all', { keep: [chosen] })
  expect(merged.body).toEqual({ merged: 60, trashed: 60, left: [], undo: expect.any(Number) })
  expect((await api('GET', '/duplicates')).body).toMatchObject({ total: 0, groups: [] })
  const bookmarks = (await api('GET', '/bookmarks?limit=100&order=oldest')).body.bookmarks
  expect(bookmarks.map(({ url }: { url: string }) => url.split(':')[0])).toEqual(['http', ...Array(59).fill('https')])
  expect(bookmarks[59].tags).toEqual(['59'])
  expect((await api('POST', `/undo/${merged.body.undo}`)).body).toMatchObject({ undone: 119, kept: 0 })
  expect((await api('GET', '/duplicates')).body.total).toBe(60)
})

test('a page with more bookmarks than a group shows is merged and undone completely', async () => {
  const { api, save } = await shelf()
  const names = ['index', 'Index', 'INDEX'].flatMap((name) =>
    ['html', 'htm', 'php', 'asp', 'jsp'].map((end) => `${name}.${end}`)
  )
  const urls = ['http://', 'https://', 'http://www.', 'https://www.'].flatMap((start) =>
    names.map((name) => `${start}a.example/${name}`)
  )
  for (const [at, url] of urls.entries()) await save({ type: 'link', url, tags: [`t${at}`] })
  const before = (await api('GET', '/duplicates')).body
  expect([before.total, before.groups[0].bookmarks.length]).toEqual([1, 50])
  const merged = await api('POST', '/duplicates/merges/all', {})
  expect(merged.body).toMatchObject({ merged: 2, trashed: 59, left: [] })
  const { total, bookmarks } = (await api('GET', '/bookmarks')).body
  expect([total, bookmarks[0].tags.length]).toEqual([1, 60])
  expect((await api('POST', `/undo/${merged.body.undo}`)).body).toMatchObject({ undone: 60, kept: 0 })
  const undone = (await api('GET', '/bookmarks?limit=100')).body.bookmarks
  expect(undone.map(({ tags }: { tags: string[] }) => tags.length)).toEqual(urls.map(() => 1))
})

test('similar colors are found, without the color of the request', async () => {
  const { api, save } = await shelf()
  const id = await save({ type: 'color', content: 'tomato' })
  await save({ type: 'color', content: '#ff6348' })
  await save({ type: 'color', content: 'navy' })
  const to = encodeURIComponent('rgb(255 99 71)')
  const contents = async (query: string) =>
    (await api('GET', `/colors/similar?${query}`)).body.colors.map(
      ({ bookmark }: { bookmark: { content: string } }) => bookmark.content
    )
  expect(await contents(`to=${to}`)).toEqual(['tomato', '#ff6348'])
  expect(await contents(`to=${to}&except=${id}`)).toEqual(['#ff6348'])
  expect(await contents(`to=${to}&limit=1`)).toEqual(['tomato'])
})

const MANY = Array.from({ length: 20 }, (_, merge) => ({
  keep: `${merge}`,
  others: Array.from({ length: 50 }, (_, other) => `${merge}-${other}`)
}))

test.for([
  ['an invalid color', '/colors/similar?to=blu', undefined, 'to: not a valid CSS color'],
  ['a search for similar colors without a color', '/colors/similar', undefined, 'to:'],
  ['a limit of 0 colors', '/colors/similar?to=red&limit=0', undefined, 'limit:'],
  ['page 0', '/duplicates?page=0', undefined, 'page:'],
  ['a page that is too long', '/duplicates?limit=101', undefined, 'limit:'],
  ['a search for duplicates by words', '/duplicates?words=x', undefined, 'words'],
  ['an empty list of merges', '/duplicates/merges', [], 'merges:'],
  ['a merge of one bookmark', '/duplicates/merges', [{ keep: 'a', others: [] }], 'others:'],
  [
    'a merge of a bookmark with itself',
    '/duplicates/merges',
    [{ keep: 'a', others: ['a'] }],
    'name each bookmark once'
  ],
  [
    'a bookmark in two merges',
    '/duplicates/merges',
    [
      { keep: 'a', others: ['b'] },
      { keep: 'c', others: ['b'] }
    ],
    'name each bookmark once'
  ],
  ['a merge of too many bookmarks', '/duplicates/merges', MANY, 'at most 1000 bookmarks at once']
] as const)('%s is refused', async ([, path, merges, message]) => {
  const { api } = await shelf()
  const answer = merges ? await api('POST', path, { merges }) : await api('GET', path)
  expect(answer).toMatchObject(refusal(400, 'invalid', message))
})
