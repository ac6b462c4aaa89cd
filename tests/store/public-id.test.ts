import { expect, test } from 'vitest'
import { createPublicIds } from '../../src-main/store/public-id.ts'

test('the ids of one import are neighbours, each once, and do not tell how many lie between two of them', () => {
  const nextId = createPublicIds()
  const ids = Array.from({ length: 4000 }, nextId)
  expect(new Set(ids).size).toBe(4000)
  expect(new Set(ids.map((id) => id.slice(0, 12))).size).toBe(1)
  for (const id of ids) expect(id).toMatch(/^[\w-]{16}$/)
  const inOrder = ids.filter((id, at) => at > 0 && id > (ids[at - 1] ?? '')).length
  expect(inOrder).toBeGreaterThan(1500)
  expect(inOrder).toBeLessThan(2500)
})
