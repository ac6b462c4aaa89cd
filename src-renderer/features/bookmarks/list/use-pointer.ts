import { type DragEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { ShownBookmark } from '../../../api/client.ts'
import { readsFirst } from '../../../api/mutations.ts'
import { openable } from '../../../lib/labels.ts'
import { openReader } from '../../../lib/opened.ts'
import { dragging } from '../../../shared/list-offers.ts'
import type { BookmarkListProps } from './bookmark-list.tsx'
import { type Act, itemId } from './cell.tsx'
import type { Rows } from './use-rows.ts'

/**
 * Handles the pointer in a list: clicks, context menus, and the item under the pointer.
 *
 * @param current the item that keys act on, if it is drawn
 */
export function usePointer(props: BookmarkListProps, rows: Rows, current: ShownBookmark | undefined) {
  const { list, layout, onAct, onDouble, onMenu } = props
  const { pages, setActive } = list
  const [pointed, setPointed] = useState<string>()
  const clicked = useRef<ShownBookmark>(undefined)
  const rowCount = pages.isExact ? rows.count : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another item may be under the pointer then
  useEffect(() => setPointed(undefined), [layout, rowCount])

  return {
    pointed,
    listeners: {
      onClick(event: MouseEvent<HTMLElement>) {
        const { index, act, value } = partAt(event.target as HTMLElement)
        const bookmark = pages.at(index)
        if (!bookmark) return
        const keys = { shift: event.shiftKey, toggle: event.ctrlKey || event.metaKey, again: event.detail > 1 }
        if (!keys.again) clicked.current = bookmark
        if (act !== 'open' && (keys.shift || keys.toggle)) event.preventDefault()
        setActive(index)
        if (act === 'open' && !keys.shift && !keys.toggle && readsFirst(bookmark)) {
          event.preventDefault()
          openReader(bookmark.id)
        } else if (act && !(act === 'select' && keys.shift)) onAct(act, bookmark, index, value)
        else list.onClick(bookmark, index, keys)
      },
      /** The middle button opens a link. */
      onAuxClick({ target, button }: MouseEvent<HTMLElement>) {
        const { index, act, value } = partAt(target as HTMLElement)
        const bookmark = pages.at(index)
        if (bookmark && act === 'open' && button === 1) onAct(act, bookmark, index, value)
      },
      /** The panel that the first click opened may have moved another item under the pointer. */
      onDoubleClick({ target }: MouseEvent<HTMLElement>) {
        if (clicked.current && !partAt(target as HTMLElement).act) onDouble?.(clicked.current)
      },
      onContextMenu(event: MouseEvent<HTMLElement>) {
        const { index: pointedIndex } = partAt(event.target as HTMLElement)
        // The menu key opens the menu of the active item.
        const byKey = Number.isNaN(pointedIndex)
        const index = byKey ? list.active.index : pointedIndex
        const bookmark = byKey ? current : pages.at(index)
        if (!bookmark || !onMenu) return
        event.preventDefault()
        setActive(index)
        const cell = byKey && document.getElementById(itemId(bookmark))?.getBoundingClientRect()
        onMenu(bookmark, index, cell ? { x: cell.left + 60, y: cell.bottom } : { x: event.clientX, y: event.clientY })
      },
      /** Rows that scroll under the pointer are ignored. */
      onPointerMove({ target, pointerType }: PointerEvent<HTMLElement>) {
        if (pointerType !== 'mouse' || rows.isScrolling()) return
        setPointed(pages.at(partAt(target as HTMLElement).index)?.id)
      },
      onPointerLeave: () => setPointed(undefined)
    }
  }
}

/** Lets items be dragged, with a chip at the pointer that names them. */
export function useDrag({ list, onDrag }: Pick<BookmarkListProps, 'list' | 'onDrag'>) {
  const chip = useRef<HTMLSpanElement>(null)
  return {
    chip,
    listeners: {
      onDragStart({ target, dataTransfer }: DragEvent<HTMLElement>) {
        const bookmark = list.pages.at(partAt(target as HTMLElement).index)
        if (!bookmark || !onDrag) return
        const address = openable(bookmark.url)
        dataTransfer.effectAllowed = 'copyMove'
        dataTransfer.setData('text/plain', address ?? bookmark.content)
        if (address) dataTransfer.setData('text/uri-list', address)
        if (!chip.current) return
        chip.current.textContent = onDrag(bookmark)
        dataTransfer.setDragImage(chip.current, -12, -12)
      },
      onDragEnd: () => dragging.set(undefined)
    }
  }
}

/** Returns the item that an element is in, and the part of it. */
function partAt(element: HTMLElement): { index: number; act: Act | undefined; value: string } {
  const part = element.closest<HTMLElement>('[data-act]')
  const index = Number(element.closest<HTMLElement>('[data-index]')?.dataset.index)
  return { index, act: part?.dataset.act as Act | undefined, value: part?.dataset.value ?? '' }
}
