import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { longWork } from '../../shared/long-work.tsx'
import { notify, notifyError } from '../../shared/notify.tsx'
import { fetchAgain, refresh, refreshBookmarks } from '../../shared/refresh.ts'
import { ask } from '../../shared/request.ts'
import { forgetImport } from '../../shared/undo.ts'
import { settings as strings } from '../../strings/settings.ts'

export const importsOptions = queryOptions({
  queryKey: ['imports'],
  queryFn: () => ask(api.imports.$get()),
  staleTime: 0
})

export const backupsOptions = queryOptions({
  queryKey: ['backups'],
  queryFn: () => ask(api.backups.$get()),
  staleTime: 0
})

/** Below `backups`, with which it is fetched again. */
const copiesOptions = queryOptions({
  queryKey: ['backups', 'copies'],
  queryFn: () => ask(api.backups.copies.$get()),
  staleTime: 0
})

/** The last imports, newest first. */
export const useImports = () => useQuery(importsOptions)

export function useUndoImport() {
  return useMutation({
    mutationFn: (id: number) =>
      longWork({
        what: strings.undoingImport,
        stoppable: true,
        begin: (name) => ask(api.imports[':id'].undo.$post({ param: { id: String(id) }, query: { name } }))
      }),
    async onSuccess({ undone, kept, cancelled, problem }, id) {
      forgetImport(id)
      if (problem) notifyError(new Error(strings.undoneUntil(undone, problem.message)))
      else notify(cancelled ? strings.undoneInPart(undone) : strings.undoneImport(undone, kept))
      await Promise.all([refresh(importsOptions), refreshBookmarks()])
    }
  })
}

/** Copies of the library, newest first. */
export const useBackups = () => useQuery(backupsOptions)

/** Where backups are copied to, and what is wrong with the copies. */
export const useCopies = () => useQuery(copiesOptions)

export function useBackUp() {
  return useMutation({
    mutationFn: () => ask(api.backups.$post()),
    async onSuccess({ bytes }) {
      notify(strings.backedUp(strings.bytes(bytes)))
      await fetchAgain()
    }
  })
}

export function useRestore() {
  return useMutation({
    mutationFn: (name: string) => ask(api.backups[':name'].restore.$post({ param: { name } })),
    async onSuccess({ bookmarks, ...old }) {
      notify(strings.restored(bookmarks, old))
      await fetchAgain()
    }
  })
}
