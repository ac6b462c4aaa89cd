import { expect, test } from 'vitest'
import {
  chosenBy,
  holds,
  MOST_SELECTED,
  NOTHING,
  rangeTo,
  type Selection,
  sizeOf,
  toggled,
  wasChosen,
  without
} from '../../../../../src-renderer/features/bookmarks/list/selection.ts'

const these = (...ids: string[]): Selection => ({ ids: new Set(ids), anchor: undefined })
const ALL: Selection = { ids: new Set(), all: { listed: { tag: 'x' }, count: 5000 }, anchor: undefined }

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

test('no more are named one by one than a change takes', () => {
  expect(rangeTo(5000, 90_000)).toEqual({ from: 5000, to: 5000 + MOST_SELECTED - 1 })
  expect(rangeTo(5000, 0)).toEqual({ from: 5000 - MOST_SELECTED + 1, to: 5000 })
  const many = these(...Array.from({ length: MOST_SELECTED }, (_, index) => `b${index}`))
  expect(toggled(many, 'one more', 1).ids.has('one more')).toBe(false)
})

test('what was chosen while others were dealt with stays chosen', () => {
  const both = these('a', 'b')
  expect([...without(both, { ids: ['a', 'gone'] }).ids]).toEqual(['b'])
  expect(without(both, { ids: ['a', 'b'] })).toBe(NOTHING)
})

test('all that is listed are chosen but those left out', () => {
  const but = toggled(ALL, 'a', 0)
  expect([holds(ALL, 'a'), holds(but, 'a'), holds(but, 'b')]).toEqual([true, false, true])
  expect([sizeOf(ALL), sizeOf(but)]).toEqual([5000, 4999])
  expect(chosenBy(but)).toEqual({ all: { tag: 'x' }, except: ['a'] })
  expect(holds(toggled(but, 'a', 0), 'a')).toBe(true)
  expect([wasChosen(chosenBy(but), 'a'), wasChosen(chosenBy(but), 'b')]).toEqual([false, true])
})

test('leaving out the last chooses nothing', () => {
  const two: Selection = { ...ALL, all: { listed: {}, count: 2 } }
  expect(sizeOf(toggled(toggled(two, 'a', 0), 'b', 1))).toBe(0)
})

test('once all were dealt with, nothing is chosen', () => {
  expect(without(ALL, { all: {}, except: [] })).toBe(NOTHING)
  expect(without(these('a'), { all: {}, except: [] })).toBe(NOTHING)
  expect(without(ALL, { ids: ['a'] })).toBe(ALL)
})
