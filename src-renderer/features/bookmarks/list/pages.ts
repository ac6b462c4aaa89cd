import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { BookmarksPage, ShownBookmark } from '../../../api/client.ts'
import type { Hold } from '../../../api/events.ts'
import { LIST_PAGE, type ListQuery, listOptions } from '../../../api/queries.ts'

/** The pages of a list. Only visible ones and the first are loaded. */
export interface Pages {
  /** The first page, which has totals and hints; `undefined` while it is fetched for the first time. */
  first: BookmarksPage | undefined
  failed: boolean
  /** Whether the list is still that of the previous view. */
  stale: boolean
  /** The number of rows, or a lower bound of it. */
  count: number
  /** Whether `count` is the total. Otherwise it grows while the user scrolls. */
  isExact: boolean
  /** Returns the bookmark in a row; `undefined` if it is not loaded. */
  at(index: number): ShownBookmark | undefined
  /** Returns all loaded bookmarks with their rows. */
  loaded(): [row: number, bookmark: ShownBookmark][]
  /** Returns the row of a bookmark; `undefined` if it is not loaded. */
  indexOf(id: string): number | undefined
  /** Returns the bookmarks from row `from` to row `to`, both included. Missing ones are fetched. */
  range(from: number, to: number): Promise<ShownBookmark[]>
  /** Fetches the pages of these rows, because they are visible. */
  onVisible(first: number, last: number): void
  retry(): void
}

/**
 * @param query filters and order; another object only if one of them changes
 * @param hold keeps the pages unchanged while others change their bookmarks
 */
export function usePages(query: ListQuery, hold: Hold): Pages {
  const client = useQueryClient()
  // Numbers of pages, not rows, so that scrolling within a page renders nothing.
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
      setVisible((visible) => (visible[0] === next[0] && visible[1] === next[1] ? visible : next))
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
      loaded.flatMap(({ page, bookmarks }) => bookmarks.map((bookmark, index) => [firstRow(page) + index, bookmark])),
    indexOf(id) {
      for (const { page, bookmarks } of loaded) {
        const index = bookmarks.findIndex((bookmark) => bookmark.id === id)
        if (index >= 0) return firstRow(page) + index
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

/** Returns the number of rows. A total that is not exact grows with the last page that was loaded, and a row after it. */
function useCount(query: object, stale: boolean, loaded: BookmarksPage[]): number {
  const count = useRef({ query, rows: 0 })
  const [first] = loaded
  // Until a new view is loaded, the previous one is shown.
  if (!stale && count.current.query !== query) count.current = { query, rows: 0 }
  if (!first?.atLeast) return first?.total ?? 0
  const ends = loaded.map(({ page, hasMore, bookmarks }) => firstRow(page) + bookmarks.length + (hasMore ? 1 : 0))
  count.current.rows = Math.max(count.current.rows, first.total, ...ends)
  return count.current.rows
}

/** State of a view. When the view changes, the state is `initial` again. */
export function useStateOf<T>(view: object, initial: T) {
  const [state, setState] = useState(initial)
  const [owner, setOwner] = useState(view)
  // Reset during rendering: an effect would also reset changes made by the effects of the new view's components.
  if (owner !== view) {
    setOwner(view)
    setState(initial)
  }
  return [state, setState] as const
}
