import { useQuery } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import { ask } from '../../../shared/request.ts'

/** What is known of an image's picture: the colors that make up most of it, and its size where it is kept itself. */
export function usePicture(id: string) {
  return useQuery({
    queryKey: ['bookmarks', 'picture', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].picture.$get({ param: { id } }, { init: { signal } })),
    staleTime: 0
  })
}
