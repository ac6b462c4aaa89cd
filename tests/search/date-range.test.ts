import { expect, test } from 'vitest'
import { dateRange } from '../../src-main/search/date-range.ts'

test.for([
  ['2026', '2026-01-01T00:00:00.000Z'],
  ['2026-02', '2026-02-01T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z']
])('%s begins at %s', ([text = '', start]) => {
  expect(new Date(dateRange(text)?.start ?? 0).toISOString()).toBe(start)
})

test.for(['', '26', '2026-13', '2026-02-30', '2026-1-1', 'yesterday', '2026-01-01T00:00'])('%j is no date', (text) => {
  expect(dateRange(text)).toBeUndefined()
})
