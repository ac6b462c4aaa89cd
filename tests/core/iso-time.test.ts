import { expect, test } from 'vitest'
import { dayNumber } from '../../src-main/core/iso-time.ts'

test('a day number lasts from local midnight to the next', () => {
  expect(dayNumber(new Date(2026, 0, 1).getTime())).toBe(20_260_101)
  expect(dayNumber(new Date(2026, 11, 31, 23, 59, 59, 999).getTime())).toBe(20_261_231)
  expect(dayNumber(new Date(2027, 0, 1).getTime())).toBe(20_270_101)
})
