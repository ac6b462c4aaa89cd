import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockTime, isClock, nextClock } from '../../../src-main/core/sync/clock.ts'

const DEVICE = 'a'.repeat(32)

test('a clock is later than the last, whatever the machine’s time does, and stays near it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_050 }), { maxLength: 80, size: 'max' }),
      (times) => {
        let last = ''
        let latest = 0
        for (const time of times) {
          const clock = nextClock(last, time, DEVICE)
          expect(clock > last).toBe(true)
          expect(isClock(clock)).toBe(true)
          latest = Math.max(latest, time)
          expect(clockTime(clock)).toBe(latest)
          last = clock
        }
      }
    )
  )
})

test('a machine goes before a clock it has seen, also of one that is ahead', () => {
  const ahead = nextClock('', 2_000_000_000_000, 'b'.repeat(32))
  const own = nextClock(ahead, 1_700_000_000_000, DEVICE)
  expect(own > ahead).toBe(true)
  expect(clockTime(own)).toBe(2_000_000_000_000)
})

test('a full counter goes on in the next millisecond', () => {
  expect(clockTime(nextClock(`${(5).toString(36).padStart(9, '0')}zzzz${DEVICE}`, 1, DEVICE))).toBe(6)
})

test.for(['', 'x', '0'.repeat(45), `${'0'.repeat(13)}${'g'.repeat(32)}`])('%j is no clock, or one of zeros', (text) => {
  expect(isClock(text)).toBe(text === '0'.repeat(45))
})
