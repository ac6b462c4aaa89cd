import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { BookmarksPage, ShownBookmark } from '../../../api/client.ts'
import type { Hold } from '../../../api/events.ts'
import { LIST_PAGE, type ListQuery, listOptions } from '../../../api/queries.ts'

/** The pages of the service's list, of which only those in view are held. */
export interface Pages {
  /** The first page: totals and hints. `undefined` while it is on its way for the first time. */
  first: BookmarksPage | undefined
  failed: boolean
  /** The list is still that of the view before. */
  stale: boolean
  /** The number of rows as far as it is known. */
  count: number
  /** Whether that is all. Otherwise it grows as one scrolls. */
  isExact: boolean
  /** `undefined` for what has not arrived. */
  at(index: number): ShownBookmark | undefined
  /** Every bookmark that has arrived, with its row. */
  loaded(): [row: number, bookmark: ShownBookmark][]
  /** The row of a bookmark, where its page has arrived. */
  indexOf(id: string): number | undefined
  /** The bookmarks from row `from` to row `to`, both included, fetched where they have to be. */
  range(from: number, to: number): Promise<ShownBookmark[]>
  /** Fetches the pages of these rows, because they can be seen. */
  onVisible(first: number, last: number): void
  retry(): void
}

/**
 * @param query filters and order; the same object as long as nothing about it changes
 * @param hold keeps the pages as they are while others change them
 */
export function usePages(query: ListQuery, hold: Hold): Pages {
  const client = useQueryClient()
  // Only the numbers of pages, so that scrolling within one renders nothing.
  const [[firstPage, lastPage], setVisible] = useStateOf<readonly [number, number]>(query, [1, 1])
  const optionsOf = (page: number) => ({ ...listOptions(query, page), meta: { hold } })
  const first = useQuery({ ...optionsOf(1), placeholderData: keepPreviousData })
  const stale = first.isPlaceholderData
  const others = stale ? [] : pagesBetween(Math.max(2, firstPage), lastPage)
  const fetched = useQueries({ queries: others.map(optionsOf) })
  const loaded = [first.data, ...fetched.map(({ data }) => data)].filter((page) => page !== undefined)

  const onVisible = useCallback(
    (from: number, to: number) => {
      const next = [pageOf(from), pageOf(Math.max(from, to))] as const
      setVisible((now) => (now[0] === next[0] && now[1] === next[1] ? now : next))
    },
    [setVisible]
  )
  return {
    first: first.data,
    failed: first.isError && !first.data,
    stale,
    count: useCount(query, stale, loaded),
    isExact: first.data?.atLeast === false,
    at: (index) => loaded.find(({ page }) => page === pageOf(index))?.bookmarks[index % LIST_PAGE],
    loaded: () =>
      loaded.flatMap(({ page, bookmarks }) => bookmarks.map((bookmark, at) => [firstRow(page) + at, bookmark])),
    indexOf(id) {
      for (const { page, bookmarks } of loaded) {
        const at = bookmarks.findIndex((bookmark) => bookmark.id === id)
        if (at >= 0) return firstRow(page) + at
      }
      return undefined
    },
    async range(from, to) {
      const pages = pagesBetween(pageOf(from), pageOf(to)).map((page) => client.ensureQueryData(optionsOf(page)))
      const bookmarks = (await Promise.all(pages)).flatMap((page) => page.bookmarks)
      const start = firstRow(pageOf(from))
      return bookmarks.slice(from - start, to - start + 1)
    },
    onVisible,
    retry: () => void first.refetch()
  }
}

/** Pages are counted from 1, rows from 0. */
const pageOf = (row: number) => Math.floor(row / LIST_PAGE) + 1
const firstRow = (page: number) => (page - 1) * LIST_PAGE

function pagesBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

/** How many rows there are: a total that is not exact grows with the furthest page seen, and one row to come. */
function useCount(query: object, stale: boolean, loaded: BookmarksPage[]): number {
  const reach = useRef({ query, rows: 0 })
  const [first] = loaded
  // Until another view arrives, the one before is shown.
  if (!stale && reach.current.query !== query) reach.current = { query, rows: 0 }
  if (!first?.atLeast) return first?.total ?? 0
  const reached = loaded.map(({ page, hasMore, bookmarks }) => firstRow(page) + bookmarks.length + (hasMore ? 1 : 0))
  reach.current.rows = Math.max(reach.current.rows, first.total, ...reached)
  return reach.current.rows
}

/** State that belongs to one view: another view has nothing of it, and begins with `initial`. */
export function useStateOf<T>(view: object, initial: T) {
  const [state, setState] = useState(initial)
  const [owner, setOwner] = useState(view)
  // While it is drawn, so that what the view's parts do once they are there is not undone.
  if (owner !== view) {
    setOwner(view)
    setState(initial)
  }
  return [state, setState] as const
}
