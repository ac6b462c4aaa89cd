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
  firstStaying,
  holds,
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
  toggled,
  wasChosen,
  without
} from './selection.ts'

const TOP: Anchor = { id: undefined, index: 0 }

const NONE: Chosen[] = []

/** Bookmarks that are being taken away from a list, and what became of that. */
export interface Leaving {
  /** The list shows that they are gone. */
  gone(): void
  stayed(): void
}

/** The open menu of the bar of actions for the selected bookmarks. */
type BulkMenu = 'tag' | 'move' | 'more' | undefined

export type List = ReturnType<typeof useList>

/**
 * The state of a list: its pages, the active item, the selection.
 *
 * @param hold keeps it as it is while others change it
 */
export function useList(query: ListQuery, hold: Hold) {
  const handle = useRef<ListHandle>(null)
  const [menu, setMenu] = useState<BulkMenu>()
  const pages = usePages(query, hold)
  const { anchor, setAnchor, leave, staying } = useAnchor(query, pages)
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
    staying,
    /** A click opens, or selects where something is selected. */
    onClick(bookmark: ShownBookmark, index: number, keys: { shift: boolean; toggle: boolean; again: boolean }) {
      if (keys.shift) void chooseRange(index)
      else if (keys.toggle || selected.size > 0) toggle(bookmark, index)
      else if (!keys.again) openBookmark(bookmark.id, { clicked: true })
    }
  }
}

/** The bookmark that keys act on. It stays that one wherever the list puts it. */
function useAnchor(query: object, pages: Pages) {
  const [kept, setAnchor] = useStateOf(query, TOP)
  const [leaving, setLeaving] = useStateOf<Chosen[]>(query, NONE)
  const isLeaving = (id: string) => leaving.some((chosen) => wasChosen(chosen, id))
  useEffect(() => {
    if (!pages.stale) setAnchor((now) => reanchor(now, pages))
  }, [pages, setAnchor])

  /** Bookmarks that are being removed. Then the next bookmark takes their row, and keys act on it. */
  function leave(chosen: Chosen): Leaving {
    setLeaving((now) => [...now, chosen])
    const forget = () => setLeaving((now) => now.filter((one) => one !== chosen))
    return {
      stayed: forget,
      gone() {
        setAnchor(({ id, index }) => ({ id: id !== undefined && wasChosen(chosen, id) ? undefined : id, index }))
        forget()
      }
    }
  }
  /** Returns the bookmark that a key acts on: if this one is being removed already, the next that is not. */
  function staying(bookmark: ShownBookmark, index: number): ShownBookmark | undefined {
    if (!isLeaving(bookmark.id)) return bookmark
    const row = firstStaying(index, pages, isLeaving)
    return row === undefined ? undefined : pages.at(row)
  }
  return { anchor: skipRemoved(kept, pages, isLeaving), setAnchor, leave, staying }
}

/** The selection, made by clicks and by keys. */
function useSelection(query: object, pages: Pages, active: Anchor) {
  const [selection, setSelection] = useStateOf(query, NOTHING)
  const [keys] = useState(keyQueue)
  const { range } = pages
  const shown = useRef(query)
  shown.current = query

  /** Sets the selection when the service has answered, unless the query has changed meanwhile. Keys wait for it. */
  function choose(counting: Promise<Selection>): Promise<void> {
    const chosen = counting.then((counted) => shown.current === query && setSelection(counted))
    return keys.during(chosen).catch(notifyError)
  }
  function chooseRange(index: number): Promise<void> {
    const anchor = selection.anchor ?? active
    const { from, to } = rangeTo(locate(anchor, pages).index, index)
    return choose(range(from, to).then((rows) => ({ ids: new Set(rows.map(({ id }) => id)), anchor })))
  }
  const chooseAll = () => choose(allOf(query, pages))
  const toggle = ({ id }: ShownBookmark, index: number) => setSelection((now) => toggled(now, id, index))
  const clearSelection = () => setSelection(NOTHING)
  /** Removes the bookmarks that a change is done with; those chosen meanwhile stay. */
  const deselect = useCallback((done: Chosen) => setSelection((now) => without(now, done)), [setSelection])
  const selected = useMemo(() => selectedBy(selection), [selection])

  /** Shift and a movement select the rows on the way. Returns true if the key needs no further action. */
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

function selectedBy(selection: Selection) {
  return {
    size: sizeOf(selection),
    /** Selected by the query, without those that were deselected. */
    isAll: selection.all !== undefined,
    chosen: chosenBy(selection),
    has: (id: string) => holds(selection, id)
  }
}

/**
 * Selects all of a list: a short list by ids, a long one by its query. A search with relaxed words has no exact query, so
 * its shown rows are selected.
 */
async function allOf({ order: _, ...listed }: Listed & { order?: unknown }, pages: Pages): Promise<Selection> {
  const { first, count, isExact, range } = pages
  if (!first || first.relaxed || (isExact && count <= MAX_SELECTED)) {
    const shown = await range(0, Math.min(count, MAX_SELECTED) - 1)
    return { ids: new Set(shown.map(({ id }) => id)), anchor: undefined }
  }
  const { total } = await ask(api.bookmarks.selections.$post({ json: { all: listed } }))
  return { ids: new Set(), all: { listed, count: total }, anchor: undefined }
}

/** Keys typed while a selection is being counted. They wait for it and are then pressed again, in their order. */
function keyQueue() {
  const waiting: KeyboardEvent[] = []
  let counts = 0
  let pressing = false

  function pressNext(): void {
    const event = counts === 0 ? waiting.shift() : undefined
    if (!event) return
    pressing = true
    event.target?.dispatchEvent(new KeyboardEvent('keydown', event))
    pressing = false
    // The next key acts on what this one made of the selection, once that is drawn.
    setTimeout(pressNext)
  }
  return {
    /** Delays a key that has to wait. Returns false if it may act at once. */
    delay(event: KeyboardEvent): boolean {
      if (pressing || (counts === 0 && waiting.length === 0)) return false
      waiting.push(event)
      return true
    },
    /** Delays keys until the work is done. If it fails, the waiting keys are dropped. */
    async during(work: Promise<unknown>): Promise<void> {
      counts += 1
      try {
        await work
      } catch (error) {
        waiting.length = 0
        throw error
      } finally {
        // Keys wait until the selection is drawn, too.
        setTimeout(() => {
          counts -= 1
          pressNext()
        })
      }
    }
  }
}
