import { useQuery } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import { ask } from '../../../shared/request.ts'

/** One bookmark, as it is in the library now. */
export function useBookmark(id: string) {
  return useQuery({
    queryKey: ['bookmarks', 'one', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].$get({ param: { id } }, { init: { signal } })),
    staleTime: 0
  })
}
