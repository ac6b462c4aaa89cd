import { expect, test } from 'vitest'
import { likeIn } from '../../../src-main/core/id-searches.ts'
import { callApi, callTool, makeKey, testService } from '../../support/service.ts'

const ID = 'Ue56R-1PT06uFAi3'

test.for([
  [`like:${ID}`, { id: ID }],
  [` LIKE: ${ID} `, { id: ID }],
  [`like:${ID} rust`, { hint: expect.stringMatching(/^like: takes the id/) }],
  ['like:rust', { hint: expect.stringMatching(/^like: takes the id/) }],
  ['likely', undefined],
  [`things like:${ID}`, undefined],
  [undefined, undefined]
] as const)('the words %j are read as %j', ([search, expected]) => {
  expect(likeIn(search)).toEqual(expected)
})

test('agents and the dashboard get similar bookmarks, page by page, and suggested tags', async () => {
  const service = await testService()
  const key = await makeKey(service)
  const search = async (words: string, more = {}) =>
    (await callTool(service, key, 'bookmarks.search', { search: words, ...more })).payload
  const items = ['rye', 'wheat', 'spelt'].map((grain) => ({
    url: `https://${grain}.example/`,
    title: `Sourdough of ${grain}`,
    tags: ['baking']
  }))
  const lone = { url: 'https://trains.example/', title: 'Night trains', tags: ['travel'] }
  for (const item of [...items, lone]) await callApi(service, 'POST', '/bookmarks', { type: 'link', ...item })
  const idOf = async (words: string) => (await search(words)).bookmarks[0].id as string
  const id = await idOf('rye')
  const first = await search(`like:${id}`, { limit: 1 })
  expect(first).toMatchObject({ total: 2, hasMore: true, bookmarks: [{ tags: ['baking'] }] })
  expect(await search(`like:${id}`, { limit: 1, page: 2 })).toMatchObject({ hasMore: false, bookmarks: [{}] })
  expect(await search(`like:${await idOf('trains')}`)).toMatchObject({
    total: 0,
    hint: 'No other bookmark is like this one.'
  })
  expect(await search(`like:${ID}`)).toMatchObject({
    total: 0,
    hint: expect.stringContaining('no bookmark with this id')
  })
  expect(await search(`like:${id}`, { type: 'text' })).toMatchObject({
    total: 2,
    hint: expect.stringContaining('the filters were not used')
  })
  expect(await search('like:rye')).toMatchObject({ total: 0, hint: expect.stringContaining('like: takes the id') })
  const related = await (await callApi(service, 'GET', `/bookmarks/${id}/related?limit=5`)).json()
  expect(related).toMatchObject({ bookmarks: [{ tags: ['baking'] }, { tags: ['baking'] }] })
  const suggested = await callApi(service, 'POST', '/tags/suggestions', { title: 'Sourdough of oats' })
  expect(await suggested.json()).toEqual({ tags: ['baking'] })
  const wrong = await callApi(service, 'POST', '/tags/suggestions', { name: 'x' })
  expect(wrong.status).toBe(400)
})
