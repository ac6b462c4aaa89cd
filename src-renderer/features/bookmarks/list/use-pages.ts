import { keepPreviousData, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  askBookmarks,
  type BookmarksPage,
  type BookmarksQuery,
  type ShownBookmark
} from '../../../shared/bookmark-data.ts'

/** Bookmarks a page; a screen shows a quarter of that. */
export const PAGE = 100

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
 */
export function usePages(query: Query, visible: [number, number]): Pages {
  const client = useQueryClient()
  const pageOptions = (page: number) => optionsFor(query, page)
  const first = useQuery({ ...pageOptions(1), placeholderData: keepPreviousData })
  const wanted = pagesBetween(visible).filter((page) => page > 1)
  const others = useQueries({
    queries: first.isPlaceholderData ? [] : wanted.map(pageOptions)
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
    at: (index) => loaded.get(Math.floor(index / PAGE) + 1)?.bookmarks[index % PAGE],
    async range(from, to) {
      const pages = await Promise.all(pagesBetween([from, to]).map((page) => client.ensureQueryData(pageOptions(page))))
      const start = Math.floor(from / PAGE) * PAGE
      return pages.flatMap((page) => page.bookmarks).slice(from - start, to - start + 1)
    },
    retry: () => void first.refetch()
  }
}

type Query = Omit<BookmarksQuery, 'page' | 'limit'>

/** The first bookmarks of a list, to be asked for before it is there. */
export const firstPageOf = (query: Query) => optionsFor(query, 1)

function optionsFor(query: Query, page: number) {
  return queryOptions({
    queryKey: ['bookmarks', 'list', query, page],
    queryFn: ({ signal }) => askBookmarks({ ...query, page: String(page), limit: String(PAGE) }, signal),
    gcTime: 60_000
  })
}

/** Pages are counted from 1, rows from 0. */
function pagesBetween([from, to]: [number, number]): number[] {
  const firstPage = Math.floor(from / PAGE) + 1
  const lastPage = Math.floor(Math.max(from, to) / PAGE) + 1
  return Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index)
}

function rowOf(loaded: Map<number, BookmarksPage>, id: string): number | undefined {
  for (const [page, { bookmarks }] of loaded) {
    const at = bookmarks.findIndex((bookmark) => bookmark.id === id)
    if (at >= 0) return (page - 1) * PAGE + at
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
    const rows = (page - 1) * PAGE + bookmarks.length
    reach.current.rows = Math.max(reach.current.rows, hasMore ? rows + 1 : rows)
  }
  return reach.current.rows
}
