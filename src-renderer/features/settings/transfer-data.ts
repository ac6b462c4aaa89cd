import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { longWork } from '../../api/long-work.tsx'
import { forgetImport } from '../../api/undo.ts'
import { fileSize, number } from '../../lib/locale.ts'
import { notify, notifyError } from '../../ui/notify.tsx'

export function useUndoImport() {
  return useMutation({
    mutationFn: (id: number) =>
      longWork({
        what: t`Undoing the import …`,
        stoppable: true,
        begin: (name) => ask(api.imports[':id'].undo.$post({ param: { id: String(id) }, query: { name } }))
      }),
    meta: { changes: ['bookmarks'] },
    onSuccess({ undone, kept, cancelled, problem }, id) {
      forgetImport(id)
      if (problem)
        notifyError(
          new Error(
            t`${plural(undone, { one: '# bookmark', other: '# bookmarks' })} moved to the trash. ${problem.message}`
          )
        )
      else
        notify(
          cancelled
            ? t`Stopped: ${number(undone)} moved to the trash, the rest is still there. Undo again to continue.`
            : t`${plural(undone, { one: '# bookmark', other: '# bookmarks' })} moved to the trash${plural(kept, { 0: '', other: '; # changed since and stay' })}.`
        )
    }
  })
}

export function useBackUp() {
  return useMutation({
    mutationFn: () => ask(api.backups.$post()),
    meta: { changes: ['backups'] },
    onSuccess: ({ bytes }) => notify(t`Backed up, ${fileSize(bytes)}.`)
  })
}

export function useRestore() {
  return useMutation({
    mutationFn: (name: string) => ask(api.backups[':name'].restore.$post({ param: { name } })),
    meta: { changes: 'all' },
    onSuccess: ({ bookmarks, ...old }) => notify(restoredText(bookmarks, old))
  })
}

function restoredText(count: number, { kept, keptAsBackup }: { kept: string | null; keptAsBackup: boolean }): string {
  const text = t`Restored: ${plural(count, { one: '# bookmark', other: '# bookmarks' })}.`
  if (keptAsBackup) return `${text} ${t`The old library is in the list of backups as “Before the restore”.`}`
  return kept === null ? text : `${text} ${t`The old library could not be added to the backups. It is in ${kept}.`}`
}
