import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { queryClient } from '../../shared/query-client.ts'
import { ask } from '../../shared/request.ts'

export type BookmarkFate = 'profile' | 'trash'

export function useCreateOrganization() {
  return useMutation({
    mutationFn: (name: string) => ask(api.organizations.$post({ json: { name } })),
    meta: { quiet: true },
    onSuccess: refresh
  })
}

export function useRenameOrganization() {
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      ask(api.organizations[':id'].$patch({ param: { id }, json: { name } })),
    meta: { quiet: true },
    onSuccess: refresh
  })
}

/** Counts what deleting it would touch, as it is now. */
export function useDeletionPreview(id: string) {
  return useQuery({
    queryKey: ['deletion', id],
    queryFn: () => ask(api.organizations[':id'].deletion.$get({ param: { id } })),
    gcTime: 0,
    staleTime: 0
  })
}

export function useDeleteOrganization() {
  return useMutation({
    mutationFn: ({ id, bookmarks }: { id: string; bookmarks: BookmarkFate }) =>
      ask(api.organizations[':id'].$delete({ param: { id }, query: { bookmarks } })),
    meta: { quiet: true },
    onSuccess: refresh
  })
}

async function refresh(): Promise<void> {
  const names = ['organizations', 'keys', 'status', 'bookmarks', 'counts']
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
}
