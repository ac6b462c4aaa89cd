import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ShownBookmark } from '../../../api/client.ts'
import { dateGroup } from '../../../lib/dates.ts'
import type { Layout, Shown } from './bookmark-list.tsx'
import { dayOf } from './cell.tsx'
import { type CardLook, cardBelow, createGrid, type GridRow, HEADING_HEIGHT, rowOfCard } from './grid-layout.ts'
import type { Pages } from './pages.ts'
import { type Anchor, locate } from './selection.ts'

/**
 * In pixels, the height of a row (in the grid, before it is laid out) and the space above the first one. `overscan`: the
 * number of rows that are drawn above and below the visible ones. `step`: rows are added and removed in groups of this
 * size, so that most frames of scrolling change nothing.
 */
const LAYOUTS = {
  list: { height: 44, paddingStart: 6, overscan: 2, step: 4 },
  compact: { height: 34, paddingStart: 6, overscan: 2, step: 4 },
  grid: { height: 220, paddingStart: 16, overscan: 1, step: 1 }
}

/** Space at either side of the cards, in pixels. */
const GRID_EDGE = 28

/** Ratio of a page's picture if its size is not stored. Most sites have one of 1200 by 630 pixels. */
const PAGE_RATIO = 1.8

/** Ratio of an image if its size is not stored yet. */
const IMAGE_RATIO = 1.33

export type Rows = ReturnType<typeof useRows>

/** The scroll position of a list, in pixels, and its first visible item. */
export interface ScrollPosition {
  scroll: number
  item: number
}

/** The items of a row. */
export interface RowItems {
  from: number
  count: number
  /** Sizes of cards, in pixels. */
  widths?: number[] | undefined
  height?: number | undefined
  heading: string | undefined
}

/**
 * Returns the rows of a list that are drawn, and their positions.
 *
 * @param width of the list, in pixels
 */
export function useRows(box: RefObject<HTMLElement | null>, shown: Shown, width: number) {
  const { list, layout } = shown
  const { pages } = list
  const { onVisible } = pages
  const grid = useGrid(shown, width)
  const count = grid ? grid.length : pages.count
  const virtual = useVirtualRows(box, layout, count, grid)
  const drawn = virtual.getVirtualItems()
  const firstOf = (row: number) => (grid ? (grid[row]?.from ?? pages.count) : row)
  const rowOf = (index: number) => (grid ? rowOfCard(grid, index) : index)
  const first = firstOf(drawn[0]?.index ?? 0)
  const last = firstOf((drawn.at(-1)?.index ?? 0) + 1) - 1
  useEffect(() => onVisible(first, last), [first, last, onVisible])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the measured sizes are those of the previous layout
  useLayoutEffect(() => virtual.measure(), [layout, grid])
  // The row that a key moved to. If headings appear later, the list scrolls to it again.
  const goal = useRef<number>(undefined)
  useHeadings(virtual, shown, goal)
  const itemAt = (top: number) => firstOf(virtual.getVirtualItemForOffset(top)?.index ?? 0)
  const { height } = LAYOUTS[layout]
  useScrollAnchor(box, virtual, pages, {
    itemAt,
    startOf: (index) => (grid ? (grid[rowOfCard(grid, index)]?.top ?? 0) : index * height)
  })
  return {
    count,
    drawn,
    first,
    last,
    isGrid: grid !== undefined,
    /** Height of a row without a heading, in pixels. */
    size: height,
    total: virtual.getTotalSize(),
    isScrolling: () => virtual.isScrolling,
    /** Returns the first item of the row at an offset, in pixels from the top. */
    itemAt,
    itemsOf(row: number): RowItems {
      const cards = grid?.[row]
      if (cards) return { ...cards, count: cards.widths.length }
      return { from: row, count: row < pages.count ? 1 : 0, heading: headingOf(shown, row) }
    },
    /** Returns the item that is `by` rows below another one; above it, if negative. */
    below: (index: number, by: number) => (grid ? cardBelow(grid, index, by) : index + by),
    /** Scrolls to a stored position: in a list by pixels, in the grid by item, because cards may be elsewhere now. */
    restore({ scroll, item }: ScrollPosition) {
      if (grid) virtual.scrollToIndex(rowOf(item), { align: 'start' })
      else if (box.current) box.current.scrollTop = scroll
      return grid ? item : itemAt(scroll)
    },
    toTop: () => virtual.scrollToOffset(0),
    /** Scrolls to the row of an item, and keeps it visible until the user scrolls. */
    show(index: number) {
      goal.current = rowOf(index)
      virtual.scrollToIndex(goal.current)
    },
    clearGoal() {
      goal.current = undefined
    }
  }
}

/** Returns the rows of cards; `undefined` in the other layouts. */
function useGrid({ list: { pages }, view, layout, dated }: Shown, width: number): GridRow[] | undefined {
  const [layOut] = useState(createGrid)
  // While a new view loads, the previous one stays.
  const shownView = useRef(view)
  if (!pages.stale) shownView.current = view
  if (layout !== 'grid' || width === 0) return undefined
  const { count, isExact } = pages
  const looks = pages.loaded().map(([index, bookmark]) => [index, lookOf(bookmark, dated)] as const)
  return layOut({ view: shownView.current, count, isExact, looks, width: width - 2 * GRID_EDGE })
}

function lookOf(bookmark: ShownBookmark, dated: boolean): CardLook {
  const { type, preview, ratio } = bookmark
  const usual = type === 'image' ? IMAGE_RATIO : PAGE_RATIO
  const shown = preview === null ? undefined : (ratio ?? usual)
  return { ratio: type === 'color' ? 1 : shown, group: dated ? dateGroup(dayOf(bookmark)) : undefined }
}

/**
 * Returns the heading above a row: the date of its item, if the item before has another. An item that is not loaded counts
 * as one with the same date.
 */
function headingOf({ list: { pages }, dated }: Shown, row: number): string | undefined {
  const bookmark = dated ? pages.at(row) : undefined
  if (!bookmark) return undefined
  const group = dateGroup(dayOf(bookmark))
  const before = pages.at(row - 1)
  return row > 0 && (!before || dateGroup(dayOf(before)) === group) ? undefined : group
}

/**
 * Makes room for the headings of the rows that are drawn. The visible items do not move.
 *
 * @param goal the row that must be visible
 */
function useHeadings(
  virtual: ReturnType<typeof useVirtualRows>,
  shown: Shown,
  goal: RefObject<number | undefined>
): void {
  useLayoutEffect(() => {
    if (shown.layout === 'grid') return
    let resized = false
    for (const { index, size } of virtual.getVirtualItems()) {
      const newSize = LAYOUTS[shown.layout].height + (headingOf(shown, index) === undefined ? 0 : HEADING_HEIGHT)
      if (size === newSize) continue
      virtual.resizeItem(index, newSize)
      resized = true
    }
    if (resized && goal.current !== undefined) virtual.scrollToIndex(goal.current)
  })
}

function useVirtualRows(
  box: RefObject<HTMLElement | null>,
  layout: Layout,
  count: number,
  grid: GridRow[] | undefined
) {
  const { height, paddingStart, overscan, step } = LAYOUTS[layout]
  return useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: (index) => grid?.[index]?.size ?? height,
    overscan,
    rangeExtractor: (range) =>
      defaultRangeExtractor({
        ...range,
        startIndex: range.startIndex - (range.startIndex % step),
        endIndex: Math.min(count, range.endIndex + step - (range.endIndex % step)) - 1
      }),
    // The extra rows give React one frame of time to draw.
    useFlushSync: false,
    paddingStart,
    // A notice at the bottom does not cover the last row.
    paddingEnd: 72
  })
}

interface Places {
  /** Returns the first item of the row at an offset, in pixels from the top. */
  itemAt(top: number): number
  /** Returns the top of an item's row, in pixels, without the headings of a list: the virtualizer adds them. */
  startOf(index: number): number
}

/** Corrects the scroll position when rows above change, so that the topmost visible item does not jump. */
function useScrollAnchor(
  box: RefObject<HTMLElement | null>,
  { scrollOffset, options }: ReturnType<typeof useVirtualRows>,
  pages: Pages,
  { itemAt, startOf }: Places
): void {
  const topmost = useRef<Anchor & { start: number }>(undefined)
  useLayoutEffect(() => {
    const offset = scrollOffset ?? 0
    const before = topmost.current
    // At the top, new items become visible.
    topmost.current = undefined
    if (offset <= options.paddingStart || !box.current) return
    const current = before ? locate(before, pages).index : itemAt(offset)
    const moved = before ? startOf(current) - before.start : 0
    if (moved !== 0) box.current.scrollTop += moved
    const index = moved !== 0 ? current : itemAt(offset)
    topmost.current = { id: pages.at(index)?.id, index, start: startOf(index) }
  })
}
