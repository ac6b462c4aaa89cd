import { expect, test } from 'vitest'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

test('a key of an organization gets a new bookmark for a page in its trash, whose texts stay there', async () => {
  const service = await testService()
  const ask = async (method: string, path: string, body?: object) =>
    (await callApi(service, method, path, body)).json() as Promise<{
      bookmark: { id: string }
      bookmarks: { id: string; title: string; url: string }[]
      changed: number
    }>
  await ask('POST', '/organizations', { name: 'Acme' })
  const page = {
    type: 'link',
    url: 'https://a.example/',
    title: 'Sued by them',
    tags: ['secret'],
    organization: 'Acme'
  }
  const { id } = (await ask('POST', '/bookmarks', page)).bookmark
  await ask('POST', '/bookmarks/changes', { ids: [id], change: { kind: 'delete' } })
  const key = await makeKey(service, { organization: 'Acme' })

  const { payload } = await callTool(service, key, 'bookmarks.insert', { urls: page.url })
  expect(payload).toMatchObject({ saved: 1, existing: 0 })
  const saved = payload.bookmarks[0].id
  expect(saved).not.toBe(id)
  const seen = await callTool(service, key, 'bookmarks.search', {})
  expect(seen.payload.bookmarks).toMatchObject([{ id: saved, url: page.url }])
  expect(JSON.stringify(seen.payload)).not.toMatch(/Sued|secret/)
  expect((await callTool(service, key, 'bookmarks.insert', { urls: page.url })).payload).toMatchObject({ existing: 1 })

  // The owner has it still, and has it back.
  expect((await ask('GET', '/bookmarks?trash=true')).bookmarks).toMatchObject([{ id, title: 'Sued by them' }])
  expect((await ask('POST', '/bookmarks/changes', { ids: [id], change: { kind: 'restore' } })).changed).toBe(1)
  expect((await ask('GET', '/bookmarks')).bookmarks.map((one) => one.id).sort()).toEqual([id, saved].sort())

  // Once the other is gone for good, it is the page again.
  for (const kind of ['delete', 'purge']) await ask('POST', '/bookmarks/changes', { ids: [saved], change: { kind } })
  for (const kind of ['delete', 'restore']) await ask('POST', '/bookmarks/changes', { ids: [id], change: { kind } })
  expect((await callTool(service, key, 'bookmarks.insert', { urls: page.url })).payload).toMatchObject({ existing: 1 })
})

test('the owner’s own key, and the owner in an organization, have a page in the trash back as it was', async () => {
  const service = await testService()
  const ask = async (method: string, path: string, body?: object) =>
    (await callApi(service, method, path, body)).json() as Promise<{ bookmark: { id: string } }>
  await ask('POST', '/organizations', { name: 'Acme' })
  for (const place of [{ organization: 'Acme' }, {}]) {
    const page = { type: 'link', url: 'https://a.example/', ...place }
    const { id } = (await ask('POST', '/bookmarks', page)).bookmark
    await ask('POST', '/bookmarks/changes', { ids: [id], change: { kind: 'delete' } })
    expect((await ask('POST', '/bookmarks', page)).bookmark.id).toBe(id)
    if ('organization' in place) continue
    await ask('POST', '/bookmarks/changes', { ids: [id], change: { kind: 'delete' } })
    const { payload } = await callTool(service, await makeKey(service), 'bookmarks.insert', { urls: page.url })
    expect(payload.bookmarks).toMatchObject([{ id, status: 'saved' }])
  }
})
