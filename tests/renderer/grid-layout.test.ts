// The rows of cards in the grid.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CardLook,
  cardBelow,
  createGrid,
  GRID_GAP,
  HEADING_HEIGHT,
  layoutGrid,
  rowOfCard
} from '../../src-renderer/features/bookmarks/list/grid-layout.ts'

const WIDTH = 1000

const picture = (ratio: number, group?: string): CardLook => ({ ratio, group })
const compact = (group?: string): CardLook => ({ ratio: undefined, group })
const layout = (looks: (CardLook | undefined)[], width = WIDTH) =>
  layoutGrid(looks.length, (index) => looks[index], width)
const total = (widths: number[]) => widths.reduce((sum, width) => sum + width + GRID_GAP, -GRID_GAP)

test('a full row of pictures fills the width, and the last row is not stretched', () => {
  const rows = layout([1.5, 0.7, 1.8, 1.3, 1, 1.2].map((ratio) => picture(ratio)))
  for (const { widths } of rows.slice(0, -1)) expect(total(widths)).toBeCloseTo(WIDTH)
  expect(rows.at(-1)?.widths.length).toBe(2)
  expect(total(rows.at(-1)?.widths ?? [])).toBeLessThan(WIDTH)
})

test('cards without pictures form columns in low rows', () => {
  const rows = layout(Array.from({ length: 7 }, () => compact()))
  expect(rows.map(({ widths }) => widths.length)).toEqual([4, 3])
  expect(new Set(rows.flatMap(({ widths }) => widths.map(Math.round))).size).toBe(1)
  expect(rows[0]?.height).toBeLessThan(layout([picture(1)])[0]?.height ?? 0)
})

test('another date begins a row with its heading, also where a card has not arrived', () => {
  const rows = layout([compact('Today'), picture(1, 'Today'), compact('May'), undefined, compact('May')])
  expect(rows.map(({ heading, from }) => [heading, from])).toEqual([
    ['Today', 0],
    ['May', 2]
  ])
})

test('a panorama is cut instead of taking a row of its own', () => {
  expect(layout([picture(20), picture(1), picture(1)])[0]?.widths.length).toBeGreaterThan(1)
})

test('the card below is the nearest one', () => {
  const rows = layout([picture(2.6), picture(2.6), compact(), compact(), compact(), compact()])
  expect(cardBelow(rows, 0, 1)).toBe(rows[1]?.from)
  const last = (rows[1]?.from ?? 0) - 1
  expect(cardBelow(rows, cardBelow(rows, last, 1), -1)).toBe(last)
  expect(cardBelow(rows, 0, -5)).toBe(0)
})

/** The cards that have arrived from one index to another. */
const arrived = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => [from + at, picture(1 + ((from + at) % 3) / 2)] as const)

test('cards keep their places, out of sight and while more of an inexact number arrive', () => {
  const layOut = createGrid()
  const list = { view: {}, isExact: false, width: WIDTH }
  const before = layOut({ ...list, count: 101, looks: arrived(0, 100) })
  expect(layOut({ ...list, count: 101, looks: [] })).toBe(before)
  const after = layOut({ ...list, count: 201, looks: arrived(100, 200) })
  // The last rows wait for the next cards.
  const settled = before.slice(0, -2)
  expect(after.slice(0, settled.length)).toEqual(settled)
})

test('cards get other places in another view, and after some were added or removed', () => {
  const list = { view: {}, count: 100, isExact: true, width: WIDTH }
  const unknown = (count: number) => layout(Array.from({ length: count }, () => undefined))
  for (const [change, count] of [
    [{ view: {} }, 100],
    [{ count: 99 }, 99],
    [{ count: 101 }, 101],
    [{ count: 99, isExact: false }, 99]
  ] as const) {
    const layOut = createGrid()
    layOut({ ...list, looks: arrived(0, 100) })
    expect(layOut({ ...list, ...change, looks: [] })).toEqual(unknown(count))
  }
})

test('each row begins at the end of the one before, with its heading and the gap', () => {
  const [first, second] = layout([compact('Today'), picture(1, 'Today'), compact('May'), compact('May')])
  expect([first?.top, second?.top]).toEqual([0, first?.size])
  expect(first?.size).toBe((first?.height ?? 0) + HEADING_HEIGHT + GRID_GAP)
})

test('every card is placed once, in order, and no row is wider than the grid', () => {
  const look = fc.option(
    fc.record({
      ratio: fc.option(fc.double({ min: 0.01, max: 50, noNaN: true }), { nil: undefined }),
      group: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined })
    }),
    { nil: undefined }
  )
  fc.assert(
    fc.property(fc.array(look, { maxLength: 60 }), fc.integer({ min: 200, max: 2400 }), (looks, width) => {
      let index = 0
      for (const [at, { from, widths }] of layout(looks, width).entries()) {
        expect(from).toBe(index)
        expect(widths.length).toBeGreaterThan(0)
        expect(total(widths)).toBeLessThanOrEqual(width + 1)
        for (let card = from; card < from + widths.length; card++)
          expect(rowOfCard(layout(looks, width), card)).toBe(at)
        index += widths.length
      }
      expect(index).toBe(looks.length)
    }),
    { numRuns: 60 }
  )
})
