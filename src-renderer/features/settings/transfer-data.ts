import { useMutation } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { longWork } from '../../api/long-work.tsx'
import { forgetImport } from '../../api/undo.ts'
import { settings as strings } from '../../strings/settings.ts'
import { notify, notifyError } from '../../ui/notify.tsx'

export function useUndoImport() {
  return useMutation({
    mutationFn: (id: number) =>
      longWork({
        what: strings.undoingImport,
        stoppable: true,
        begin: (name) => ask(api.imports[':id'].undo.$post({ param: { id: String(id) }, query: { name } }))
      }),
    meta: { changes: ['bookmarks'] },
    onSuccess({ undone, kept, cancelled, problem }, id) {
      forgetImport(id)
      if (problem) notifyError(new Error(strings.undoneUntil(undone, problem.message)))
      else notify(cancelled ? strings.undoneInPart(undone) : strings.undoneImport(undone, kept))
    }
  })
}

export function useBackUp() {
  return useMutation({
    mutationFn: () => ask(api.backups.$post()),
    meta: { changes: ['backups'] },
    onSuccess: ({ bytes }) => notify(strings.backedUp(strings.bytes(bytes)))
  })
}

export function useRestore() {
  return useMutation({
    mutationFn: (name: string) => ask(api.backups[':name'].restore.$post({ param: { name } })),
    meta: { changes: 'all' },
    onSuccess: ({ bookmarks, ...old }) => notify(strings.restored(bookmarks, old))
  })
}
