import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import { ask } from '../../../shared/request.ts'

/** One bookmark, as it is in the library now. */
export const bookmarkOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'one', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].$get({ param: { id } }, { init: { signal } })),
    staleTime: 0
  })
