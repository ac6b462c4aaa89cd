// biome-ignore-all lint/a11y/useSemanticElements: a table has rows that are all there, and no cards
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
import { type KeptScroll, type RowItems, type Rows, useRows } from './use-rows.ts'

export type Layout = 'list' | 'compact' | 'grid'

/** Widest list, in pixels: what belongs together stays together. */
const WIDEST = 1120

/** Largest width of the tags in a row, and the width of one of their letters, in pixels. */
const TAGS = 272
const LETTER = 7

export interface ListHandle {
  focus(): void
  /** Takes a key that nothing had the focus for. */
  press(event: globalThis.KeyboardEvent): void
  toTop(): void
}

/** The state of a list, and how it is drawn. */
export interface Shown {
  list: List
  layout: Layout
  /** Whether the items are in the order of their days, which are told where another begins. */
  dated: boolean
  /** The list starts at its top again when this changes. */
  view: object
}

export interface BookmarkListProps extends Shown {
  label: string
  /** The words searched for, to be marked. */
  words: string[]
  /** Without a bookmark where the one that keys acted on is no longer there. */
  onKey(key: ListKey, index: number, bookmark: ShownBookmark | undefined): void
  onAct(act: Act, bookmark: ShownBookmark, index: number, value: string): void
  /** A double click on the item itself. */
  onDouble?(bookmark: ShownBookmark): void
  /** An item is dragged. Returns what to call it; without this nothing can be dragged. */
  onDrag?(bookmark: ShownBookmark): string
  /** The menu of an item was asked for, here in the window. */
  onMenu?(bookmark: ShownBookmark, index: number, at: { x: number; y: number }): void
  /** Whether the list has been scrolled from its top. */
  onAway(away: boolean): void
}

/** A list or a grid of as many bookmarks as there are, of which only those in sight are in the document. */
export function BookmarkList(props: BookmarkListProps) {
  const { pages, active, setActive } = props.list
  const box = useRef<HTMLDivElement>(null)
  const { ref: measured, width } = useElementSize()
  const rows = useRows(box, props, width)
  const isDrawn = !active.gone && active.index >= rows.first && active.index <= rows.last
  const current = isDrawn ? pages.at(active.index) : undefined
  const isPlaced = !pages.stale && rows.isGrid === (props.layout === 'grid')
  const keepScroll = useKeptScroll(box, props.view, isPlaced, (kept) => setActive(rows.restore(kept)))
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
      onPointerDown={rows.letGo}
      onWheel={rows.letGo}
      onScroll={({ currentTarget: { scrollTop } }) => {
        props.onAway(scrollTop > rows.size / 2)
        keepScroll({ scroll: scrollTop, item: rows.itemAt(scrollTop) })
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
            tagRoom={Math.floor((Math.min(0.28 * Math.min(width, WIDEST), TAGS) - 26) / LETTER)}
          />
        ))}
      </div>
    </div>
  )
}

/** Lets keys act on a list, also those that nothing had the focus for. Returns what takes a key that is pressed. */
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
    const next = target(key, active, pages.count, (rows) => below(active.index, rows))
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
  /** The item that keys act on. */
  current: ShownBookmark | undefined
  /** The id of the one under the pointer. */
  pointed: string | undefined
  tagRoom: number
}

/** The items of one row, below the name of their days where another begins. */
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
      {Array.from({ length: count }, (_, at) => {
        const index = from + at
        const width = widths?.[at]
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
            tagRoom={width === undefined ? tagRoom : Math.floor((width - 24) / LETTER)}
            dated={dated}
            words={words}
          />
        ) : (
          <div key={index} role="gridcell" className={classes.coming} data-layout={layout} style={{ width, height }} />
        )
      })}
    </div>
  )
}

/** Where a key leads. One that was lost is taken up again where it was. */
function target(key: ListKey, { index, gone }: Cursor, count: number, below: (rows: number) => number): number {
  if ('to' in key) return clamp(key.to === 'end' ? count - 1 : key.to, count)
  if (gone) return index
  if ('rows' in key) return clamp(below(key.rows), count)
  return 'by' in key ? clamp(index + key.by, count) : index
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}

/** So long after the last scrolling it is kept, in milliseconds: browsers limit how often an address may change. */
const PAUSE_MS = 100

/**
 * Keeps how far a list is scrolled in the entry of the browser's history that shows it, so that coming back to it and
 * loading it again begin there. Another view begins at its top.
 *
 * @param ready whether the list is already that of the view, and its items have their places
 * @param restore scrolls a list that does not begin at its top
 */
function useKeptScroll(
  box: RefObject<HTMLElement | null>,
  view: object,
  ready: boolean,
  restore: (kept: KeptScroll) => void
) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const restored = useRef<object>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each view, when it is there
  useEffect(() => {
    if (!ready || restored.current === view || !box.current) return
    restored.current = view
    const kept = keptScroll()
    if (kept.scroll > 0) restore(kept)
    else box.current.scrollTop = 0
  }, [view, ready])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept belongs to the view
  useEffect(() => () => clearTimeout(timer.current), [view])

  return (kept: KeptScroll) => {
    clearTimeout(timer.current)
    if (restored.current === view) timer.current = setTimeout(() => keepScroll(kept), PAUSE_MS)
  }
}

function keptScroll(): KeptScroll {
  return { scroll: Number(history.state?.scroll ?? 0), item: Number(history.state?.item ?? 0) }
}

function keepScroll(kept: KeptScroll): void {
  history.replaceState({ ...history.state, ...kept }, '')
}

export const TRASH_ICON = <IconTrash size={34} stroke={1.3} />

interface ListStateProps {
  pages: Pages
  /** Shown where the list has no bookmarks. */
  empty: ReactNode
  /** The list. */
  children: ReactNode
}

/** A list, or that it failed, is on its way or is empty. */
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
