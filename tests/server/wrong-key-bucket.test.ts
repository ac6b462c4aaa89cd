import { expect, test } from 'vitest'
import { createWrongKeyBucket } from '../../src-main/server/identify.ts'
import { callTool, makeKey, testService } from '../support/service.ts'

test('fifty failures are answered at once, then ten a second', () => {
  let now = 0
  const wrongKey = createWrongKeyBucket(() => now)
  const taken = (count: number) => Array.from({ length: count }, wrongKey).filter((wait) => wait === 0).length
  expect(taken(60)).toBe(50)
  now += 1000
  expect(taken(60)).toBe(10)
  now += 3_600_000
  expect(taken(60)).toBe(50)
})

test('a clock that goes back does not fill the bucket', () => {
  let now = 1_000_000
  const wrongKey = createWrongKeyBucket(() => now)
  while (wrongKey() === 0);
  now -= 500_000
  expect(wrongKey()).toBeGreaterThan(0)
})

test('among ten thousand wrong keys the valid one always passes, and wrong ones are told to wait', async () => {
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
