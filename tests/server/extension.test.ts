import { describe, expect, test } from 'vitest'
import { computeProof, extensionToken } from '../../src-main/actions/keys/credentials.ts'
import { EXTENSION_TOKEN } from '../../src-main/contract/extension-id.ts'
import { apiRoutes } from '../../src-main/server/api.ts'
import type { ServerContext } from '../../src-main/server/context.ts'
import type { Service } from '../../src-main/service.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { page, startTestWeb } from '../support/test-web.ts'

/** Calls the API as the extension’s native host does. */
async function ask(service: Service, what: string, body: object, token = extensionToken(service.commandToken)) {
  const response = await service.fetch(
    new Request(`http://127.0.0.1/api/extension/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  )
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  return { status: response.status, body: (await response.json()) as any }
}

/** All bookmarks, as the owner sees them. */
async function listed(service: Service, query = '') {
  const response = await callApi(service, 'GET', `/bookmarks?limit=50${query}`)
  return ((await response.json()) as { bookmarks: { id: string; title: string }[] }).bookmarks
}

const URL_A = 'https://a.example/page'
const PAGE = { type: 'link', url: URL_A, title: 'A page', description: 'A passage', tags: ['one', 'Two'] }

describe('a page', () => {
  test('is saved with its details, and is found as saved and by its words', async () => {
    const service = await testService()
    expect(await ask(service, 'saved', { url: URL_A })).toEqual({ status: 200, body: { bookmark: null } })
    const { status, body } = await ask(service, 'save', PAGE)
    const shown = { ...PAGE, organization: null, savedAt: expect.stringMatching(/^\d{4}-.*Z$/), type: undefined }
    expect([status, body]).toEqual([200, { status: 'saved', bookmark: shown, copy: false }])
    expect((await ask(service, 'saved', { url: `${URL_A}?utm_source=mail#top` })).body.bookmark).toEqual(shown)
    expect((await ask(service, 'search', { words: 'passag' })).body.bookmarks).toEqual([shown])
  })

  test('is moved to the trash, unless it belongs to an organization or is not saved', async () => {
    const service = await testService()
    await ask(service, 'save', PAGE)
    expect((await ask(service, 'remove', { url: `${URL_A}#part` })).body).toEqual({ removed: true })
    expect(await listed(service)).toEqual([])
    expect((await ask(service, 'remove', { url: URL_A })).body).toEqual({ removed: false })
    const acme = await callApi(service, 'POST', '/organizations', { name: 'Acme' })
    const { id } = (await acme.json()) as { id: string }
    const place = { visibility: 'organization', organization: id }
    await callApi(service, 'POST', '/bookmarks', { type: 'link', url: URL_A, ...place })
    expect((await ask(service, 'remove', { url: URL_A })).body).toEqual({ removed: false })
    expect(await listed(service)).toHaveLength(1)
  })

  test('that is saved gets the fields that are sent and keeps the others', async () => {
    const service = await testService()
    await ask(service, 'save', PAGE)
    const again = await ask(service, 'save', { ...PAGE, tags: ['three'], title: 'Renamed' })
    expect(again.body).toMatchObject({
      status: 'changed',
      bookmark: { title: 'Renamed', description: 'A passage', tags: ['three'] }
    })
    const bare = await ask(service, 'save', { type: 'link', url: URL_A })
    expect(bare.body).toMatchObject({ status: 'existing', bookmark: { title: 'Renamed', tags: ['three'] } })
    expect(await listed(service)).toHaveLength(1)
  })

  test('gets suggested tags of similar bookmarks, except its own tags and “unread”', async () => {
    const service = await testService()
    for (const grain of ['rye', 'wheat']) {
      const title = `Sourdough of ${grain}`
      await ask(service, 'save', {
        ...PAGE,
        url: `https://${grain}.example/`,
        title,
        tags: ['baking', 'unread', 'Two']
      })
    }
    const about = { url: 'https://oats.example/', title: 'Sourdough of oats', tags: ['two'] }
    expect(await ask(service, 'suggestions', about)).toEqual({ status: 200, body: { tags: ['baking'] } })
    expect((await listed(service)).length).toBe(2)
  })

  test('that a rule wants a copy of is saved with that request, unless it was saved before or belongs to others', async () => {
    const service = await testService()
    await callApi(service, 'POST', '/rules', { query: 'site:a.example', copy: true })
    await callApi(service, 'POST', '/organizations', { name: 'Client' })
    await callApi(service, 'POST', '/rules', { query: 'client', organization: 'Client' })
    expect((await ask(service, 'save', PAGE)).body).toMatchObject({ status: 'saved', copy: true })
    expect((await ask(service, 'save', { ...PAGE, title: 'New' })).body).toMatchObject({
      status: 'changed',
      copy: false
    })
    const other = { ...PAGE, url: 'https://b.example/' }
    expect((await ask(service, 'save', other)).body).toMatchObject({ status: 'saved', copy: false })
    const theirs = { ...PAGE, url: 'https://a.example/client', title: 'client' }
    expect((await ask(service, 'save', theirs)).body).toMatchObject({ status: 'saved', copy: false })
  })

  test('in the trash is restored with the new title and with old and new tags', async () => {
    const service = await testService()
    await ask(service, 'save', PAGE)
    const [first] = await listed(service)
    await callApi(service, 'POST', '/bookmarks/changes', { ids: [first?.id], change: { kind: 'delete' } })
    expect((await ask(service, 'saved', { url: URL_A })).body).toEqual({ bookmark: null })
    const { body } = await ask(service, 'save', { ...PAGE, title: 'Now', tags: ['now'] })
    const tags = ['now', 'one', 'Two']
    expect(body).toMatchObject({ status: 'saved', bookmark: { title: 'Now', tags, description: 'A passage' } })
    expect(await listed(service)).toMatchObject([{ id: first?.id, title: 'Now' }])
  })

  test('of an organization is unchanged; the content of the tab is saved privately', async () => {
    const service = await testService()
    await callApi(service, 'POST', '/organizations', { name: 'Client' })
    await callApi(service, 'POST', '/bookmarks', { type: 'link', url: URL_A, title: 'Theirs', organization: 'Client' })
    const { body } = await ask(service, 'saved', { url: URL_A })
    expect(body.bookmark).toMatchObject({ title: 'Theirs', organization: 'Client' })
    const sent = { ...PAGE, title: 'Inbox (3)', pageText: 'Your verification code is 829113.' }
    expect((await ask(service, 'save', sent)).body).toMatchObject({
      status: 'saved',
      bookmark: { title: 'Inbox (3)', organization: null }
    })
    expect((await ask(service, 'saved', { url: URL_A })).body.bookmark).toMatchObject({ title: 'Inbox (3)' })
    const key = await makeKey(service, { organization: 'Client' })
    const { payload } = await callTool(service, key, 'bookmarks.search', { search: 'inbox OR verification OR theirs' })
    expect(payload.bookmarks).toMatchObject([{ title: 'Theirs' }])
  })

  test('that is shared does not show the text that only the owner’s browser sent', async () => {
    const service = await testService()
    await callApi(service, 'POST', '/organizations', { name: 'Client' })
    await ask(service, 'save', { ...PAGE, title: 'Account', pageText: 'Your verification code is 829113.' })
    const id = (await listed(service))[0]?.id
    const keys = [await makeKey(service, { organization: 'Client' }), await makeKey(service)]
    const seen = (key = '') =>
      Promise.all(
        [{ search: 'verification' }, { search: `id:${id}` }].map(async (args) =>
          JSON.stringify((await callTool(service, key, 'bookmarks.search', args)).payload.bookmarks)
        )
      )
    const move = (place: object) =>
      callApi(service, 'POST', '/bookmarks/changes', { ids: [id], change: { kind: 'move', ...place } })
    for (const place of [{ visibility: 'organization', organization: 'Client' }, { visibility: 'public' }]) {
      expect((await move(place)).status).toBe(200)
      for (const key of keys) {
        const [found, read] = await seen(key)
        expect(found).toBe('[]')
        expect(read).toContain('Account')
        expect(read).not.toContain('829113')
      }
    }
    await move({ visibility: 'private' })
    for (const answer of await seen(keys[1])) expect(answer).toContain('Account')
    expect((await seen(keys[1]))[1]).toContain('829113')
  })

  test('is found by the text of the tab, which fetching the page does not replace', async () => {
    const web = await startTestWeb(() =>
      page('<title>Sign in</title><meta property="og:site_name" content="Site"><p>Please type your password here.</p>')
    )
    const service = await testService({ web: 'internet', wire: web.wire })
    await service.listen(0)
    const url = 'http://a.example/account'
    await ask(service, 'save', {
      type: 'link',
      url,
      title: 'Account',
      pageText: 'Your balance is seven\u0000 narwhals.'
    })
    const [saved] = await listed(service)
    const read = async () => (await callApi(service, 'GET', `/bookmarks/${saved?.id}/page`)).json()
    await expect.poll(read).toMatchObject({ status: 'done', siteName: 'Site', minutes: 1 })
    expect(await (await callApi(service, 'GET', `/bookmarks/${saved?.id}/page/text`)).json()).toEqual({
      text: 'Your balance is seven narwhals.',
      isMarkdown: true,
      place: null
    })
    expect(await listed(service, '&words=narwhals')).toHaveLength(1)
    expect(await listed(service, '&words=password')).toHaveLength(0)
  })
})

test('a picture is saved by its address, and a passage as a text with its source', async () => {
  const service = await testService()
  await ask(service, 'save', { type: 'image', url: 'https://a.example/p.png' })
  await ask(service, 'save', { type: 'text', url: URL_A, content: 'A fine sentence.\nAnd one more.' })
  await ask(service, 'save', { type: 'text', url: URL_A, content: 'Another.' })
  expect(await listed(service, '&order=title')).toMatchObject([
    { type: 'text', title: 'A fine sentence.', url: URL_A, content: 'A fine sentence.\nAnd one more.' },
    { type: 'image', url: 'https://a.example/p.png' },
    { type: 'text', title: 'Another.' }
  ])
})

test('tags are completed by their beginning, then by any part, the most used first', async () => {
  const service = await testService()
  const save = (n: number, tags: string[]) =>
    ask(service, 'save', { type: 'link', url: `https://a.example/${n}`, tags })
  await save(1, ['typography', 'Type', 'prototype', 'other'])
  await save(2, ['typography'])
  await save(3, ['prototype'])
  expect((await ask(service, 'tags', { typed: '#TYP' })).body).toEqual({ tags: ['typography', 'Type', 'prototype'] })
  expect((await ask(service, 'tags', {})).body.tags.slice(0, 2).toSorted()).toEqual(['prototype', 'typography'])
  expect((await ask(service, 'tags', { typed: 'none' })).body).toEqual({ tags: [] })
})

test.each([
  ['save', { type: 'link', url: 'chrome://settings' }, /chrome: cannot be saved/],
  ['save', { type: 'link' }, /url: empty/],
  ['save', { type: 'text', content: ' ' }, /a text cannot be empty/],
  ['save', { ...PAGE, visibility: 'public' }, /visibility/],
  ['save', { ...PAGE, pageText: 'x'.repeat(120_001) }, /pageText/],
  ['search', { words: 'a', limit: 21 }, /limit/],
  ['saved', {}, /url/]
])('%s of %j is refused with the reason', async (what, body, words) => {
  const service = await testService()
  const answer = await ask(service, what, body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid'])
  expect(answer.body.error.message).toMatch(words)
  expect(await listed(service)).toEqual([])
})

describe('the extension’s token', () => {
  test('opens the calls of the extension and no other', async () => {
    const service = await testService()
    const token = extensionToken(service.commandToken)
    const calls = everyCall().filter(({ path }) => path !== '/proof' && path !== '/session')
    expect(calls.length).toBeGreaterThan(60)
    for (const { method, path } of calls) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = method === 'POST' ? '{}' : undefined
      const { status } = await service.fetch(new Request(`http://127.0.0.1/api${path}`, { method, headers, body }))
      const opens = path.startsWith('/extension/')
      expect([method, path, status]).toEqual([method, path, opens ? expect.not.toBeOneOf([401, 403, 404]) : 401])
    }
    expect((await callTool(service, token, 'bookmarks.search', {})).status).toBe(401)
  })

  test('is the only token that opens them', async () => {
    const service = await testService()
    const key = await makeKey(service)
    const guess = computeProof(service.commandToken, EXTENSION_TOKEN)
    for (const token of [service.commandToken, key, guess, 'x']) {
      expect((await ask(service, 'search', { words: 'a' }, token)).status).toBe(401)
    }
    const bare = new Request('http://127.0.0.1/api/extension/search', { method: 'POST', body: '{}' })
    expect((await service.fetch(bare)).status).toBe(401)
  })
})

/** The methods and paths of all calls of the API. */
function everyCall(): { method: string; path: string }[] {
  const nothing = {
    changes: { onChange() {}, onSessionEnd() {} },
    closing: new AbortController().signal,
    identification: {}
  }
  const context = { ...nothing, ports: { now: () => 0 } }
  return apiRoutes(context as unknown as ServerContext)
    .routes.filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, '1') }))
}
