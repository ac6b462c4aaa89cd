import { describe, expect, test } from 'vitest'
import { testService } from '../support/service.ts'
import { type Api, apiOf, refusal } from './api.ts'

const RUST = { query: 'rust -game', tags: ['crab'] }
const SEARCH = { name: 'rust', address: '/links?q=rust&tag=to+read' }

const newApi = async () => apiOf(await testService())

async function created(api: Api, path: string, request: object) {
  const { status, body } = await api('POST', path, request)
  expect(status).toBe(201)
  return body
}

/** Undoes a step, and returns the step that redoes it. */
async function undone(api: Api, step: number): Promise<number> {
  const { status, body } = await api('POST', `/undo/${step}`)
  expect(status).toBe(200)
  return body.redo
}

describe('a rule', () => {
  async function saved(api: Api, title: string, more: object = {}): Promise<string> {
    return (await created(api, '/bookmarks', { type: 'text', content: title, title, ...more })).bookmark.id
  }

  test('is created, changed and deleted, and each of these is undone and redone', async () => {
    const api = await newApi()
    const rule = await created(api, '/rules', { query: ' rust ', tags: ['#crab', 'Crab', 'a  b'] })
    expect(rule).toMatchObject({ query: 'rust', tags: ['crab', 'a b'], visibility: null, matched: 0, matchedAt: null })
    await api('POST', '/organizations', { name: 'Acme' })
    const moving = { query: 'tag:acme', organization: 'acme' }
    const { undo: change } = (await api('PATCH', `/rules/${rule.id}`, moving)).body as { undo: number }
    const changed = { id: rule.id, query: 'tag:acme', tags: [], organization: { name: 'Acme', isGone: false } }
    expect((await api('GET', '/rules')).body).toMatchObject([changed])
    const { undo: deletion } = (await api('DELETE', `/rules/${rule.id}`)).body as { undo: number }
    expect((await api('GET', '/rules')).body).toEqual([])
    const redo = await undone(api, deletion)
    expect((await api('GET', '/rules')).body).toMatchObject([changed])
    const again = await undone(api, redo)
    expect((await api('GET', '/rules')).body).toEqual([])
    await undone(api, again)
    await undone(api, change)
    expect((await api('GET', '/rules')).body).toMatchObject([{ id: rule.id, query: 'rust', organization: null }])
    await undone(api, rule.undo)
    expect((await api('GET', '/rules')).body).toEqual([])
  })

  test('counts its matches, and changes them in one step that can be undone', async () => {
    const api = await newApi()
    await api('POST', '/organizations', { name: 'Acme' })
    const own = await saved(api, 'rust')
    const acme = await saved(api, 'rust elsewhere', { organization: 'Acme' })
    await saved(api, 'rust, the game')
    const query = encodeURIComponent(RUST.query)
    expect((await api('GET', `/rules/matches?query=${query}`)).body).toEqual({ total: 2 })
    expect((await api('GET', `/rules/matches?query=${query}&own=true`)).body).toEqual({ total: 1 })
    const apply = async (rule: object) => {
      const { id } = await created(api, '/rules', rule)
      return (await api('POST', `/rules/${id}/applications`)).body
    }
    const tagging = await apply(RUST)
    expect(tagging).toMatchObject({ changed: 2, unchanged: 0, undo: expect.any(Number) })
    const moving = await apply({ ...RUST, organization: 'Acme' })
    expect(moving).toMatchObject({ changed: 1 })
    const both = async () => [
      (await api('GET', `/bookmarks/${own}`)).body,
      (await api('GET', `/bookmarks/${acme}`)).body
    ]
    const moved = { visibility: 'organization', tags: ['crab'] }
    expect(await both()).toMatchObject([moved, moved])
    for (const { undo } of [moving, tagging]) await api('POST', `/undo/${undo}`)
    expect(await both()).toMatchObject([
      { visibility: 'private', tags: [] },
      { visibility: 'organization', tags: [] }
    ])
  })

  test('does not move a page into an organization that already has it', async () => {
    const api = await newApi()
    await api('POST', '/organizations', { name: 'Acme' })
    const page = { type: 'link', url: 'https://a.example/', content: undefined }
    await saved(api, 'rust', { ...page, organization: 'Acme' })
    const own = await saved(api, 'rust', page)
    const { id } = await created(api, '/rules', { query: 'rust', organization: 'Acme' })
    expect((await api('POST', `/rules/${id}/applications`)).body).toMatchObject({
      changed: 0,
      kept: [{ id: own, reason: 'same-page' }],
      undo: null
    })
  })

  test.for([
    ['without a query', { query: ' ', tags: ['x'] }, 'needs a query'],
    ['with a query without a word', { query: '"…" ()', tags: ['x'] }, 'neither a word nor a filter'],
    ['with an unknown type', { query: 'type:video', tags: ['x'] }, 'There is no type “video”'],
    ['with a filter of another program', { query: 'inurl:docs', tags: ['x'] }, 'is not a filter'],
    ['with an invalid date', { query: 'before:soon', tags: ['x'] }, 'is not a date'],
    ['with a query that is too long', { query: 'x'.repeat(1001), tags: ['x'] }, 'at most 1,000'],
    ['that adds nothing', { query: 'rust', tags: [' # '] }, 'Choose what the rule does'],
    ['without the name of its organization', { query: 'rust', visibility: 'organization' }, 'Choose the organization'],
    ['for an organization and public', { query: 'rust', visibility: 'public', organization: 'A' }, 'cannot be public']
  ] as const)('%s is refused', async ([, rule, fault]) => {
    const api = await newApi()
    expect(await api('POST', '/rules', rule)).toMatchObject(refusal(400, 'invalid', fault))
    expect((await api('GET', '/rules')).body).toEqual([])
  })

  test('is not counted if its query has neither a word nor a filter', async () => {
    const answer = await (await newApi())('GET', '/rules/matches?query=()')
    expect(answer).toMatchObject(refusal(400, 'invalid', 'This query has neither a word nor a filter.'))
  })

  test('names its organization if that is unknown or deleted', async () => {
    const api = await newApi()
    const rule = { ...RUST, organization: 'Acme' }
    const unknown = refusal(404, 'not-found', 'There is no organization named Acme.')
    expect(await api('POST', '/rules', rule)).toMatchObject(unknown)
    const organization = await created(api, '/organizations', { name: 'Acme' })
    const { id } = await created(api, '/rules', rule)
    await api('DELETE', `/organizations/${organization.id}?bookmarks=profile`)
    const deleted = refusal(404, 'not-found', 'The organization Acme was deleted. Choose another for this rule.')
    expect(await api('POST', `/rules/${id}/applications`)).toMatchObject(deleted)
  })

  test.each([
    ['PATCH', '/rules/unknown', RUST],
    ['DELETE', '/rules/unknown', undefined],
    ['POST', '/rules/unknown/applications', undefined]
  ])('that does not exist is not found: %s %s', async (method, path, body) => {
    const answer = await (await newApi())(method, path, body)
    expect(answer).toMatchObject(refusal(404, 'not-found', 'This rule is no longer there.'))
  })
})

describe('a saved search', () => {
  test('is created, renamed and deleted, and each of these is undone under its id', async () => {
    const api = await newApi()
    const { undo, ...search } = await created(api, '/searches', SEARCH)
    const listed = async () => (await api('GET', '/searches')).body
    expect(await listed()).toEqual([search])
    expect(search).toEqual({ ...SEARCH, id: expect.any(String) })
    const renaming = (await api('PATCH', `/searches/${search.id}`, { name: ' Ru\u202est ' })).body as { undo: number }
    expect(await listed()).toEqual([{ ...search, name: 'Rust' }])
    const deletion = (await api('DELETE', `/searches/${search.id}`)).body as { undo: number }
    expect(await listed()).toEqual([])
    await undone(api, deletion.undo)
    expect(await listed()).toEqual([{ ...search, name: 'Rust' }])
    await undone(api, renaming.undo)
    expect(await listed()).toEqual([search])
    const redo = await undone(api, undo)
    expect(await listed()).toEqual([])
    await undone(api, redo)
    expect(await listed()).toEqual([search])
  })

  test.for(['organization:Acme rust', 'rust organization:"acme"'])(
    'for %s finds the same after a rename',
    async (q) => {
      const api = await newApi()
      const { id } = (await api('POST', '/organizations', { name: 'Acme' })).body
      const { address } = await created(api, '/searches', { name: 'x', address: `/?${new URLSearchParams({ q })}` })
      const text = new URLSearchParams(address.slice(2)).get('q')
      expect(text).toBe(q.replace(/organization:\S+/, `organization:${id}`))
      await api('PATCH', `/organizations/${id}`, { name: 'Other' })
      expect((await api('GET', `/bookmarks?organization=${id}`)).body).toMatchObject({ total: 0 })
      const unknown = await created(api, '/searches', { name: 'y', address: '/?q=organization:Acme' })
      expect(unknown.address).toBe('/?q=organization:Acme')
    }
  )

  test('gets other filters and keeps its name, until that is undone', async () => {
    const api = await newApi()
    const { undo: _, ...search } = await created(api, '/searches', SEARCH)
    const address = '/?q=rust+tag:async'
    const { body } = await api('PATCH', `/searches/${search.id}`, { address })
    expect((await api('GET', '/searches')).body).toEqual([{ ...search, address }])
    await undone(api, (body as { undo: number }).undo)
    expect((await api('GET', '/searches')).body).toEqual([search])
  })

  test('whose name is taken is refused, also when its deletion is undone', async () => {
    const api = await newApi()
    await created(api, '/searches', SEARCH)
    const taken = refusal(409, 'taken', 'There is already a saved search named RUST.')
    expect(await api('POST', '/searches', { ...SEARCH, name: 'RUST' })).toMatchObject(taken)
    const [{ id }] = (await api('GET', '/searches')).body as [{ id: string }]
    const { undo } = (await api('DELETE', `/searches/${id}`)).body as { undo: number }
    await created(api, '/searches', { ...SEARCH, name: 'RUST' })
    const again = refusal(409, 'taken', 'There is already a saved search named rust.')
    expect(await api('POST', `/undo/${undo}`)).toMatchObject(again)
  })

  test('that does not exist is not found', async () => {
    const api = await newApi()
    const missing = refusal(404, 'not-found', 'This saved search is no longer there.')
    expect(await api('PATCH', '/searches/unknown', { name: 'x' })).toMatchObject(missing)
    expect(await api('DELETE', '/searches/unknown')).toMatchObject(missing)
  })

  test.for([
    ['without a name', { name: ' ' }, 'needs a name'],
    ['with an invisible name', { name: '\u202e' }, 'needs a name'],
    ['of another page', { address: '/settings?q=x' }, 'Only a search'],
    ['without words and filters', { address: '/links' }, 'Only a search'],
    ['of another site', { address: '//a.example/?q=x' }, 'Only a search'],
    ['whose address is a script', { address: 'javascript:alert(1)?x' }, 'Only a search'],
    ['whose address is too long', { address: `/?q=${'x'.repeat(8000)}` }, 'too long']
  ] as const)('%s is refused', async ([, change, fault]) => {
    const api = await newApi()
    expect(await api('POST', '/searches', { ...SEARCH, ...change })).toMatchObject(refusal(400, 'invalid', fault))
    expect((await api('GET', '/searches')).body).toEqual([])
  })
})
