import { expect, test } from 'vitest'
import { stepsOfWalk } from '../../src-main/core/list-plan.ts'

const ALL = 1_000_000

test('a page near the beginning of a filter that lets most through is walked to', () => {
  const sizes = { all: ALL, total: 500_000, upTo: 50, narrowest: 500_000, lookUps: 0 }
  expect(stepsOfWalk(sizes)).toBe(Number.POSITIVE_INFINITY)
})

test('where each row must be asked about, a walk ends at four times what is expected', () => {
  const sizes = { all: ALL, total: 500_000, upTo: 50, narrowest: 500_000, lookUps: 2 }
  expect(stepsOfWalk(sizes)).toBe(400)
})

test('the few rows of a narrow filter are put in order instead', () => {
  expect(stepsOfWalk({ all: ALL, total: 20, upTo: 20, narrowest: 20, lookUps: 0 })).toBeUndefined()
  expect(stepsOfWalk({ all: ALL, total: 100, upTo: 100, narrowest: 1000, lookUps: 1 })).toBeUndefined()
})

test('a walk never counts on more rows than there are', () => {
  const sizes = { all: 100, total: 1, upTo: 50, narrowest: 1000, lookUps: 1 }
  expect(stepsOfWalk(sizes)).toBe(400)
})
