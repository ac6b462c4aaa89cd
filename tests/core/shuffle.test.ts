import { expect, test } from 'vitest'
import { shuffledNumbers } from '../../src-main/core/shuffle.ts'

test.each([0, 1, 4, 11])('of 2 to the power of %i numbers each stands at one place, whatever the seed', (bits) => {
  const numbers = Array.from({ length: 2 ** bits }, (_, at) => at + 1)
  for (const seed of [0, 1, 987_654_321]) {
    expect(shuffledNumbers(seed, bits, 0, 1e9).sort((a, b) => a - b)).toEqual(numbers)
  }
})

test('parts hold what the whole does, another seed has another order, and numbers side by side stand apart', () => {
  const whole = shuffledNumbers(7, 10, 0, 1024)
  expect([...shuffledNumbers(7, 10, 0, 100), ...shuffledNumbers(7, 10, 100, 2000)]).toEqual(whole)
  expect(shuffledNumbers(8, 10, 0, 1024)).not.toEqual(whole)
  const near = whole.filter((number, at) => Math.abs(number - (whole[at + 1] ?? 0)) < 50)
  expect(near.length).toBeLessThan(200)
})
