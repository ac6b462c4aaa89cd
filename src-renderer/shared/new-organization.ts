import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { api, ask } from '../api/client.ts'
import { askName } from './dialogs.ts'

/** Asks for the name of a new organization and creates it. */
export function useNewOrganization() {
  const create = useMutation({
    mutationFn: (name: string) => ask(api.organizations.$post({ json: { name } })),
    meta: { quiet: true, changes: ['organizations'] }
  })
  return (onCreated?: (id: string, name: string) => void) =>
    askName({
      title: t`New organization`,
      action: t`Create`,
      missing: t`An organization needs a name.`,
      async onSubmit(name) {
        const { id } = await create.mutateAsync(name)
        onCreated?.(id, name)
      }
    })
}
