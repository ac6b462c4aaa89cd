import { expect, test } from 'vitest'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { apiOf, refusal } from './api.ts'

async function shelf() {
  const service = await testService()
  const api = apiOf(service)
  const { body } = await api('POST', '/bookmarks', { type: 'link', url: 'https://a.example/', title: 'A page' })
  return { service, api, id: body.bookmark.id as string }
}

test('a highlight is made, changed, listed, deleted and brought back', async () => {
  const { api, id } = await shelf()
  const path = `/bookmarks/${id}/highlights/h1`
  const made = await api('PUT', path, { quote: 'One sentence', prefix: 'before ', start: 7 })
  const shown = { id: 'h1', quote: 'One sentence', prefix: 'before ', suffix: '', start: 7, color: 'yellow', note: '' }
  expect(made).toMatchObject({ status: 200, body: { highlight: shown, undo: expect.any(Number) } })
  expect(made.body.highlight.createdAt).toMatch(/^\d{4}-.*Z$/)
  await api('PUT', path, { quote: 'One sentence', prefix: 'before ', start: 7, color: 'pink', note: 'Why' })
  const changed = { ...shown, color: 'pink', note: 'Why', createdAt: made.body.highlight.createdAt }
  expect((await api('GET', `/bookmarks/${id}/highlights`)).body).toEqual({ highlights: [changed] })
  const bookmark = { id, title: 'A page', url: 'https://a.example/', domain: 'a.example', hasText: false }
  const all = { total: 1, page: 1, limit: 50, hasMore: false, highlights: [{ ...changed, bookmark }] }
  expect((await api('GET', '/highlights?words=why&color=pink')).body).toEqual(all)
  expect((await api('GET', '/highlights?color=blue')).body).toMatchObject({ total: 0, highlights: [] })
  const { body } = await api('DELETE', path)
  expect((await api('GET', '/highlights')).body.total).toBe(0)
  await api('POST', `/undo/${body.undo}`)
  expect((await api('GET', `/bookmarks/${id}/highlights`)).body).toEqual({ highlights: [changed] })
})

test('bad highlights are refused', async () => {
  const { api, id } = await shelf()
  const path = `/bookmarks/${id}/highlights`
  expect(await api('PUT', `${path}/h1`, { quote: ' ' })).toMatchObject(refusal(400, 'invalid', /select some text/))
  expect(await api('PUT', `${path}/h1`, { quote: 'x', color: 'red' })).toMatchObject(refusal(400, 'invalid', /color/))
  expect(await api('PUT', `${path}/h%20`, { quote: 'x' })).toMatchObject(refusal(400, 'invalid', /id of a highlight/))
  expect(await api('PUT', '/bookmarks/none/highlights/h1', { quote: 'x' })).toMatchObject({ status: 404 })
  expect(await api('DELETE', `${path}/h1`)).toMatchObject(refusal(404, 'not-found', /no such highlight/))
  expect(await api('GET', '/highlights?color=red')).toMatchObject({ status: 400 })
})

test('the owner’s agents get highlights with a text, also with a read-only key; those of an organization do not', async () => {
  const { service, api, id } = await shelf()
  await api('PATCH', `/bookmarks/${id}`, { visibility: 'public' })
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  await api('PUT', `/bookmarks/${id}/highlights/h1`, { quote: 'One\nsentence', note: 'Why' })
  await api('PUT', `/bookmarks/${id}/highlights/h2`, { quote: `${'long '.repeat(900)}end` })
  const reading = async (key: object, search = `id:${id}`) =>
    (await callTool(service, await makeKey(service, key), 'bookmarks.search', { search })).payload
  const expected = ['“One sentence” (note: Why)', expect.stringMatching(/^“long .{490,500}…”$/)]
  expect((await reading({})).bookmarks[0].highlights).toEqual(expected)
  expect((await reading({ name: 'reader', readOnly: true })).bookmarks[0].highlights).toEqual(expected)
  const strangers = { name: 'acme', organization: 'Acme' }
  expect((await reading(strangers)).bookmarks).toMatchObject([{ id }])
  expect(JSON.stringify(await reading(strangers))).not.toMatch(/sentence|Why/)
  for (const search of ['is:highlighted', 'Why', 'sentence']) {
    expect(await reading(strangers, search)).toMatchObject({ total: 0, bookmarks: [] })
  }
  expect(await reading({ name: 'another' }, 'is:highlighted')).toMatchObject({ total: 1 })
})
