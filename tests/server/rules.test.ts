import { describe, expect, test } from 'vitest'
import type { Bookmark } from '../../src-main/contract/bookmark.ts'
import type { ChangeReport } from '../../src-main/contract/bookmark-change.ts'
import type { Rule } from '../../src-main/contract/rule.ts'
import type { Service } from '../../src-main/service.ts'
import { callApi, makeKey, testService } from '../support/service.ts'

const RUST = { query: 'rust -game', tags: ['crab'] }

async function made(service: Service, rule: object = RUST): Promise<Rule> {
  const response = await callApi(service, 'POST', '/rules', rule)
  expect(response.status).toBe(201)
  return (await response.json()) as Rule
}

async function read<Answer>(service: Service, path: string): Promise<Answer> {
  return (await callApi(service, 'GET', path)).json() as Promise<Answer>
}

async function refusal(answer: Promise<Response>): Promise<unknown> {
  const response = await answer
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return [response.status, error.code, error.message]
}

async function saved(service: Service, title: string, more: object = {}): Promise<string> {
  const response = await callApi(service, 'POST', '/bookmarks', { type: 'text', content: title, title, ...more })
  return ((await response.json()) as { bookmark: Bookmark }).bookmark.id
}

async function applied(service: Service, rule: string): Promise<ChangeReport> {
  const response = await callApi(service, 'POST', `/rules/${rule}/applications`)
  expect(response.status).toBe(200)
  return (await response.json()) as ChangeReport
}

test('a rule is made, changed, deleted and brought back', async () => {
  const service = await testService()
  const rule = await made(service, { query: ' rust ', tags: ['#crab', 'Crab', 'a  b'] })
  expect(rule).toMatchObject({ query: 'rust', tags: ['crab', 'a b'], visibility: null, matched: 0, matchedAt: null })
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  const moving = { query: 'tag:acme', organization: 'acme' }
  expect((await callApi(service, 'PATCH', `/rules/${rule.id}`, moving)).status).toBe(204)
  const changed = { id: rule.id, query: 'tag:acme', tags: [], organization: { name: 'Acme', isGone: false } }
  expect(await read(service, '/rules')).toMatchObject([changed])
  expect((await callApi(service, 'DELETE', `/rules/${rule.id}`)).status).toBe(204)
  expect(await read(service, '/rules')).toEqual([])
  expect((await callApi(service, 'POST', `/rules/${rule.id}/restorations`)).status).toBe(204)
  expect(await read(service, '/rules')).toMatchObject([changed])
})

test('what a rule would change is counted, and changed as one step that can be undone', async () => {
  const service = await testService()
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  const own = await saved(service, 'rust')
  const acme = await saved(service, 'rust elsewhere', { organization: 'Acme' })
  await saved(service, 'rust, the game')
  const query = encodeURIComponent(RUST.query)
  expect(await read(service, `/rules/matches?query=${query}`)).toEqual({ total: 2 })
  expect(await read(service, `/rules/matches?query=${query}&own=true`)).toEqual({ total: 1 })
  const tagging = await applied(service, (await made(service)).id)
  expect(tagging).toMatchObject({ changed: 2, unchanged: 0, undo: expect.any(Number) })
  const moving = await applied(service, (await made(service, { ...RUST, organization: 'Acme' })).id)
  expect(moving).toMatchObject({ changed: 1 })
  const both = async () => [await read(service, `/bookmarks/${own}`), await read(service, `/bookmarks/${acme}`)]
  expect(await both()).toMatchObject([
    { visibility: 'organization', tags: ['crab'] },
    { visibility: 'organization', tags: ['crab'] }
  ])
  for (const { undo } of [moving, tagging]) await callApi(service, 'POST', `/undo/${undo}`)
  expect(await both()).toMatchObject([
    { visibility: 'private', tags: [] },
    { visibility: 'organization', tags: [] }
  ])
})

test('moving into an organization that has the page already is left alone, saying so', async () => {
  const service = await testService()
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  const page = { type: 'link', url: 'https://a.example/', content: undefined }
  await saved(service, 'rust', { ...page, organization: 'Acme' })
  const own = await saved(service, 'rust', page)
  const { id } = await made(service, { query: 'rust', organization: 'Acme' })
  expect(await applied(service, id)).toMatchObject({ changed: 0, kept: [{ id: own, reason: 'same-page' }], undo: null })
})

describe('refused is', () => {
  test.for([
    ['no query', { query: ' ', tags: ['x'] }, 'needs a query'],
    ['a query without a word', { query: '"…" ()', tags: ['x'] }, 'neither a word nor a filter'],
    ['a type that is none', { query: 'type:video', tags: ['x'] }, 'There is no type “video”'],
    ['a filter of another program', { query: 'inurl:docs', tags: ['x'] }, 'is not a filter'],
    ['a date that is none', { query: 'before:soon', tags: ['x'] }, 'is not a date'],
    ['a query without end', { query: 'x'.repeat(1001), tags: ['x'] }, 'at most 1,000'],
    ['a rule that adds nothing', { query: 'rust', tags: [' # '] }, 'Choose what the rule adds'],
    ['an organization without its name', { query: 'rust', visibility: 'organization' }, 'Choose the organization'],
    ['an organization and public', { query: 'rust', visibility: 'public', organization: 'A' }, 'cannot be public']
  ] as const)('%s', async ([, rule, fault]) => {
    const service = await testService()
    const wanted = [400, 'invalid', expect.stringContaining(fault)]
    expect(await refusal(callApi(service, 'POST', '/rules', rule))).toEqual(wanted)
    expect(await read(service, '/rules')).toEqual([])
  })
})

test('an organization that is not there is named', async () => {
  const service = await testService()
  const fault = [404, 'not-found', 'There is no organization named Acme.']
  expect(await refusal(callApi(service, 'POST', '/rules', { query: 'x', organization: 'Acme' }))).toEqual(fault)
})

test('a rule whose organization was deleted is not applied, saying why', async () => {
  const service = await testService()
  const { id } = (await (await callApi(service, 'POST', '/organizations', { name: 'Acme' })).json()) as { id: string }
  const rule = await made(service, { ...RUST, organization: 'Acme' })
  await callApi(service, 'DELETE', `/organizations/${id}?bookmarks=profile`)
  expect(await refusal(callApi(service, 'POST', `/rules/${rule.id}/applications`))).toEqual([
    404,
    'not-found',
    'The organization Acme was deleted. Choose another for this rule.'
  ])
})

test('a query that says nothing is not counted either', async () => {
  const service = await testService()
  expect(await refusal(callApi(service, 'GET', '/rules/matches?query=()'))).toEqual([
    400,
    'invalid',
    'This query has neither a word nor a filter.'
  ])
})

test('a rule that is gone is neither changed, deleted, brought back nor applied', async () => {
  const service = await testService()
  for (const [method, path, body] of [
    ['PATCH', '/rules/nobody', RUST],
    ['DELETE', '/rules/nobody'],
    ['POST', '/rules/nobody/restorations'],
    ['POST', '/rules/nobody/applications']
  ] as const) {
    const gone = [404, 'not-found', 'This rule is no longer there.']
    expect(await refusal(callApi(service, method, path, body))).toEqual(gone)
  }
})

test('an API key opens no rules', async () => {
  const service = await testService()
  const headers = { 'x-api-key': await makeKey(service) }
  const response = await service.fetch(new Request('http://127.0.0.1/api/rules', { headers }))
  expect(response.status).toBe(401)
})
