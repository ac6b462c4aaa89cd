import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { dateGroup } from '../../../lib/dates.ts'
import type { Layout, Shown } from './bookmark-list.tsx'
import { dayOf } from './cell.tsx'

/** Heights of a row and of a card with its gap, and the width a card wants, in pixels. */
const HEIGHT = { list: 44, compact: 34, grid: 270 }
const CARD_WIDTH = 220

/** Height of a heading above a row, in pixels. */
const HEADING = 38

/** Rows drawn beyond what can be seen, at either end. */
const BEYOND = { list: 2, compact: 2, grid: 1 }

/** Rows come and go this many at a time: a frame without any costs next to nothing. */
const STEP = { list: 4, compact: 4, grid: 1 }

export type Rows = ReturnType<typeof useRows>

/**
 * Which rows of a list are drawn, and where.
 *
 * @param width of the list, in pixels
 */
export function useRows(box: RefObject<HTMLElement | null>, shown: Shown, width: number) {
  const { list, layout } = shown
  const { pages, active, onVisible } = list
  const columns = layout === 'grid' ? Math.max(1, Math.floor((width - 40) / CARD_WIDTH)) : 1
  const count = Math.ceil(pages.count / columns)
  const virtual = useVirtualRows(box, layout, count)
  const drawn = virtual.getVirtualItems()
  const first = (drawn[0]?.index ?? 0) * columns
  const last = ((drawn.at(-1)?.index ?? 0) + 1) * columns - 1
  useEffect(() => onVisible(first, last), [first, last, onVisible])
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes were those of the other layout
  useEffect(() => virtual.measure(), [layout, columns])
  // The row that a key led to: headings that become known meanwhile must not push it out of sight.
  const goal = useRef<number>(undefined)
  useHeadings(virtual, shown, columns, goal)
  // Also where the list grew by more rows than are drawn.
  const anchor = active.gone ? undefined : pages.at(active.index)?.id
  useKeptInSight(box, anchor, Math.floor(active.index / columns) * HEIGHT[layout])
  return {
    columns,
    count,
    drawn,
    first,
    last,
    /** Height of a row without a heading, in pixels. */
    size: HEIGHT[layout],
    total: virtual.getTotalSize(),
    isScrolling: () => virtual.isScrolling,
    /** The first item of the row at a height, in pixels from the top. */
    itemAt: (top: number) => (virtual.getVirtualItemForOffset(top)?.index ?? 0) * columns,
    toTop: () => virtual.scrollToOffset(0),
    /** Brings the row of an item into sight, and keeps it there until a person scrolls. */
    show(index: number) {
      goal.current = Math.floor(index / columns)
      virtual.scrollToIndex(goal.current)
    },
    letGo() {
      goal.current = undefined
    }
  }
}

/**
 * Returns the heading above a row: its day, if the item before has another. An item that has not arrived yet counts as
 * the same day. Cards have none: a row of them may be of several days.
 */
export function headingOf({ list: { pages }, dated, layout }: Shown, row: number, columns: number): string | undefined {
  const bookmark = dated && layout !== 'grid' ? pages.at(row * columns) : undefined
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
  columns: number,
  goal: RefObject<number | undefined>
): void {
  useLayoutEffect(() => {
    if (shown.layout === 'grid') return
    let resized = false
    for (const { index, size } of virtual.getVirtualItems()) {
      const wanted = HEIGHT[shown.layout] + (headingOf(shown, index, columns) === undefined ? 0 : HEADING)
      if (size === wanted) continue
      virtual.resizeItem(index, wanted)
      resized = true
    }
    if (resized && goal.current !== undefined) virtual.scrollToIndex(goal.current)
  })
}

function useVirtualRows(box: RefObject<HTMLElement | null>, layout: Layout, count: number) {
  return useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT[layout],
    overscan: BEYOND[layout],
    rangeExtractor: (range) =>
      defaultRangeExtractor({
        ...range,
        startIndex: range.startIndex - (range.startIndex % STEP[layout]),
        endIndex: Math.min(count, range.endIndex + STEP[layout] - (range.endIndex % STEP[layout])) - 1
      }),
    // Rows beyond either end give React the time of a frame.
    useFlushSync: false,
    paddingStart: layout === 'grid' ? 16 : 6,
    paddingEnd: 16
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
