// biome-ignore-all lint/a11y/useSemanticElements: a table would need all of its rows, and cannot have cards
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the cell that keys act on

import { t } from '@lingui/core/macro'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import type { VirtualItem } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import type { ShownBookmark } from '../../../api/client.ts'
import { useOpened } from '../../../lib/opened.ts'
import { IconTrash } from '../../../ui/icons/icons.ts'
import { Loading, Nothing } from '../../../ui/placeholders.tsx'
import classes from './bookmark-list.module.css'
import { type Act, itemId } from './cell.tsx'
import { Card, Row } from './item.tsx'
import type { Pages } from './pages.ts'
import { type Cursor, type ListKey, readKey } from './selection.ts'
import type { List } from './use-list.ts'
import { useDrag, usePointer } from './use-pointer.ts'
import { type RowItems, type Rows, type ScrollPosition, useRows } from './use-rows.ts'

export type Layout = 'list' | 'compact' | 'grid'

/** Maximum width of a row, in pixels. In a wider one, the parts of a bookmark would be too far apart. */
const MAX_WIDTH = 1120

/** Maximum width of the tags in a row, and the width of a letter of theirs, in pixels. */
const MAX_TAGS_WIDTH = 272
const LETTER_WIDTH = 7

export interface ListHandle {
  focus(): void
  /** Handles a key that was pressed while nothing had the focus. */
  press(event: globalThis.KeyboardEvent): void
  toTop(): void
}

/** The state of a list, and how it is drawn. */
export interface Shown {
  list: List
  layout: Layout
  /** Whether the items are in the order of their dates, with a heading above each group of them. */
  dated: boolean
  /** When this changes, the list starts at its top again. */
  view: object
}

export interface BookmarkListProps extends Shown {
  label: string
  /** The words of the search, which are marked. */
  words: string[]
  /** Called without a bookmark if the active one is no longer in the list. */
  onKey(key: ListKey, index: number, bookmark: ShownBookmark | undefined): void
  onAct(act: Act, bookmark: ShownBookmark, index: number, value: string): void
  /** A double click on an item, not on one of its buttons. */
  onDouble?(bookmark: ShownBookmark): void
  /** A drag begins. Returns the text of its picture. Without this prop, items cannot be dragged. */
  onDrag?(bookmark: ShownBookmark): string
  /** The context menu of an item opens, at a point of the window. */
  onMenu?(bookmark: ShownBookmark, index: number, at: { x: number; y: number }): void
  /** Called with whether the list is scrolled away from its top. */
  onAway(away: boolean): void
}

/** A list or a grid of any number of bookmarks. Only visible ones are in the document. */
export function BookmarkList(props: BookmarkListProps) {
  const { pages, active, setActive } = props.list
  const box = useRef<HTMLDivElement>(null)
  const { ref: measured, width } = useElementSize()
  const rows = useRows(box, props, width)
  const isDrawn = !active.gone && active.index >= rows.first && active.index <= rows.last
  const current = isDrawn ? pages.at(active.index) : undefined
  const isReady = !pages.stale && rows.isGrid === (props.layout === 'grid')
  const storeScroll = useStoredScroll(box, props.view, isReady, (position) => setActive(rows.restore(position)))
  const onKeyDown = useKeys(box, props, rows)
  const pointer = usePointer(props, rows, current)
  const drag = useDrag(props)
  return (
    <div
      ref={useMergedRef(box, measured)}
      className={classes.list}
      data-layout={props.layout}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rows.count}
      aria-multiselectable
      aria-busy={pages.stale}
      aria-activedescendant={current && itemId(current)}
      onKeyDown={onKeyDown}
      {...pointer.listeners}
      {...drag.listeners}
      onPointerDown={rows.clearGoal}
      onWheel={rows.clearGoal}
      onScroll={({ currentTarget: { scrollTop } }) => {
        props.onAway(scrollTop > rows.size / 2)
        storeScroll({ scroll: scrollTop, item: rows.itemAt(scrollTop) })
      }}
    >
      <span ref={drag.chip} className={classes.chip} aria-hidden />
      <div role="rowgroup" style={{ position: 'relative', height: rows.total }}>
        {rows.drawn.map((row) => (
          <ItemRow
            key={row.key}
            {...props}
            row={row}
            items={rows.itemsOf(row.index)}
            current={current}
            pointed={pointer.pointed}
            tagRoom={Math.floor((Math.min(0.28 * Math.min(width, MAX_WIDTH), MAX_TAGS_WIDTH) - 26) / LETTER_WIDTH)}
          />
        ))}
      </div>
    </div>
  )
}

/** Returns the handler of keys in a list. The list's handle passes keys to it that were pressed without a focus. */
function useKeys(
  box: RefObject<HTMLElement | null>,
  { list, onKey }: BookmarkListProps,
  { isGrid, size, toTop, show, below }: Rows
) {
  const { pages, active } = list
  useImperativeHandle(list.handle, () => ({
    focus: () => box.current?.focus({ preventScroll: true }),
    press: (event) => {
      if (!readKey(event, isGrid, 1)) return
      box.current?.focus({ preventScroll: true })
      event.preventDefault()
      box.current?.dispatchEvent(new globalThis.KeyboardEvent('keydown', event))
    },
    toTop
  }))

  return (event: KeyboardEvent) => {
    const screen = Math.max(1, Math.floor((box.current?.clientHeight ?? size) / size) - 1)
    const key = readKey(event, isGrid, screen)
    if (!key || pages.count === 0) return
    event.preventDefault()
    if (list.delayKey(event.nativeEvent)) return
    const next = targetOf(key, active, pages.count, (rows) => below(active.index, rows))
    if ('act' in key) return onKey(key, next, active.gone ? undefined : pages.at(next))
    if (next !== active.index || active.gone) list.setActive(next)
    show(next)
    onKey(key, next, pages.at(next))
  }
}

interface ItemRowProps extends Shown {
  words: string[]
  row: VirtualItem
  items: RowItems
  /** The bookmark that keys act on. */
  current: ShownBookmark | undefined
  /** The id of the bookmark under the pointer. */
  pointed: string | undefined
  tagRoom: number
}

/** The items of a row, below the heading of their dates if a new group begins. */
function ItemRow(props: ItemRowProps) {
  const { list, layout, dated, words, row, items, current, pointed, tagRoom } = props
  const { pages, selected } = list
  const opened = useOpened()
  const Item = layout === 'grid' ? Card : Row
  const { from, count, heading, widths, height } = items
  return (
    <div
      role="row"
      aria-rowindex={row.index + 1}
      className={layout === 'grid' ? classes.cards : classes.row}
      style={{ height: row.size, transform: `translateY(${row.start}px)` }}
    >
      {heading !== undefined && (
        <div role="rowheader" className={classes.heading}>
          {heading}
        </div>
      )}
      {Array.from({ length: count }, (_, column) => {
        const index = from + column
        const width = widths?.[column]
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
            width={width}
            height={height}
            tagRoom={width === undefined ? tagRoom : Math.floor((width - 24) / LETTER_WIDTH)}
            dated={dated}
            words={words}
          />
        ) : (
          <div key={index} role="gridcell" className={classes.loading} data-layout={layout} style={{ width, height }} />
        )
      })}
    </div>
  )
}

/** Returns the index that a key moves to. If the active bookmark is gone, that is first the row where it was. */
function targetOf(key: ListKey, { index, gone }: Cursor, count: number, below: (rows: number) => number): number {
  if ('to' in key) return clamp(key.to === 'end' ? count - 1 : key.to, count)
  if (gone) return index
  if ('rows' in key) return clamp(below(key.rows), count)
  return 'by' in key ? clamp(index + key.by, count) : index
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}

/** Pause in scrolling before the position is stored, in ms. Browsers limit how often the history may change. */
const PAUSE_MS = 100

/**
 * Stores the scroll position of a list in its entry of the browser's history, so that Back and Reload restore it. Another
 * view begins at its top.
 *
 * @param ready whether the list of the view is shown, in its layout
 * @param restore scrolls the list to a position below its top
 */
function useStoredScroll(
  box: RefObject<HTMLElement | null>,
  view: object,
  ready: boolean,
  restore: (position: ScrollPosition) => void
) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const restored = useRef<object>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each view, when it is ready
  useEffect(() => {
    if (!ready || restored.current === view || !box.current) return
    restored.current = view
    const position = readScroll()
    if (position.scroll > 0) restore(position)
    else box.current.scrollTop = 0
  }, [view, ready])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position belongs to the view
  useEffect(() => () => clearTimeout(timer.current), [view])

  return (position: ScrollPosition) => {
    clearTimeout(timer.current)
    if (restored.current === view) timer.current = setTimeout(() => writeScroll(position), PAUSE_MS)
  }
}

function readScroll(): ScrollPosition {
  return { scroll: Number(history.state?.scroll ?? 0), item: Number(history.state?.item ?? 0) }
}

function writeScroll(position: ScrollPosition): void {
  history.replaceState({ ...history.state, ...position }, '')
}

export const TRASH_ICON = <IconTrash size={34} stroke={1.3} />

interface ListStateProps {
  pages: Pages
  /** Shown if the list has no bookmarks. */
  empty: ReactNode
  /** The list. */
  children: ReactNode
}

/** Shows a list; or that it is empty, is loading, or could not be loaded. */
export function ListState({ pages, empty, children }: ListStateProps) {
  if (pages.failed) {
    return (
      <Nothing
        icon={null}
        title={t`The bookmarks could not be loaded.`}
        action={{ label: t`Try again`, run: pages.retry }}
      />
    )
  }
  if (!pages.first) return <Loading />
  return pages.count > 0 ? children : empty
}
