import { expect, test } from 'vitest'
import { callTool, makeKey, testService } from '../support/service.ts'
import { type Answering, page, redirect, startTestWeb } from '../support/test-web.ts'
import { apiOf, refusal } from './api.ts'

/** A service whose web has one missing and one moved page. */
async function checking() {
  const pages: Record<string, Answering> = {
    'a.example/': page('<title>Here</title>'),
    'b.example/old': redirect('/new', 301),
    'b.example/new': page('<title>New</title>')
  }
  const web = await startTestWeb((target) => pages[target])
  const service = await testService({ web: 'internet', wire: web.wire })
  const key = await makeKey(service)
  const { payload } = await callTool(service, key, 'bookmarks.insert', {
    urls: ['http://a.example/', 'http://b.example/old', 'http://gone.example/x']
  })
  const api = apiOf(service)
  return {
    api,
    ids: payload.bookmarks.map(({ id }: { id: string }) => id) as string[],
    search: async (args: object) => (await callTool(service, key, 'bookmarks.search', args)).payload,
    check: async () => (await api('GET', '/link-checks')).body.check
  }
}

test('a check reports its progress and its results, which searches and lists find', async () => {
  const { api, ids, search, check } = await checking()
  expect(await api('GET', '/link-checks')).toEqual({ status: 200, body: { check: null, paused: null } })
  expect((await api('GET', '/link-checks/found')).body).toEqual([])
  expect((await api('GET', '/link-checks/unchecked')).body).toEqual({ unchecked: 3 })
  expect(await api('POST', '/link-checks', {})).toMatchObject({
    status: 202,
    body: { check: { total: 3, endedAt: null } }
  })
  await expect.poll(async () => (await check()).endedAt).not.toBeNull()
  expect(await check()).toMatchObject({ total: 3, checked: 3, broken: 1, moved: 1, cancelled: false })
  expect((await api('GET', '/link-checks/found')).body).toEqual([
    expect.objectContaining({ id: ids[2], link: 'broken', fault: 'gone', movedTo: null }),
    expect.objectContaining({ id: ids[1], link: 'moved', fault: null, movedTo: 'http://b.example/new' })
  ])
  expect((await api('GET', '/bookmarks/counts')).body).toMatchObject({ all: 3, broken: 1, moved: 1 })
  expect((await api('GET', '/bookmarks?is=moved')).body).toMatchObject({ total: 1, bookmarks: [{ id: ids[1] }] })
  expect((await api('GET', '/bookmarks?is=moved&is=broken&order=oldest')).body).toMatchObject({ total: 2 })
  expect((await api('GET', '/bookmarks?is=lost')).status).toBe(400)
  expect((await api('GET', `/bookmarks/${ids[1]}/page`)).body).toMatchObject({
    link: { state: 'moved', movedTo: 'http://b.example/new' }
  })
  expect(await search({ search: 'is:broken' })).toMatchObject({ total: 1, bookmarks: [{ id: ids[2], link: 'broken' }] })
  const { bookmarks } = await search({ search: '-is:broken -is:moved' })
  expect(bookmarks.map((bookmark: object) => ['id' in bookmark && bookmark.id, 'link' in bookmark])).toEqual([
    [ids[0], false]
  ])
  expect(await search({ search: 'is:broken', domain: 'a.example' })).toMatchObject({
    total: 0,
    hint: expect.stringContaining('domain')
  })

  const followed = await api('POST', '/bookmarks/changes', { ids, change: { kind: 'follow' } })
  expect(followed.body).toMatchObject({ changed: 1, unchanged: 2 })
  expect((await api('GET', `/bookmarks/${ids[1]}`)).body).toMatchObject({ url: 'http://b.example/new', link: null })
})

test('a check refuses invalid selections, and is cancelled on request', async () => {
  const { api, ids, check } = await checking()
  expect((await api('POST', '/link-checks', { ids: [] })).status).toBe(400)
  expect((await api('POST', '/link-checks', { ids, tag: ['a'] })).status).toBe(400)
  expect((await api('POST', '/link-checks', { organization: 'nobody' })).status).toBe(404)
  expect((await api('POST', '/link-checks/cancel')).body).toMatchObject({ check: null })
  await api('POST', '/link-checks', { ids: ids.slice(0, 1) })
  await api('POST', '/link-checks/cancel')
  expect(await check()).toMatchObject({ total: 1, endedAt: expect.any(String) })
})

test('a service that fetches nothing refuses a check', async () => {
  const api = apiOf(await testService())
  expect((await api('GET', '/link-checks')).body).toEqual({ check: null, paused: 'off' })
  expect(await api('POST', '/link-checks', {})).toMatchObject(refusal(400, 'invalid', '--no-fetch'))
})
