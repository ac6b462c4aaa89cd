import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from '../../src-main/core/edit-distance.ts'

test.each([
  ['graphql', 'graphql', 0],
  ['graphql', 'grpahql', 1],
  ['graphql', 'graphq', 1],
  ['graphql', 'graphqll', 1],
  ['graphql', 'grafql', 2],
  ['kitten', 'sitting', 3],
  ['', 'ab', 2]
])('the distance from %s to %s is %i', (a, b, steps) => {
  expect(editDistance(a, b, 5)).toBe(steps)
})

test('the distance is symmetric, zero for equal words only, and limited to the maximum plus one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, most) => {
      const steps = editDistance(a, b, 20)
      expect(editDistance(b, a, 20)).toBe(steps)
      expect(steps === 0).toBe(a === b)
      expect(editDistance(a, b, most)).toBe(steps <= most ? steps : most + 1)
    })
  )
})
