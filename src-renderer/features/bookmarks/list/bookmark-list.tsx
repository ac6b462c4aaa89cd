// biome-ignore-all lint/a11y/useSemanticElements: a table has rows that are all there, and no cards
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the cell that keys act on
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState
} from 'react'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { dateGroup } from '../../../shared/dates.ts'
import { dragging } from '../../../shared/dragging.ts'
import { useOpened } from '../../../shared/opened.ts'
import { openable } from '../look.ts'
import classes from './bookmark-list.module.css'
import { Card } from './card.tsx'
import type { Cursor } from './cursor.ts'
import { type Act, dayOf, itemId } from './item.ts'
import { type ListKey, readKey } from './keys.ts'
import { Row } from './row.tsx'
import { useKeptScroll } from './use-kept-scroll.ts'
import type { Pages } from './use-pages.ts'

export type Layout = 'list' | 'compact' | 'grid'

/** Heights of a row and of a card with its gap, and the width a card wants, in pixels. */
const HEIGHT = { list: 44, compact: 34, grid: 244 }

/** Height of a heading above a row, in pixels. */
const HEADING = 38

/** Widest list, in pixels: what belongs together stays together. */
const WIDEST = 1120
const CARD_WIDTH = 220

/** Largest width of the tags in a row, and the width of one of their letters, in pixels. */
const TAGS = 272
const LETTER = 7

/** Rows drawn beyond what can be seen, at either end. */
const BEYOND = { list: 2, compact: 2, grid: 1 }

/** Rows come and go this many at a time: a frame without any costs next to nothing. */
const STEP = { list: 4, compact: 4, grid: 1 }

export interface ListHandle {
  focus(): void
  /** Takes a key that nothing had the focus for. */
  press(event: globalThis.KeyboardEvent): void
  toTop(): void
}

interface BookmarkListProps {
  ref?: Ref<ListHandle>
  label: string
  pages: Pages
  layout: Layout
  /** Whether the items are in the order of their days, which are told where another begins. */
  dated: boolean
  /** The words searched for, to be marked. */
  words: string[]
  selected: { has(id: string): boolean }
  /** The item that keys act on. */
  active: Cursor
  /** The list starts at its top again when this changes. */
  view: object
  /** Takes a key that has to wait for the selection. */
  hold(event: globalThis.KeyboardEvent): boolean
  onActive(index: number): void
  /** Without a bookmark where the one that keys acted on is no longer there. */
  onKey(key: ListKey, index: number, bookmark: ShownBookmark | undefined): void
  onAct(act: Act, bookmark: ShownBookmark, index: number, value: string): void
  /** A click on the item itself. */
  onClick(bookmark: ShownBookmark, index: number, event: { shift: boolean; toggle: boolean; again: boolean }): void
  /** A double click on the item itself. */
  onDouble?(bookmark: ShownBookmark): void
  /** An item is dragged. Returns what to call it; without this nothing can be dragged. */
  onDrag?(bookmark: ShownBookmark): string
  /** The menu of an item was asked for, here in the window. */
  onMenu?(bookmark: ShownBookmark, index: number, at: { x: number; y: number }): void
  /** The first and the last item drawn. */
  onVisible(first: number, last: number): void
  /** Whether the list has been scrolled from its top. */
  onAway(away: boolean): void
}

/** A list or a grid of as many bookmarks as there are, of which only those in sight are in the document. */
export function BookmarkList(props: BookmarkListProps) {
  const { ref, label, pages, layout, active, view, onActive, onKey, onAct, onClick, onVisible } = props
  const box = useRef<HTMLDivElement>(null)
  const { ref: measured, width } = useElementSize()
  const columns = layout === 'grid' ? Math.max(1, Math.floor((width - 40) / CARD_WIDTH)) : 1
  const size = HEIGHT[layout]
  const tagRoom = Math.floor((Math.min(0.28 * Math.min(width, WIDEST), TAGS) - 26) / LETTER)
  const rows = Math.ceil(pages.count / columns)
  const virtual = useRows(box, layout, rows)
  const [pointed, setPointed] = useState<string>()
  const clicked = useRef<ShownBookmark>(undefined)
  const chip = useRef<HTMLSpanElement>(null)
  const drawn = virtual.getVirtualItems()
  const first = (drawn[0]?.index ?? 0) * columns
  const last = ((drawn.at(-1)?.index ?? 0) + 1) * columns - 1

  const current = active.gone || active.index < first || active.index > last ? undefined : pages.at(active.index)

  useEffect(() => onVisible(first, last), [first, last, onVisible])
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes were those of the other layout
  useEffect(() => {
    virtual.measure()
    // Other cards are where the pointer is.
    setPointed(undefined)
  }, [layout, columns])
  // The row that a key led to: headings that become known meanwhile must not push it out of sight.
  const goal = useRef<number>(undefined)
  useHeadings(virtual, props, columns, goal)
  const keepScroll = useKeptScroll(box, view, !pages.stale, (top) =>
    onActive((virtual.getVirtualItemForOffset(top)?.index ?? 0) * columns)
  )
  useImperativeHandle(ref, () => ({
    focus: () => box.current?.focus({ preventScroll: true }),
    press: (event) => {
      if (!readKey(event, columns, 1)) return
      box.current?.focus({ preventScroll: true })
      event.preventDefault()
      box.current?.dispatchEvent(new globalThis.KeyboardEvent('keydown', event))
    },
    toTop: () => virtual.scrollToOffset(0)
  }))

  // Also where the list grew by more rows than are drawn.
  const anchor = active.gone ? undefined : pages.at(active.index)?.id
  useKeptInSight(box, anchor, Math.floor(active.index / columns) * size)

  function onKeyDown(event: KeyboardEvent) {
    const key = readKey(event, columns, Math.max(1, Math.floor((box.current?.clientHeight ?? size) / size) - 1))
    if (!key || pages.count === 0) return
    event.preventDefault()
    if (props.hold(event.nativeEvent)) return
    const next = target(key, active, pages.count)
    if ('act' in key) return onKey(key, next, active.gone ? undefined : pages.at(next))
    if (next !== active.index || active.gone) onActive(next)
    goal.current = Math.floor(next / columns)
    virtual.scrollToIndex(goal.current)
    onKey(key, next, pages.at(next))
  }

  function onMouse(event: MouseEvent<HTMLElement>) {
    const { index, act, value } = partAt(event.target as HTMLElement)
    const bookmark = pages.at(index)
    if (!bookmark) return
    const keys = { shift: event.shiftKey, toggle: event.ctrlKey || event.metaKey, again: event.detail > 1 }
    if (!keys.again) clicked.current = bookmark
    if (act !== 'open' && (keys.shift || keys.toggle)) event.preventDefault()
    onActive(index)
    if (act && !(act === 'select' && keys.shift)) onAct(act, bookmark, index, value)
    else onClick(bookmark, index, keys)
  }

  /** The panel that the first click opened may have moved another item under the pointer. */
  function onDoubleClick({ target: element }: MouseEvent<HTMLElement>) {
    if (clicked.current && !partAt(element as HTMLElement).act) props.onDouble?.(clicked.current)
  }

  function onDragStart(event: DragEvent<HTMLElement>) {
    const bookmark = pages.at(partAt(event.target as HTMLElement).index)
    if (!bookmark || !props.onDrag) return
    const { dataTransfer } = event
    const address = openable(bookmark.url)
    dataTransfer.effectAllowed = 'copyMove'
    dataTransfer.setData('text/plain', address ?? bookmark.content)
    if (address) dataTransfer.setData('text/uri-list', address)
    if (chip.current) {
      chip.current.textContent = props.onDrag(bookmark)
      dataTransfer.setDragImage(chip.current, -12, -12)
    }
  }

  function onContextMenu(event: MouseEvent<HTMLElement>) {
    const { index: under } = partAt(event.target as HTMLElement)
    // A key asks for that of the item it acts on.
    const byKey = Number.isNaN(under)
    const index = byKey ? active.index : under
    const bookmark = byKey ? current : pages.at(index)
    if (!bookmark || !props.onMenu) return
    event.preventDefault()
    onActive(index)
    const cell = byKey && document.getElementById(itemId(bookmark))?.getBoundingClientRect()
    props.onMenu(bookmark, index, cell ? { x: cell.left + 60, y: cell.bottom } : { x: event.clientX, y: event.clientY })
  }

  /** Rows that pass under the pointer are not pointed at. */
  function onPoint({ target: element, pointerType }: PointerEvent<HTMLElement>) {
    if (pointerType === 'mouse' && !virtual.isScrolling) setPointed(pages.at(partAt(element as HTMLElement).index)?.id)
  }

  return (
    <div
      ref={useMergedRef(box, measured)}
      className={classes.list}
      data-layout={layout}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows}
      aria-multiselectable
      aria-busy={pages.stale}
      aria-activedescendant={current && itemId(current)}
      onKeyDown={onKeyDown}
      onClick={onMouse}
      onDoubleClick={onDoubleClick}
      onDragStart={onDragStart}
      onDragEnd={() => dragging.set(undefined)}
      onContextMenu={onContextMenu}
      onPointerMove={onPoint}
      onPointerDown={() => (goal.current = undefined)}
      onWheel={() => (goal.current = undefined)}
      onPointerLeave={() => setPointed(undefined)}
      onScroll={({ currentTarget: { scrollTop } }) => {
        props.onAway(scrollTop > size / 2)
        keepScroll(scrollTop)
      }}
    >
      <span ref={chip} className={classes.chip} aria-hidden />
      <div role="rowgroup" className={classes.space} style={{ height: virtual.getTotalSize() }}>
        {drawn.map((row) => (
          <div
            key={row.key}
            role="row"
            aria-rowindex={row.index + 1}
            className={layout === 'grid' ? classes.cards : classes.row}
            style={
              { height: row.size, transform: `translateY(${row.start}px)`, '--columns': columns } as React.CSSProperties
            }
          >
            <Heading text={headingOf(props, row.index, columns)} />
            <Items
              {...props}
              from={row.index * columns}
              columns={columns}
              current={current}
              pointed={pointed}
              tagRoom={tagRoom}
            />
          </div>
        ))}
      </div>
    </div>
  )
}

interface ItemsProps extends Pick<BookmarkListProps, 'pages' | 'layout' | 'dated' | 'words' | 'selected'> {
  from: number
  columns: number
  /** The one that keys act on. */
  current: ShownBookmark | undefined
  pointed: string | undefined
  tagRoom: number
}

/** The items of one row. */
function Items({ pages, layout, dated, words, selected, from, columns, current, pointed, tagRoom }: ItemsProps) {
  const Item = layout === 'grid' ? Card : Row
  const opened = useOpened()
  return indexes(from, Math.min(columns, pages.count - from)).map((index) => {
    const bookmark = pages.at(index)
    return bookmark ? (
      <Item
        key={bookmark.id}
        bookmark={bookmark}
        index={index}
        selected={selected.has(bookmark.id)}
        active={bookmark === current}
        opened={bookmark.id === opened}
        pointed={bookmark.id === pointed}
        tagRoom={tagRoom}
        dated={dated}
        words={words}
      />
    ) : (
      <div key={index} role="gridcell" className={classes.coming} data-layout={layout} />
    )
  })
}

/** The name of the days from a row on. */
function Heading({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <div role="rowheader" className={classes.heading}>
      {text}
    </div>
  )
}

/** Returns the heading above a row. Cards have none: a row of them may be of several days. */
function headingOf(
  { pages, dated, layout }: Pick<BookmarkListProps, 'pages' | 'dated' | 'layout'>,
  row: number,
  columns: number
): string | undefined {
  const bookmark = dated && layout !== 'grid' ? pages.at(row * columns) : undefined
  return bookmark && groupFrom(bookmark, pages.at(row - 1), row)
}

/**
 * Makes room for the headings of the rows that are drawn. What is seen stays where it is.
 *
 * @param goal the row to be seen whole
 */
function useHeadings(
  virtual: ReturnType<typeof useRows>,
  list: Pick<BookmarkListProps, 'pages' | 'dated' | 'layout'>,
  columns: number,
  goal: RefObject<number | undefined>
): void {
  useLayoutEffect(() => {
    if (list.layout === 'grid') return
    let resized = false
    for (const { index, size } of virtual.getVirtualItems()) {
      const wanted = HEIGHT[list.layout] + (headingOf(list, index, columns) === undefined ? 0 : HEADING)
      if (size === wanted) continue
      virtual.resizeItem(index, wanted)
      resized = true
    }
    if (resized && goal.current !== undefined) virtual.scrollToIndex(goal.current)
  })
}

/**
 * Returns the heading of an item's day, if the item before has another. An item that has not arrived yet counts as the
 * same day.
 */
function groupFrom(bookmark: ShownBookmark, before: ShownBookmark | undefined, index: number): string | undefined {
  const group = dateGroup(dayOf(bookmark))
  if (index === 0) return group
  return before === undefined || dateGroup(dayOf(before)) === group ? undefined : group
}

/** Which rows are drawn, and where. */
function useRows(box: RefObject<HTMLElement | null>, layout: Layout, count: number) {
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

/** Where a key leads. One that was lost is taken up again where it was. */
function target(key: ListKey, { index, gone }: Cursor, count: number): number {
  if ('to' in key) return clamp(key.to === 'end' ? count - 1 : key.to, count)
  return 'by' in key && !gone ? clamp(index + key.by, count) : index
}

/** Which item an element is in, and which part of it. */
function partAt(element: HTMLElement): { index: number; act: Act | undefined; value: string } {
  const part = element.closest<HTMLElement>('[data-act]')
  const index = Number(element.closest<HTMLElement>('[data-index]')?.dataset.index)
  return { index, act: part?.dataset.act as Act | undefined, value: part?.dataset.value ?? '' }
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}

function indexes(from: number, count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, at) => from + at)
}
