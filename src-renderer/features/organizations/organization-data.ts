import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { refresh } from '../../shared/refresh.ts'
import { ask } from '../../shared/request.ts'

export type BookmarkFate = 'profile' | 'trash'

export function useCreateOrganization() {
  return useMutation({
    mutationFn: (name: string) => ask(api.organizations.$post({ json: { name } })),
    meta: { quiet: true },
    onSuccess: refreshAll
  })
}

export function useRenameOrganization() {
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      ask(api.organizations[':id'].$patch({ param: { id }, json: { name } })),
    meta: { quiet: true },
    onSuccess: refreshAll
  })
}

const deletionOptions = (id: string) =>
  queryOptions({
    queryKey: ['deletion', id],
    queryFn: () => ask(api.organizations[':id'].deletion.$get({ param: { id } })),
    gcTime: 0,
    staleTime: 0
  })

/** Counts what deleting it would touch, as it is now. */
export const useDeletionPreview = (id: string) => useQuery(deletionOptions(id))

export function useDeleteOrganization() {
  return useMutation({
    mutationFn: ({ id, bookmarks }: { id: string; bookmarks: BookmarkFate }) =>
      ask(api.organizations[':id'].$delete({ param: { id }, query: { bookmarks } })),
    meta: { quiet: true },
    onSuccess: refreshAll
  })
}

const refreshAll = () => refresh('organizations', 'keys', 'status', 'bookmarks', 'counts')
