import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from '../../src-main/core/edit-distance.ts'
import {
  isTwoLettersAway,
  mayBeMistyped,
  mayHaveTwoMistakes,
  oneLetterAway,
  piecesOf
} from '../../src-main/search/spelling.ts'

test.for(['elepant', 'lephant', 'elephhant', 'elehpant', 'elephent', 'zlephant'])(
  '%s is one letter away from elephant',
  (word) => {
    expect(oneLetterAway('elephant')).toContain(word)
    expect(oneLetterAway(word)).toContain('elephant')
  }
)

test('corrections use the letters of the word’s alphabet', () => {
  expect(oneLetterAway('превет')).toContain('привет')
  expect(oneLetterAway('awesome-pyton')).toContain('awesome-python')
  expect(oneLetterAway('καλημρα')).toContain('καλημερα')
})

test('every generated word is one letter away', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{4,8}$/), (word) => {
      for (const near of oneLetterAway(word)) expect(editDistance(word, near, 1)).toBe(1)
    }),
    { numRuns: 20 }
  )
})

test('a word two letters away shares one of the pieces', () => {
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{8,12}$/),
      fc.nat(11),
      fc.nat(11),
      letter,
      letter,
      (word, first, second, a, b) => {
        const letters = [...word]
        letters[first % word.length] = a
        letters[second % word.length] = b
        const other = letters.join('')
        const { beginning, parts } = piecesOf(word)
        expect(isTwoLettersAway(word, other)).toBe(true)
        expect(other.startsWith(beginning) || parts.some((part) => other.includes(part))).toBe(true)
      }
    )
  )
})

test.for([
  ['rust', true, false],
  ['rustic', true, false],
  ['elephant', true, true],
  ['go', false, false],
  ['mpu6050', false, false],
  ['тест'.repeat(11), false, false]
] as const)('%s is tried with one mistake: %s, with two: %s', ([word, once, twice]) => {
  expect([mayBeMistyped(word), mayHaveTwoMistakes(word)]).toEqual([once, twice])
})
