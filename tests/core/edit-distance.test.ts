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
])('from %s to %s it is %i steps', (a, b, steps) => {
  expect(editDistance(a, b, 5)).toBe(steps)
})

test('it is the same both ways, nothing only for the same word, and given up beyond the most', () => {
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
