import { expect, test } from 'vitest'
import { createWrongKeyBucket } from '../../src-main/server/identify.ts'
import { rawRequest } from '../support/http.ts'
import { callTool, makeKey, testService } from '../support/service.ts'

test('50 requests with wrong keys are answered at once, then ten a second', () => {
  let now = 0
  const wrongKey = createWrongKeyBucket(() => now)
  const countAnswered = (count: number) => Array.from({ length: count }, wrongKey).filter((wait) => wait === 0).length
  expect(countAnswered(60)).toBe(50)
  now += 1000
  expect(countAnswered(60)).toBe(10)
  now += 3_600_000
  expect(countAnswered(60)).toBe(50)
})

test('a clock that goes back allows no more requests', () => {
  let now = 1_000_000
  const wrongKey = createWrongKeyBucket(() => now)
  while (wrongKey() === 0);
  now -= 500_000
  expect(wrongKey()).toBeGreaterThan(0)
})

test('among 10,000 wrong keys the valid key is always answered, and wrong keys get 429', async () => {
  const service = await testService()
  const key = await makeKey(service)
  const bodies = new Map<number, Set<string>>()
  for (let round = 0; round < 10_000; round++) {
    const response = await service.fetch(
      new Request('http://127.0.0.1/api/tools/mcp', { method: 'POST', headers: { 'x-api-key': `emk_${round}` } })
    )
    if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    bodies.set(response.status, (bodies.get(response.status) ?? new Set()).add(await response.text()))
    if (round % 100 === 0) expect((await callTool(service, key, 'bookmarks.search', {})).status).toBe(200)
  }
  expect([...bodies.keys()].sort()).toEqual([401, 429])
  expect([...bodies.values()].map((texts) => texts.size)).toEqual([1, 1])
})

test('a JSON body of over 1 MiB is refused with 413', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const answer = await rawRequest(`http://127.0.0.1:${port}`, {
    method: 'PATCH',
    path: '/api/settings',
    headers: { authorization: `Bearer ${service.commandToken}` },
    body: JSON.stringify({ theme: 'x'.repeat(1024 * 1024) })
  })
  expect(answer.status).toBe(413)
})

test('a JSON body without Content-Length is refused with 411', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const answer = await rawRequest(`http://127.0.0.1:${port}`, {
    method: 'PATCH',
    path: '/api/settings',
    headers: { authorization: `Bearer ${service.commandToken}`, 'transfer-encoding': 'chunked' },
    body: '{"theme":"dark"}'
  })
  expect(answer).toMatchObject({ status: 411, body: expect.stringContaining('Content-Length') })
})
