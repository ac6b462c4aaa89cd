import { expect, test } from 'vitest'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

test('a key of an organization is answered the same for a tag that nobody has and one only on hidden bookmarks', async () => {
  const service = await testService()
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  const save = (url: string, more: object) => callApi(service, 'POST', '/bookmarks', { type: 'link', url, ...more })
  await save('https://a.example/', { title: 'Private', tags: ['oncology'] })
  await save('https://b.example/', { title: 'Shared', tags: ['team'], organization: 'Acme' })
  const key = await makeKey(service, { organization: 'Acme' })
  const forms = [
    (tag: string) => ({ search: `tag:${tag}` }),
    (tag: string) => ({ search: `tag:${tag} shared` }),
    (tag: string) => ({ search: `-tag:${tag} shared` }),
    (tag: string) => ({ search: `tag:"${tag}" OR tag:zqzq qvxqvx` }),
    (tag: string) => ({ search: `tag:"${tag}" OR tag:team qvxqvx` }),
    (tag: string) => ({ search: 'qvxqvx', tags: [tag] }),
    (tag: string) => ({ tags: [tag, 'team'] })
  ]
  for (const form of forms) {
    const answers = await Promise.all(
      ['oncology', 'cardiology'].map(async (tag) => {
        const { payload } = await callTool(service, key, 'bookmarks.search', form(tag))
        return JSON.stringify(payload).replaceAll(tag, 'TAG')
      })
    )
    expect(answers[0]).toBe(answers[1])
  }
})

test('how a private bookmark’s tag is spelled is not told to a key of an organization', async () => {
  const service = await testService()
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  const save = async (url: string, more: object) => {
    const made = await callApi(service, 'POST', '/bookmarks', { type: 'link', url, ...more })
    return ((await made.json()) as { bookmark: { id: string } }).bookmark.id
  }
  await save('https://a.example/', { tags: ['KesTRel'] })
  const id = await save('https://b.example/', { title: 'Shared', tags: ['kestrel'], organization: 'Acme' })
  const key = await makeKey(service, { organization: 'Acme' })
  for (const args of [{ search: 'shared' }, { tags: ['KESTREL'] }, { search: `id:${id}` }]) {
    const { payload } = await callTool(service, key, 'bookmarks.search', args)
    expect(payload.bookmarks).toMatchObject([{ title: 'Shared', tags: ['kestrel'] }])
  }
  const { payload } = await callTool(service, await makeKey(service), 'bookmarks.search', { search: 'shared' })
  expect(payload.bookmarks).toMatchObject([{ tags: ['KesTRel'] }])
})
