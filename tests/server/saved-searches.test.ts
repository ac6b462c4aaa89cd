import { describe, expect, test } from 'vitest'
import type { SavedSearch } from '../../src-main/contract/rule.ts'
import type { Service } from '../../src-main/service.ts'
import { callApi, makeKey, testService } from '../support/service.ts'

const RUST = { name: 'rust', address: '/links?q=rust&tag=to+read' }

async function saved(service: Service, search: object = RUST): Promise<SavedSearch> {
  const response = await callApi(service, 'POST', '/searches', search)
  expect(response.status).toBe(201)
  return (await response.json()) as SavedSearch
}

async function listed(service: Service): Promise<unknown> {
  return (await callApi(service, 'GET', '/searches')).json()
}

async function refusal(answer: Promise<Response>): Promise<unknown> {
  const response = await answer
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return [response.status, error.code, error.message]
}

test('a search is saved, renamed, deleted and put back under its id', async () => {
  const service = await testService()
  const search = await saved(service)
  expect(await listed(service)).toEqual([search])
  expect(search).toEqual({ ...RUST, id: expect.any(String) })
  expect((await callApi(service, 'PATCH', `/searches/${search.id}`, { name: ' Ru\u202est ' })).status).toBe(204)
  expect(await listed(service)).toEqual([{ ...search, name: 'Rust' }])
  expect((await callApi(service, 'DELETE', `/searches/${search.id}`)).status).toBe(204)
  expect(await listed(service)).toEqual([])
  expect((await callApi(service, 'POST', '/searches/restorations', search)).status).toBe(204)
  expect(await listed(service)).toEqual([search])
})

test('a name that is taken is refused, saying so', async () => {
  const service = await testService()
  await saved(service)
  expect(await refusal(callApi(service, 'POST', '/searches', { ...RUST, name: 'RUST' }))).toEqual([
    409,
    'taken',
    'There is already a saved search named RUST.'
  ])
})

test('one that is gone is neither renamed nor deleted', async () => {
  const service = await testService()
  const gone = [404, 'not-found', 'This saved search is no longer there.']
  expect(await refusal(callApi(service, 'PATCH', '/searches/nobody', { name: 'x' }))).toEqual(gone)
  expect(await refusal(callApi(service, 'DELETE', '/searches/nobody'))).toEqual(gone)
})

describe('refused is', () => {
  test.for([
    ['a name of nothing', { ...RUST, name: ' ' }, 'needs a name'],
    ['a name of which nothing can be seen', { ...RUST, name: '\u202e' }, 'needs a name'],
    ['a page that is no search', { ...RUST, address: '/settings?q=x' }, 'Only a search'],
    ['a list without words and filters', { ...RUST, address: '/links' }, 'Only a search'],
    ['an address of another site', { ...RUST, address: '//a.example/?q=x' }, 'Only a search'],
    ['a script', { ...RUST, address: 'javascript:alert(1)?x' }, 'Only a search'],
    ['an address without end', { ...RUST, address: `/?q=${'x'.repeat(8000)}` }, 'too long']
  ] as const)('%s', async ([, search, fault]) => {
    const service = await testService()
    expect(await refusal(callApi(service, 'POST', '/searches', search))).toEqual([
      400,
      'invalid',
      expect.stringContaining(fault)
    ])
    expect(await listed(service)).toEqual([])
  })
})

test('an id that no service made is not put back', async () => {
  const service = await testService()
  const restored = callApi(service, 'POST', '/searches/restorations', { ...RUST, id: '-' })
  expect(await refusal(restored)).toEqual([400, 'invalid', expect.stringContaining('id')])
})

test('an API key opens no saved searches', async () => {
  const service = await testService()
  const headers = { 'x-api-key': await makeKey(service) }
  const response = await service.fetch(new Request('http://127.0.0.1/api/searches', { headers }))
  expect(response.status).toBe(401)
})
