import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
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
  /** Rows there are, as far as is known: where a total is not exact it grows as one scrolls. */
  count: number
  /** `undefined` for what has not arrived. */
  at(index: number): ShownBookmark | undefined
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
export function usePages(query: ListQuery, visible: [number, number], hold: Hold): Pages {
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
