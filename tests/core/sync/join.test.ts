import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SyncField } from '../../../src-main/contract/sync.ts'
import { joinFields, laterField } from '../../../src-main/core/sync/join.ts'

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

test('in any order and any number of times, joining gives the same', () => {
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
  ['title', 'old', 'new', 'new'],
  ['title', '', 'words', 'words'],
  ['createdAt', 5, 3, 3],
  ['updatedAt', 5, 30, 30],
  ['life', null, 7, null],
  ['life', 7, 'purged', 7],
  ['deleted', null, 7, null],
  ['gone', null, 7, null],
  ['#a', null, 'a', 'a']
] as const)('of one time, %s is of %j and %j the value %j', ([name, one, other, later]) => {
  if (name === 'title' && one === 'old') expect(laterField(name, [one, '1'], [other, '2'])).toEqual([other, '2'])
  else expect(laterField(name, [one, ''], [other, ''])[0]).toBe(later)
})

test('of one time, what is private stays private', () => {
  const fields: SyncField[] = [
    [['public', null, null], ''],
    [['private', null, null], '']
  ]
  expect(laterField('place', fields[0], fields[1] as SyncField)[0]).toEqual(['private', null, null])
})
