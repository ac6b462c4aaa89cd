import { queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import type { BookmarksPage, ShownBookmark } from '../../../shared/bookmark-data.ts'
import { queryClient } from '../../../shared/query-client.ts'
import { ask } from '../../../shared/request.ts'

/**
 * One bookmark, as it is in the library now. Until that is known it is as a list shows it, and where that was right the
 * same object stays: the panel is not drawn twice.
 */
export const bookmarkOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'one', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].$get({ param: { id } }, { init: { signal } })),
    staleTime: 0,
    placeholderData: () => inLists(id),
    structuralSharing: (before, now) => replaceEqualDeep(before ?? inLists(id), now)
  })

/** Returns a bookmark as a list shows it. */
export function inLists(id: string): ShownBookmark | undefined {
  const pages = queryClient.getQueriesData<BookmarksPage>({ queryKey: ['bookmarks', 'list'] })
  for (const [, page] of pages) {
    const found = page?.bookmarks.find((one) => one.id === id)
    if (found) return found
  }
  return undefined
}
