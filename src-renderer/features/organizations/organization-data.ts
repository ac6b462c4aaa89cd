import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { refresh } from '../../shared/refresh.ts'
import { ask } from '../../shared/request.ts'

export type BookmarkFate = 'profile' | 'trash'

export const useCreateOrganization = () => useChange((name: string) => ask(api.organizations.$post({ json: { name } })))

export const useRenameOrganization = () =>
  useChange(({ id, name }: { id: string; name: string }) =>
    ask(api.organizations[':id'].$patch({ param: { id }, json: { name } }))
  )

const deletionOptions = (id: string) =>
  queryOptions({
    queryKey: ['deletion', id],
    queryFn: () => ask(api.organizations[':id'].deletion.$get({ param: { id } })),
    gcTime: 0,
    staleTime: 0
  })

/** Counts what deleting it would touch, as it is now. */
export const useDeletionPreview = (id: string) => useQuery(deletionOptions(id))

export const useDeleteOrganization = () =>
  useChange(({ id, bookmarks }: { id: string; bookmarks: BookmarkFate }) =>
    ask(api.organizations[':id'].$delete({ param: { id }, query: { bookmarks } }))
  )

/** A change whose dialog says what goes wrong. */
function useChange<Asked, Done>(mutationFn: (asked: Asked) => Promise<Done>) {
  return useMutation({
    mutationFn,
    meta: { quiet: true },
    onSuccess: () => refresh('organizations', 'keys', 'status', 'bookmarks', 'counts')
  })
}
