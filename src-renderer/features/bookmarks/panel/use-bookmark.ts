import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import { ask } from '../../../shared/request.ts'
import { refreshBookmarks, toldWithUndo } from '../../../shared/undo.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import type { Patch } from './draft.ts'

/** One bookmark, as it is in the library now. */
export function useBookmark(id: string) {
  return useQuery({
    queryKey: ['bookmarks', 'one', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].$get({ param: { id } }, { init: { signal } })),
    staleTime: 0
  })
}

/** Changes one bookmark. */
export function useEdit(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (patch: Patch) => ask(api.bookmarks[':id'].$patch({ param: { id }, json: patch })),
    meta: { quiet: true },
    onSuccess: async ({ bookmark, undo }) => {
      client.setQueryData(['bookmarks', 'one', id], bookmark)
      toldWithUndo(strings.edited, undo)
      await refreshBookmarks()
    }
  })
}
