import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import { ask } from '../../../shared/request.ts'

const keyOf = (id: string) => ['bookmarks', 'page', id]

/** The stored facts about a bookmark's page, and how far reading it is. */
export function usePage(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].page.$get({ param: { id } }, { init: { signal } })),
    staleTime: 0
  })
}

/** Lets a bookmark's page be fetched again. */
export function useFetchAgain(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ask(api.bookmarks[':id'].page.$post({ param: { id } })),
    onSuccess: (page) => client.setQueryData(keyOf(id), page)
  })
}

/** The stored text of a bookmark's page. */
export function usePageText(id: string) {
  return useQuery({
    queryKey: ['bookmarks', 'text', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].page.text.$get({ param: { id } }, { init: { signal } }))
  })
}
