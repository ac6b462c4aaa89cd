import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { BookmarksQuery, ShownBookmark } from '../../../shared/bookmark-data.ts'
import { told } from '../../../shared/notify.tsx'
import { openBookmark } from '../../../shared/opened.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import type { ListHandle } from './bookmark-list.tsx'
import type { ListKey } from './keys.ts'
import { added, MOST_SELECTED, NOTHING, rangeTo, toggled, without } from './selection.ts'
import { PAGE, usePages } from './use-pages.ts'

/** What a list shows and where one is in it: its pages, the active item, the selection. */
export function useList(query: Omit<BookmarksQuery, 'page' | 'limit'>) {
  const handle = useRef<ListHandle>(null)
  const [visible, setVisible] = useState<[number, number]>([0, PAGE - 1])
  const [active, setActive] = useState(0)
  const [selection, setSelection] = useState(NOTHING)
  const pages = usePages(query, visible)
  const { range, count } = pages

  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has nothing of this one's
  useEffect(() => {
    setActive(0)
    setSelection(NOTHING)
    setVisible([0, PAGE - 1])
  }, [query])

  /** Only the pages matter, so that scrolling within one draws nothing anew. */
  const onVisible = useCallback((first: number, last: number) => {
    const next: [number, number] = [first - (first % PAGE), last - (last % PAGE) + PAGE - 1]
    setVisible((now) => (now[0] === next[0] && now[1] === next[1] ? now : next))
  }, [])

  const chooseRange = useCallback(
    async (index: number) => {
      const { from, to } = rangeTo(selection, index)
      const chosen = (await range(from, to)).map(({ id }) => id)
      setSelection({ ids: new Set(chosen), anchor: selection.anchor ?? 0 })
    },
    [range, selection]
  )

  const chooseAll = useCallback(async () => {
    const chosen = (await range(0, Math.min(count, MOST_SELECTED) - 1)).map(({ id }) => id)
    setSelection(added(NOTHING, chosen))
    if (count > MOST_SELECTED) told(strings.selectionFull(MOST_SELECTED))
  }, [range, count])

  const toggle = useCallback((bookmark: ShownBookmark, index: number) => {
    setSelection((now) => toggled(now, bookmark.id, index))
  }, [])

  /** A click opens, or selects where something is selected. */
  const onClick = useCallback(
    (bookmark: ShownBookmark, index: number, keys: { shift: boolean; toggle: boolean }) => {
      if (keys.shift) void chooseRange(index)
      else if (keys.toggle || selection.ids.size > 0) toggle(bookmark, index)
      else void openBookmark(bookmark.id, { clicked: true })
    },
    [chooseRange, selection, toggle]
  )

  /** Moving chooses on the way where it extends. True where the key meant nothing but the selection. */
  const onKey = useCallback(
    (key: ListKey, index: number): boolean => {
      if (!('act' in key)) {
        if (key.extend) void chooseRange(index)
        return true
      }
      const bookmark = pages.at(index)
      if (key.act === 'all') void chooseAll()
      else if (key.act === 'select' && bookmark) toggle(bookmark, index)
      else if (key.act === 'leave' && selection.ids.size > 0) setSelection(NOTHING)
      else return false
      return true
    },
    [chooseAll, chooseRange, pages, selection, toggle]
  )

  return useMemo(
    () => ({
      handle,
      pages,
      // The list may have become shorter.
      active: Math.min(active, Math.max(0, count - 1)),
      setActive,
      selected: selection.ids,
      clearSelection: () => setSelection(NOTHING),
      /** What was done to them is done; what was chosen meanwhile stays. */
      deselect: (ids: string[]) => setSelection((now) => without(now, ids)),
      toggle,
      onClick,
      onKey,
      onVisible
    }),
    [active, count, onClick, onKey, onVisible, pages, selection, toggle]
  )
}
