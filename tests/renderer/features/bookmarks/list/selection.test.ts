import { expect, test } from 'vitest'
import {
  added,
  MOST_SELECTED,
  NOTHING,
  rangeTo,
  toggled,
  without
} from '../../../../../src-renderer/features/bookmarks/list/selection.ts'

test('choosing twice chooses no longer', () => {
  const once = toggled(NOTHING, 'a', 4)
  expect([...once.ids]).toEqual(['a'])
  expect(toggled(once, 'a', 4).ids.size).toBe(0)
})

test('a range goes from the row chosen last, in either direction', () => {
  expect(toggled(NOTHING, 'a', 10).anchor).toEqual({ id: 'a', index: 10 })
  expect(rangeTo(10, 14)).toEqual({ from: 10, to: 14 })
  expect(rangeTo(10, 3)).toEqual({ from: 3, to: 10 })
})

test('no more is chosen than one change takes', () => {
  expect(rangeTo(5000, 90_000)).toEqual({ from: 5000, to: 5000 + MOST_SELECTED - 1 })
  expect(rangeTo(5000, 0)).toEqual({ from: 5000 - MOST_SELECTED + 1, to: 5000 })
  const many = added(
    NOTHING,
    Array.from({ length: 1200 }, (_, index) => `b${index}`)
  )
  expect(many.ids.size).toBe(MOST_SELECTED)
  expect(toggled(many, 'one more', 1).ids.has('one more')).toBe(false)
})

test('what was chosen while others were dealt with stays chosen', () => {
  const both = added(NOTHING, ['a', 'b'])
  expect([...without(both, ['a', 'gone']).ids]).toEqual(['b'])
  expect(without(both, ['a', 'b'])).toBe(NOTHING)
})
