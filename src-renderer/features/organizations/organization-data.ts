import { useMutation } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'

export type BookmarkFate = 'profile' | 'trash'

export const useCreateOrganization = () => useChange((name: string) => ask(api.organizations.$post({ json: { name } })))

export const useRenameOrganization = () =>
  useChange(({ id, name }: { id: string; name: string }) =>
    ask(api.organizations[':id'].$patch({ param: { id }, json: { name } }))
  )

export const useDeleteOrganization = () =>
  useChange(({ id, bookmarks }: { id: string; bookmarks: BookmarkFate }) =>
    ask(api.organizations[':id'].$delete({ param: { id }, query: { bookmarks } }))
  )

/** A change whose dialog says what goes wrong. */
function useChange<Asked, Done>(mutationFn: (asked: Asked) => Promise<Done>) {
  return useMutation({ mutationFn, meta: { quiet: true, changes: ['organizations'] } })
}
