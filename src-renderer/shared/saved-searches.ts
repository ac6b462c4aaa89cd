import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { SavedSearch } from '../../src-main/contract/rule.ts'
import { searches as strings } from '../strings/searches.ts'
import { api } from './api.ts'
import { refresh } from './refresh.ts'
import { ask } from './request.ts'
import { undoable } from './undo.ts'

const searchesOptions = queryOptions({ queryKey: ['searches'], queryFn: () => ask(api.searches.$get()) })

/** The searches that are kept under names, by name. */
export const useSavedSearches = () => useQuery(searchesOptions)

/** Changes to saved searches, each told with a way back. A name that is refused, the dialog shows. */
export function useSearchChanges() {
  const save = useMutation({
    mutationFn: (json: { name: string; address: string }) => ask(api.searches.$post({ json })),
    meta: { quiet: true },
    async onSuccess({ id, name, address }) {
      undoable(strings.saved(name), [{ drop: { id, name, address } }])
      await refresh(searchesOptions)
    }
  })
  const rename = useMutation({
    mutationFn: ({ search: { id }, name }: { search: SavedSearch; name: string }) => setName(id, name),
    meta: { quiet: true },
    onSuccess(_, { search, name }) {
      undoable(strings.renamed(name), [{ rename: search, from: name }])
    }
  })
  const drop = useMutation({
    mutationFn: ({ id }: SavedSearch) => remove(id),
    onSuccess(_, search) {
      undoable(strings.deleted(search.name), [{ restore: search }])
    }
  })
  return { save, rename, drop }
}

async function setName(id: string, name: string): Promise<void> {
  await ask(api.searches[':id'].$patch({ param: { id }, json: { name } }))
  await refresh(searchesOptions)
}

async function remove(id: string): Promise<void> {
  await ask(api.searches[':id'].$delete({ param: { id } }))
  await refresh(searchesOptions)
}
