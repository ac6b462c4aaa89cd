import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api, ask, type ShownBookmark } from '../../../api/client.ts'
import type { Hold } from '../../../api/events.ts'
import type { ListQuery } from '../../../api/queries.ts'
import { openBookmark } from '../../../lib/opened.ts'
import { notifyError } from '../../../ui/notify.tsx'
import type { ListHandle } from './bookmark-list.tsx'
import { type Pages, usePages, useStateOf } from './pages.ts'
import {
  type Anchor,
  type Chosen,
  chosenBy,
  deselectChosen,
  firstRemaining,
  isChosen,
  isSelected,
  type Listed,
  type ListKey,
  locate,
  MAX_SELECTED,
  NOTHING,
  rangeTo,
  reanchor,
  type Selection,
  sizeOf,
  skipRemoved,
  toggleSelected
} from './selection.ts'

const TOP: Anchor = { id: undefined, index: 0 }

const NONE: Chosen[] = []

/** Ends the removal of bookmarks from a list. */
export interface Leaving {
  /** Called when the list no longer shows them. */
  gone(): void
  /** Called if the removal failed. */
  stayed(): void
}

/** The open menu of the bar of actions for the selected bookmarks. */
type BulkMenu = 'tag' | 'move' | 'more' | undefined

export type List = ReturnType<typeof useList>

/**
 * The state of a list: its pages, the active item, the selection.
 *
 * @param hold keeps it unchanged while others change its bookmarks
 */
export function useList(query: ListQuery, hold: Hold) {
  const handle = useRef<ListHandle>(null)
  const [menu, setMenu] = useState<BulkMenu>()
  const pages = usePages(query, hold)
  const { anchor, setAnchor, leave, skipLeaving } = useAnchor(query, pages)
  const selection = useSelection(query, pages, anchor)
  const { toggle, chooseRange, selected } = selection
  return {
    ...selection,
    handle,
    pages,
    menu,
    setMenu,
    active: locate(anchor, pages),
    setActive: (index: number) => setAnchor({ id: pages.at(index)?.id, index }),
    leave,
    skipLeaving,
    /** A click opens a bookmark, or selects it if others are selected. */
    onClick(bookmark: ShownBookmark, index: number, keys: { shift: boolean; toggle: boolean; again: boolean }) {
      if (keys.shift) void chooseRange(index)
      else if (keys.toggle || selected.size > 0) toggle(bookmark, index)
      else if (!keys.again) openBookmark(bookmark.id, { clicked: true })
    }
  }
}

/** The bookmark that keys act on. It stays the same when it moves in the list. */
function useAnchor(query: object, pages: Pages) {
  const [anchor, setAnchor] = useStateOf(query, TOP)
  const [leaving, setLeaving] = useStateOf<Chosen[]>(query, NONE)
  const isLeaving = (id: string) => leaving.some((chosen) => isChosen(chosen, id))
  useEffect(() => {
    if (!pages.stale) setAnchor((current) => reanchor(current, pages))
  }, [pages, setAnchor])

  /** Marks bookmarks as being removed. Keys act on the next bookmark then. */
  function leave(chosen: Chosen): Leaving {
    setLeaving((all) => [...all, chosen])
    const forget = () => setLeaving((all) => all.filter((other) => other !== chosen))
    return {
      stayed: forget,
      gone() {
        setAnchor(({ id, index }) => ({ id: id !== undefined && isChosen(chosen, id) ? undefined : id, index }))
        forget()
      }
    }
  }
  /** Returns a bookmark, or the next one that is not being removed. */
  function skipLeaving(bookmark: ShownBookmark, index: number): ShownBookmark | undefined {
    if (!isLeaving(bookmark.id)) return bookmark
    const row = firstRemaining(index, pages, isLeaving)
    return row === undefined ? undefined : pages.at(row)
  }
  return { anchor: skipRemoved(anchor, pages, isLeaving), setAnchor, leave, skipLeaving }
}

/** The selection, made by clicks and by keys. */
function useSelection(query: object, pages: Pages, active: Anchor) {
  const [selection, setSelection] = useStateOf(query, NOTHING)
  const [keys] = useState(keyQueue)
  const { range } = pages
  const latestQuery = useRef(query)
  latestQuery.current = query

  /** Sets the selection when the service has answered, unless the query has changed since. Keys wait for it. */
  function select(request: Promise<Selection>): Promise<void> {
    const selecting = request.then((answer) => latestQuery.current === query && setSelection(answer))
    return keys.during(selecting).catch(notifyError)
  }
  function chooseRange(index: number): Promise<void> {
    const anchor = selection.anchor ?? active
    const { from, to } = rangeTo(locate(anchor, pages).index, index)
    return select(range(from, to).then((rows) => ({ ids: new Set(rows.map(({ id }) => id)), anchor })))
  }
  const chooseAll = () => select(selectAll(query, pages))
  const toggle = ({ id }: ShownBookmark, index: number) => setSelection((now) => toggleSelected(now, id, index))
  const clearSelection = () => setSelection(NOTHING)
  /** Deselects the bookmarks of a change that is done. Those that were selected since it began stay selected. */
  const deselect = useCallback((done: Chosen) => setSelection((now) => deselectChosen(now, done)), [setSelection])
  const selected = useMemo(() => describeSelection(selection), [selection])

  /** Shift and a movement select the rows on the way. Returns true if the key is handled. */
  function onKey(key: ListKey, index: number, bookmark: ShownBookmark | undefined): boolean {
    if (!('act' in key)) {
      if (key.extend) void chooseRange(index)
      return true
    }
    if (key.act === 'all') void chooseAll()
    else if (key.act === 'select' && bookmark) toggle(bookmark, index)
    else if (key.act === 'leave' && selected.size > 0) clearSelection()
    else return false
    return true
  }
  return { selected, delayKey: keys.delay, toggle, chooseAll, chooseRange, clearSelection, deselect, onKey }
}

function describeSelection(selection: Selection) {
  return {
    size: sizeOf(selection),
    /** Whether all of the list were selected. Some may be deselected since. */
    isAll: selection.all !== undefined,
    chosen: chosenBy(selection),
    has: (id: string) => isSelected(selection, id)
  }
}

/**
 * Selects all of a list: a short list by ids, a long one by its query. A relaxed search is selected by ids too, because
 * its query does not match exactly what is shown.
 */
async function selectAll({ order: _, ...listed }: Listed & { order?: unknown }, pages: Pages): Promise<Selection> {
  const { first, count, isExact, range } = pages
  if (!first || first.relaxed || (isExact && count <= MAX_SELECTED)) {
    const shown = await range(0, Math.min(count, MAX_SELECTED) - 1)
    return { ids: new Set(shown.map(({ id }) => id)), anchor: undefined }
  }
  const { total } = await ask(api.bookmarks.selections.$post({ json: { all: listed } }))
  return { ids: new Set(), all: { listed, count: total }, anchor: undefined }
}

/** Queues keys that are typed while a selection is being counted. Afterwards they are dispatched again, in order. */
function keyQueue() {
  const waiting: KeyboardEvent[] = []
  let pendingCount = 0
  let isDispatching = false

  function dispatchNext(): void {
    const event = pendingCount === 0 ? waiting.shift() : undefined
    if (!event) return
    isDispatching = true
    event.target?.dispatchEvent(new KeyboardEvent('keydown', event))
    isDispatching = false
    // The next key waits until the selection that this key changed is rendered.
    setTimeout(dispatchNext)
  }
  return {
    /** Queues a key that has to wait. Returns false if the key can be handled now. */
    delay(event: KeyboardEvent): boolean {
      if (isDispatching || (pendingCount === 0 && waiting.length === 0)) return false
      waiting.push(event)
      return true
    },
    /** Delays keys until the work is done. If it fails, the waiting keys are dropped. */
    async during(work: Promise<unknown>): Promise<void> {
      pendingCount += 1
      try {
        await work
      } catch (error) {
        waiting.length = 0
        throw error
      } finally {
        // Keys also wait until the selection is rendered.
        setTimeout(() => {
          pendingCount -= 1
          dispatchNext()
        })
      }
    }
  }
}
