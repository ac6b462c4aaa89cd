import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SyncField } from '../../src-main/contract/sync.ts'
import {
  clockTime,
  isClock,
  joinFields,
  lacksReadFiles,
  laterField,
  nextClock,
  nextFile,
  readAgainAfter
} from '../../src-main/core/sync.ts'

const DEVICE = 'a'.repeat(32)

test('a clock is later than the last one and stays near the machine’s time', () => {
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

test('a clock is later than a clock of another machine that is ahead', () => {
  const ahead = nextClock('', 2_000_000_000_000, 'b'.repeat(32))
  const next = nextClock(ahead, 1_700_000_000_000, DEVICE)
  expect(next > ahead).toBe(true)
  expect(clockTime(next)).toBe(2_000_000_000_000)
})

test('a full counter continues in the next millisecond', () => {
  expect(clockTime(nextClock(`${(5).toString(36).padStart(9, '0')}zzzz${DEVICE}`, 1, DEVICE))).toBe(6)
})

test.for(['', 'x', '0'.repeat(45), `${'0'.repeat(13)}${'g'.repeat(32)}`])(
  '%j is a clock only if it has 45 characters of the right kind',
  (text) => {
    expect(isClock(text)).toBe(text === '0'.repeat(45))
  }
)

const clock = fc.constantFrom('', '1', '2')
const field = <Value>(value: fc.Arbitrary<Value>) => fc.tuple(value, clock) as unknown as fc.Arbitrary<SyncField>
const record = fc.record(
  {
    title: field(fc.constantFrom('', 'a', 'b')),
    createdAt: field(fc.nat({ max: 3 })),
    updatedAt: field(fc.nat({ max: 3 })),
    life: field(fc.constantFrom(null, 1, 2, 'purged')),
    deleted: field(fc.constantFrom(null, 1, 2)),
    place: field(fc.constantFrom(['private', null, null], ['public', null, null], ['organization', 'x', 'X'])),
    '#a': field(fc.constantFrom('A', 'a', null))
  },
  { requiredKeys: [] }
) as fc.Arbitrary<Record<string, SyncField>>

test('joining gives the same in any order and any number of times', () => {
  fc.assert(
    fc.property(record, record, record, (a, b, c) => {
      expect(joinFields(a, b)).toEqual(joinFields(b, a))
      expect(joinFields(joinFields(a, b), c)).toEqual(joinFields(a, joinFields(b, c)))
      expect(joinFields(a, a)).toEqual(a)
    }),
    { numRuns: 2000 }
  )
})

test.for([
  ['title', '', 'words', 'words'],
  ['createdAt', 5, 3, 3],
  ['updatedAt', 5, 30, 30],
  ['life', null, 7, null],
  ['life', 7, 'purged', 7],
  ['deleted', null, 7, null],
  ['gone', null, 7, null],
  ['#a', null, 'a', 'a']
] as const)('with equal times, %s of %j and %j is %j', ([name, first, second, winner]) => {
  expect(laterField(name, [first, ''], [second, ''])[0]).toBe(winner)
})

test('the later field wins', () => {
  expect(laterField('title', ['old', '1'], ['new', '2'])).toEqual(['new', '2'])
})

test('with equal times, a private place wins', () => {
  const places: [SyncField, SyncField] = [
    [['public', null, null], ''],
    [['private', null, null], '']
  ]
  expect(laterField('place', ...places)[0]).toEqual(['private', null, null])
})

const snapshot = { after: 5, parts: 1 }
const files = (...segments: number[]) => ({ segments: new Set(segments), snapshot })

test.each([
  [undefined, { ...files(1, 2), snapshot: undefined }, 'missing'],
  [undefined, files(1), 'snapshot'],
  [0, files(1), 1],
  [0, files(6), 'snapshot'],
  [4, files(5, 6), 5],
  [5, files(6), 6],
  [6, files(5, 6), undefined],
  [6, files(8), 'missing'],
  [5, files(), undefined]
])('after segment %s of %o the next file is %s', (upTo, listing, next) => {
  expect(nextFile(upTo, listing)).toBe(next)
})

test.each([
  [6, files(6), undefined],
  [5, files(), undefined],
  [7, files(6), -1],
  [7, { ...files(6), snapshot: undefined }, 6],
  [7, { ...files(), snapshot: undefined }, -1]
])('a device read up to %s of %o is read again after %s', (upTo, listing, after) => {
  expect(readAgainAfter(upTo, listing)).toBe(after)
})

test.each([
  [7, -1, files(6, 7), false],
  [7, -1, files(7), true],
  [7, 6, files(7), false],
  [7, 6, { ...files(7), snapshot: undefined }, true],
  [7, 7, { ...files(7), snapshot: undefined }, false],
  [-1, -1, { ...files(), snapshot: undefined }, false]
])('of files read up to %s and sent up to %s, %o lacks some: %s', (upTo, covered, listing, lacks) => {
  expect(lacksReadFiles(upTo, covered, listing)).toBe(lacks)
})
