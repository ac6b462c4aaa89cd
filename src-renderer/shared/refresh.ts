import type { InvalidateQueryFilters } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** The kind of data that a query reads, which is the first part of its key. The service’s events name some of them. */
type DataKind =
  | 'backups'
  | 'bookmarks'
  | 'browsers'
  | 'calls'
  | 'counts'
  | 'deletion'
  | 'desktop-settings'
  | 'editors'
  | 'import-progress'
  | 'imports'
  | 'keys'
  | 'links'
  | 'organizations'
  | 'past'
  | 'rules'
  | 'searches'
  | 'settings'
  | 'status'
  | 'tags'
  | 'unchecked'
  | 'work'

type QueryKey = readonly [DataKind, ...unknown[]]

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: QueryKey
  }
}

/** Fetches again whatever is shown of these kinds, or of one query named by its options. */
export async function refresh(...stale: (DataKind | { queryKey: QueryKey })[]): Promise<void> {
  const filters = stale.map((one) =>
    typeof one === 'string' ? { queryKey: [one] as const } : { queryKey: one.queryKey }
  )
  await Promise.all(filters.map(fetchAgain))
}

/**
 * Fetches again whatever is shown of these queries, of all where nothing is said. A first answer that is still on its
 * way may have been read before the change, and TanStack Query does not ask again while it waits: such a query is asked
 * once more when it has answered.
 */
export async function fetchAgain(filters: InvalidateQueryFilters = {}): Promise<void> {
  const asked = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  const first = asked.filter(({ state }) => state.data === undefined)
  const onceMore = first.map(async ({ promise, queryKey }) => {
    await promise
    await queryClient.invalidateQueries({ queryKey, exact: true })
  })
  await Promise.all([queryClient.invalidateQueries(filters), Promise.allSettled(onceMore)])
}

/** Between two refreshes that nobody waits for there is this much time, in milliseconds. */
const PAUSE_MS = 300

const soon = new Set<DataKind>()
let refreshing = false

/**
 * The same for changes that come one after another, many a second: at once, and then again only when the last is over
 * and some time has passed.
 */
export function refreshSoon(...stale: DataKind[]): void {
  for (const kind of stale) soon.add(kind)
  if (refreshing || soon.size === 0) return
  refreshing = true
  const kinds = [...soon]
  soon.clear()
  void Promise.all([refresh(...kinds), new Promise((resolve) => setTimeout(resolve, PAUSE_MS))]).finally(() => {
    refreshing = false
    refreshSoon()
  })
}

/** Fetches again whatever shows bookmarks, after a change to some. */
export const refreshBookmarks = () => refresh('bookmarks', 'counts', 'tags', 'status')
