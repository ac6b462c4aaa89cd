import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { longWork } from '../../shared/long-work.tsx'
import { notify, notifyError } from '../../shared/notify.tsx'
import { queryClient } from '../../shared/query-client.ts'
import { ask } from '../../shared/request.ts'
import { refreshBookmarks } from '../../shared/undo.ts'
import { settings as strings } from '../../strings/settings.ts'

const IMPORTS = ['imports']
const BACKUPS = ['backups']

/** The last imports, newest first. */
export function useImports() {
  return useQuery({ queryKey: IMPORTS, queryFn: () => ask(api.imports.$get()), staleTime: 0 })
}

export function useUndoImport() {
  return useMutation({
    mutationFn: (id: number) =>
      longWork({
        what: strings.undoingImport,
        stoppable: true,
        begin: (name) => ask(api.imports[':id'].undo.$post({ param: { id: String(id) }, query: { name } }))
      }),
    async onSuccess({ undone, kept, cancelled, problem }) {
      if (problem) notifyError(new Error(strings.undoneUntil(undone, problem.message)))
      else notify(cancelled ? strings.undoneInPart(undone) : strings.undoneImport(undone, kept))
      await Promise.all([queryClient.invalidateQueries({ queryKey: IMPORTS }), refreshBookmarks()])
    }
  })
}

/** Copies of the library, newest first. */
export function useBackups() {
  return useQuery({ queryKey: BACKUPS, queryFn: () => ask(api.backups.$get()), staleTime: 0 })
}

/** Where backups are copied to, and what is wrong with the copies. */
export function useCopies() {
  return useQuery({ queryKey: [...BACKUPS, 'copies'], queryFn: () => ask(api.backups.copies.$get()), staleTime: 0 })
}

export function useBackUp() {
  return useMutation({
    mutationFn: () => ask(api.backups.$post()),
    async onSuccess({ bytes }) {
      notify(strings.backedUp(strings.bytes(bytes)))
      await queryClient.invalidateQueries()
    }
  })
}

export function useRestore() {
  return useMutation({
    mutationFn: (name: string) => ask(api.backups[':name'].restore.$post({ param: { name } })),
    async onSuccess({ bookmarks, kept }) {
      notify(strings.restored(bookmarks, kept))
      await queryClient.invalidateQueries()
    }
  })
}
