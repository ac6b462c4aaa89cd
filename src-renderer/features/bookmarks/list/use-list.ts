import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api, ask, type BookmarksPage, type ShownBookmark } from '../../../api/client.ts'
import type { Hold } from '../../../api/events.ts'
import { LIST_PAGE, type ListQuery, listOptions } from '../../../api/queries.ts'
import { openBookmark } from '../../../lib/opened.ts'
import { notifyError } from '../../../ui/notify.tsx'
import type { ListHandle } from './bookmark-list.tsx'
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
const TOP_PAGE: [number, number] = [0, LIST_PAGE - 1]

const NONE: Chosen[] = []

/** Bookmarks that are being taken away from a list, and what became of that. */
export interface Leaving {
  /** The list shows that they are gone. */
  gone(): void
  stayed(): void
}

/** State that belongs to one view: another view has nothing of it, and begins with `initial`. */
function useStateOf<T>(view: object, initial: T) {
  const [state, setState] = useState(initial)
  const [owner, setOwner] = useState(view)
  // While it is drawn, so that what the view's parts do once they are there is not undone.
  if (owner !== view) {
    setOwner(view)
    setState(initial)
  }
  return [state, setState] as const
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
  const { visible, onVisible } = useVisible(query)
  const pages = usePages(query, visible, hold)
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
    onVisible,
    /** A click opens, or selects where something is selected. */
    onClick(bookmark: ShownBookmark, index: number, keys: { shift: boolean; toggle: boolean; again: boolean }) {
      if (keys.shift) void chooseRange(index)
      else if (keys.toggle || selected.size > 0) toggle(bookmark, index)
      else if (!keys.again) openBookmark(bookmark.id, { clicked: true })
    }
  }
}

/** Which rows can be seen. Only their pages matter, so that scrolling within one draws nothing anew. */
function useVisible(query: object) {
  const [visible, setVisible] = useStateOf<[number, number]>(query, TOP_PAGE)
  const onVisible = useCallback(
    (first: number, last: number) => {
      const next: [number, number] = [first - (first % LIST_PAGE), last - (last % LIST_PAGE) + LIST_PAGE - 1]
      setVisible((now) => (now[0] === next[0] && now[1] === next[1] ? now : next))
    },
    [setVisible]
  )
  return { visible, onVisible }
}

/** The bookmark that keys act on. It stays that one wherever the list puts it. */
function useAnchor(query: object, pages: Pages) {
  const [kept, setAnchor] = useStateOf(query, TOP)
  const [leaving, setLeaving] = useStateOf<Chosen[]>(query, NONE)
  const isLeaving = (id: string) => leaving.some((chosen) => wasChosen(chosen, id))
  useEffect(() => {
    if (!pages.stale) setAnchor((now) => reanchor(now, pages))
  }, [pages, setAnchor])

  /** These are being taken away from here: once they are gone their row is that of the next one. */
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

  /** Selects what is still being counted, if the list shows the same by then. Keys wait for it. */
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

  /** Moving chooses on the way where it extends. True where the key meant nothing but the selection. */
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
  return { selected, hold: keys.hold, toggle, chooseAll, chooseRange, clearSelection, deselect, onKey }
}

/** The selection, as components show and change it. */
interface Selected {
  size: number
  /** All that the list shows, but a few at most. */
  isAll: boolean
  chosen: Chosen
  has(id: string): boolean
}

function selectedBy(selection: Selection): Selected {
  return {
    size: sizeOf(selection),
    isAll: selection.all !== undefined,
    chosen: chosenBy(selection),
    has: (id) => holds(selection, id)
  }
}

/**
 * All of a list: few are chosen one by one, many by what the list was asked for, so that the service finds them. Where
 * not all words were found, what is shown is all there is to go by.
 */
async function allOf({ order: _, ...listed }: Listed & { order?: unknown }, pages: Pages): Promise<Selection> {
  const { first, count, range } = pages
  const few = first && !first.atLeast && first.total <= MAX_SELECTED
  if (!first || few || first.relaxed) {
    const shown = await range(0, Math.min(count, MAX_SELECTED) - 1)
    return { ids: new Set(shown.map(({ id }) => id)), anchor: undefined }
  }
  const { total } = await ask(api.bookmarks.selections.$post({ json: { all: listed } }))
  return { ids: new Set(), all: { listed, count: total }, anchor: undefined }
}

/** Keys typed while a selection is being counted. They wait for it and are then pressed again, in their order. */
interface KeyQueue {
  /** Takes a key that has to wait. False if it may act at once. */
  hold(event: KeyboardEvent): boolean
  /** Lets keys wait for this. If it fails they are dropped: what they were meant for is not there. */
  during(work: Promise<unknown>): Promise<void>
}

function keyQueue(): KeyQueue {
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
    hold(event) {
      if (pressing || (counts === 0 && waiting.length === 0)) return false
      waiting.push(event)
      return true
    },
    async during(work) {
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

/** The pages of the service's list, of which only those in view are held. */
export interface Pages {
  /** The first page: totals and hints. `undefined` while it is on its way for the first time. */
  first: BookmarksPage | undefined
  failed: boolean
  /** The list is still that of the view before. */
  stale: boolean
  /** Rows there are, as far as is known: where a total is not exact it grows as one scrolls. */
  count: number
  /** `undefined` for what has not arrived. */
  at(index: number): ShownBookmark | undefined
  /** Every bookmark that has arrived, with its row. */
  loaded(): Generator<[number, ShownBookmark]>
  /** The row of a bookmark, where its page has arrived. */
  indexOf(id: string): number | undefined
  /** The bookmarks from row `from` to row `to`, both included, fetched where they have to be. */
  range(from: number, to: number): Promise<ShownBookmark[]>
  retry(): void
}

/**
 * @param query filters and order; the same object as long as nothing about it changes
 * @param visible the first and the last row that can be seen
 * @param hold keeps them as they are while others change them
 */
function usePages(query: ListQuery, visible: [number, number], hold: Hold): Pages {
  const client = useQueryClient()
  const optionsOf = (page: number) => ({ ...listOptions(query, page), meta: { hold } })
  const first = useQuery({ ...optionsOf(1), placeholderData: keepPreviousData })
  const wanted = pagesBetween(visible).filter((page) => page > 1)
  const others = useQueries({
    queries: first.isPlaceholderData ? [] : wanted.map(optionsOf)
  })

  const loaded = new Map<number, BookmarksPage>()
  if (first.data) loaded.set(1, first.data)
  for (const { data } of others) if (data) loaded.set(data.page, data)
  const count = useReach(query, loaded, first.data)

  return {
    first: first.data,
    failed: first.isError && !first.data,
    stale: first.isPlaceholderData,
    count,
    indexOf: (id) => rowOf(loaded, id),
    at: (index) => loaded.get(Math.floor(index / LIST_PAGE) + 1)?.bookmarks[index % LIST_PAGE],
    *loaded() {
      for (const [page, { bookmarks }] of loaded) {
        for (const [at, bookmark] of bookmarks.entries()) yield [(page - 1) * LIST_PAGE + at, bookmark]
      }
    },
    async range(from, to) {
      const pages = await Promise.all(pagesBetween([from, to]).map((page) => client.ensureQueryData(optionsOf(page))))
      const start = Math.floor(from / LIST_PAGE) * LIST_PAGE
      return pages.flatMap((page) => page.bookmarks).slice(from - start, to - start + 1)
    },
    retry: () => void first.refetch()
  }
}

/** Pages are counted from 1, rows from 0. */
function pagesBetween([from, to]: [number, number]): number[] {
  const firstPage = Math.floor(from / LIST_PAGE) + 1
  const lastPage = Math.floor(Math.max(from, to) / LIST_PAGE) + 1
  return Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index)
}

function rowOf(loaded: Map<number, BookmarksPage>, id: string): number | undefined {
  for (const [page, { bookmarks }] of loaded) {
    const at = bookmarks.findIndex((bookmark) => bookmark.id === id)
    if (at >= 0) return (page - 1) * LIST_PAGE + at
  }
  return undefined
}

/** How many rows there are: a total that is not exact grows with the furthest page seen, and one row to come. */
function useReach(query: object, loaded: Map<number, BookmarksPage>, first: BookmarksPage | undefined): number {
  const reach = useRef({ query, rows: 0 })
  if (!first) return 0
  if (!first.atLeast) return first.total
  if (reach.current.query !== query) reach.current = { query, rows: first.total }
  for (const { page, hasMore, bookmarks } of loaded.values()) {
    const rows = (page - 1) * LIST_PAGE + bookmarks.length
    reach.current.rows = Math.max(reach.current.rows, hasMore ? rows + 1 : rows)
  }
  return reach.current.rows
}
