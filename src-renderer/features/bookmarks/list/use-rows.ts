import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { dateGroup } from '../../../lib/dates.ts'
import type { Layout, Shown } from './bookmark-list.tsx'
import { dayOf } from './cell.tsx'
import { type CardLook, cardBelow, GRID_GAP, type GridRow, layoutGrid, rowOfCard } from './grid-layout.ts'
import { locate } from './selection.ts'
import type { Pages } from './use-list.ts'

/** Height of a row, and of one of cards before they are placed, in pixels. */
const HEIGHT = { list: 44, compact: 34, grid: 220 }

/** Space at either side of the cards, in pixels. */
const GRID_EDGE = 28

/** Ratio of a page's picture, of which the size is not stored: most sites offer one of 1200 by 630 pixels. */
const PAGE_RATIO = 1.8

/** Ratio of an image of which the size is not known yet. */
const IMAGE_RATIO = 1.33

/** Height of a heading above a row, in pixels. */
const HEADING = 38

/** Rows drawn beyond what can be seen, at either end. */
const BEYOND = { list: 2, compact: 2, grid: 1 }

/** Rows come and go this many at a time: a frame without any costs next to nothing. */
const STEP = { list: 4, compact: 4, grid: 1 }

export type Rows = ReturnType<typeof useRows>

/** How far a list is scrolled, in pixels, and the first item that is seen. */
export interface KeptScroll {
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
 * Which rows of a list are drawn, and where.
 *
 * @param width of the list, in pixels
 */
export function useRows(box: RefObject<HTMLElement | null>, shown: Shown, width: number) {
  const { list, layout } = shown
  const { pages, active, onVisible } = list
  const grid = useGrid(shown, width)
  const count = grid ? grid.length : pages.count
  const virtual = useVirtualRows(box, layout, count, grid)
  const drawn = virtual.getVirtualItems()
  const firstOf = (row: number) => (grid ? (grid[row]?.from ?? pages.count) : row)
  const rowOf = (index: number) => (grid ? rowOfCard(grid, index) : index)
  const first = firstOf(drawn[0]?.index ?? 0)
  const last = firstOf((drawn.at(-1)?.index ?? 0) + 1) - 1
  useEffect(() => onVisible(first, last), [first, last, onVisible])
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes were those of the other layout
  useLayoutEffect(() => virtual.measure(), [layout, grid])
  // The row that a key led to: headings that become known meanwhile must not push it out of sight.
  const goal = useRef<number>(undefined)
  useHeadings(virtual, shown, goal)
  useCardsInSight(box, grid, pages)
  // Also where the list grew by more rows than are drawn.
  const anchor = active.gone || grid ? undefined : pages.at(active.index)?.id
  useKeptInSight(box, anchor, active.index * HEIGHT[layout])
  return {
    count,
    drawn,
    first,
    last,
    isGrid: grid !== undefined,
    /** Height of a row without a heading, in pixels. */
    size: HEIGHT[layout],
    total: virtual.getTotalSize(),
    isScrolling: () => virtual.isScrolling,
    /** The first item of the row at a height, in pixels from the top. */
    itemAt: (top: number) => firstOf(virtual.getVirtualItemForOffset(top)?.index ?? 0),
    itemsOf(row: number): RowItems {
      const cards = grid?.[row]
      if (cards) return { ...cards, count: cards.widths.length }
      return { from: row, count: row < pages.count ? 1 : 0, heading: headingOf(shown, row) }
    },
    /** The item that is `by` rows below another; above it, if negative. */
    below: (index: number, by: number) => (grid ? cardBelow(grid, index, by) : index + by),
    /** Scrolls back: a list by pixels, the grid by its first item, because cards may have other places now. */
    restore({ scroll, item }: KeptScroll) {
      if (grid) virtual.scrollToIndex(rowOf(item), { align: 'start' })
      else if (box.current) box.current.scrollTop = scroll
      return grid ? item : firstOf(virtual.getVirtualItemForOffset(scroll)?.index ?? 0)
    },
    toTop: () => virtual.scrollToOffset(0),
    /** Brings the row of an item into sight, and keeps it there until a person scrolls. */
    show(index: number) {
      goal.current = rowOf(index)
      virtual.scrollToIndex(goal.current)
    },
    letGo() {
      goal.current = undefined
    }
  }
}

/** Returns the rows of cards; `undefined` in the other layouts. Cards that were seen keep their places out of sight. */
function useGrid({ list: { pages }, layout, dated }: Shown, width: number): GridRow[] | undefined {
  const seen = useRef({ looks: new Map<number, CardLook>(), count: 0, stale: false, dated })
  const laidOut = useRef<{ rows: GridRow[]; width: number }>(undefined)
  if (layout !== 'grid' || width === 0) return undefined
  const { count, stale } = pages
  const wasOtherView = seen.current.stale && !stale
  if (seen.current.count !== count || seen.current.dated !== dated || wasOtherView) {
    seen.current = { looks: new Map(), count, stale, dated }
    laidOut.current = undefined
  }
  seen.current.stale = stale
  const { looks } = seen.current
  let isSame = laidOut.current?.width === width
  for (const [index, bookmark] of pages.loaded()) {
    const { type, preview, ratio } = bookmark
    const known = preview === null ? undefined : (ratio ?? (type === 'image' ? IMAGE_RATIO : PAGE_RATIO))
    const look = { ratio: type === 'color' ? 1 : known, group: dated ? dateGroup(dayOf(bookmark)) : undefined }
    const before = looks.get(index)
    if (before?.ratio === look.ratio && before?.group === look.group && before) continue
    looks.set(index, look)
    isSame = false
  }
  if (!isSame || !laidOut.current) {
    laidOut.current = { rows: layoutGrid(count, (index) => looks.get(index), width - 2 * GRID_EDGE), width }
  }
  return laidOut.current.rows
}

/** Keeps the topmost visible card in place when the layout of the cards above it changes. */
function useCardsInSight(box: RefObject<HTMLElement | null>, grid: GridRow[] | undefined, pages: Pages): void {
  const before = useRef<{ grid: GridRow[]; pages: Pages }>(undefined)
  useLayoutEffect(() => {
    const last = before.current
    before.current = grid && { grid, pages }
    if (!last || !grid || last.grid === grid || !box.current || box.current.scrollTop <= PADDING_START.grid) return
    let row = 0
    let top = PADDING_START.grid
    while (row < last.grid.length - 1 && top + heightOf(last.grid[row]) <= box.current.scrollTop) {
      top += heightOf(last.grid[row])
      row += 1
    }
    const index = last.grid[row]?.from ?? 0
    const now = locate({ id: last.pages.at(index)?.id, index }, pages).index
    const rows = grid.slice(0, rowOfCard(grid, now))
    const moved = rows.reduce((sum, cards) => sum + heightOf(cards), PADDING_START.grid) - top
    if (moved !== 0) box.current.scrollTop += moved
  }, [box, grid, pages])
}

function heightOf(row: GridRow | undefined): number {
  return row ? row.height + GRID_GAP + (row.heading === undefined ? 0 : HEADING) : HEIGHT.grid
}

/**
 * Returns the heading above a row: its day, if the item before has another. An item that has not arrived yet counts as
 * the same day.
 */
function headingOf({ list: { pages }, dated }: Shown, row: number): string | undefined {
  const bookmark = dated ? pages.at(row) : undefined
  if (!bookmark) return undefined
  const day = dateGroup(dayOf(bookmark))
  const before = pages.at(row - 1)
  return row > 0 && (!before || dateGroup(dayOf(before)) === day) ? undefined : day
}

/**
 * Makes room for the headings of the rows that are drawn. What is seen stays where it is.
 *
 * @param goal the row to be seen whole
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
      const wanted = HEIGHT[shown.layout] + (headingOf(shown, index) === undefined ? 0 : HEADING)
      if (size === wanted) continue
      virtual.resizeItem(index, wanted)
      resized = true
    }
    if (resized && goal.current !== undefined) virtual.scrollToIndex(goal.current)
  })
}

/** Space above the first row, in pixels. */
const PADDING_START = { list: 6, compact: 6, grid: 16 }

function useVirtualRows(
  box: RefObject<HTMLElement | null>,
  layout: Layout,
  count: number,
  grid: GridRow[] | undefined
) {
  return useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: (index) => (grid ? heightOf(grid[index]) : HEIGHT[layout]),
    overscan: BEYOND[layout],
    rangeExtractor: (range) =>
      defaultRangeExtractor({
        ...range,
        startIndex: range.startIndex - (range.startIndex % STEP[layout]),
        endIndex: Math.min(count, range.endIndex + STEP[layout] - (range.endIndex % STEP[layout])) - 1
      }),
    // Rows beyond either end give React the time of a frame.
    useFlushSync: false,
    paddingStart: PADDING_START[layout],
    // A notice at the bottom does not cover the last row.
    paddingEnd: 72
  })
}

/** Scrolls along where the list moves under whoever has left its top: the item that keys act on stays where it is seen. */
function useKeptInSight(box: RefObject<HTMLElement | null>, id: string | undefined, offset: number): void {
  const before = useRef({ id, offset })
  useLayoutEffect(() => {
    const moved = offset - before.current.offset
    const same = id !== undefined && id === before.current.id
    before.current = { id, offset }
    if (same && moved !== 0 && box.current && box.current.scrollTop > 0) box.current.scrollTop += moved
  }, [box, id, offset])
}
