import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import { ask } from '../../../shared/request.ts'

const pageOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'page', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].page.$get({ param: { id } }, { init: { signal } })),
    staleTime: 0
  })

const pageTextOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'text', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].page.text.$get({ param: { id } }, { init: { signal } }))
  })

/** The stored facts about a bookmark's page, and how far reading it is. */
export const usePage = (id: string) => useQuery(pageOptions(id))

/** Lets a bookmark's page be fetched again. */
export function useFetchAgain(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ask(api.bookmarks[':id'].page.$post({ param: { id } })),
    onSuccess: (page) => client.setQueryData(pageOptions(id).queryKey, page)
  })
}

/** The stored text of a bookmark's page. */
export const usePageText = (id: string) => useQuery(pageTextOptions(id))

/** How often it is asked for pictures that are being fetched, in milliseconds. */
const PICTURES_MS = 800

const NO_PICTURES: number[] = []

/** Which of a text's pictures are there, by their places, and whether more may come. */
export function useTextPictures(id: string, enabled: boolean) {
  const { data, isLoading } = useQuery({
    queryKey: ['bookmarks', 'text-pictures', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].page.pictures.$get({ param: { id } }, { init: { signal } })),
    refetchInterval: ({ state }) => (state.data?.pending ? PICTURES_MS : false),
    enabled
  })
  return { kept: data?.kept ?? NO_PICTURES, pending: isLoading || (data?.pending ?? false) }
}
