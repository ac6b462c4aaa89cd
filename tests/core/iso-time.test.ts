import { expect, test, vi } from 'vitest'
import { dayNumber, queryTime } from '../../src-main/core/iso-time.ts'

test('a day number lasts from local midnight to the next', () => {
  expect(dayNumber(new Date(2026, 0, 1).getTime())).toBe(20_260_101)
  expect(dayNumber(new Date(2026, 11, 31, 23, 59, 59, 999).getTime())).toBe(20_261_231)
  expect(dayNumber(new Date(2027, 0, 1).getTime())).toBe(20_270_101)
})

test.for(['Asia/Tokyo', 'America/Sao_Paulo', 'UTC'])('a time is written as a day if one begins then in %s', (zone) => {
  vi.stubEnv('TZ', zone)
  expect(queryTime(new Date(2026, 0, 31).getTime())).toBe('2026-01-31')
  // In São Paulo, this day began at one o'clock.
  expect(queryTime(new Date(2018, 10, 4).getTime())).toBe('2018-11-04')
  expect(queryTime(Date.UTC(2026, 0, 31, 10, 30))).toBe('2026-01-31T10:30Z')
})
