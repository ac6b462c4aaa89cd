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
  | 'searches'
  | 'settings'
  | 'status'
  | 'tags'
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
  await Promise.all(filters.map((filter) => queryClient.invalidateQueries(filter)))
}

/** Fetches again whatever shows bookmarks, after a change to some. */
export const refreshBookmarks = () => refresh('bookmarks', 'counts', 'tags', 'status')
