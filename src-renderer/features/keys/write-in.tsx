import { t } from '@lingui/core/macro'
import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { queryClient } from '../../api/events.ts'
import { type ApiKey, editorsOptions, newKeyOptions } from '../../api/service-queries.ts'
import { RemainingKey } from '../../shared/connection.tsx'
import { closeDialog } from '../../shared/dialogs.ts'
import { IconFilePencil } from '../../ui/icons/icons.ts'
import { notify } from '../../ui/notify.tsx'

interface WriteInProps {
  editor: { id: string; name: string }
  keyId: string
  /** Called after the file was changed or restored. */
  onDone: (isWritten: boolean) => void
}

/** Writes Earmark into an editor's file, after a preview of the changed lines, and restores the file. */
export function WriteIn({ editor, keyId, onDone }: WriteInProps) {
  const editors = useQuery(editorsOptions)
  const change = useEditorChange(editor.id, keyId)
  const host = editors.data?.find(({ id }) => id === editor.id)
  if (editors.isError)
    return (
      <Group gap="sm" role="alert">
        <Text size="sm">{t`The editors of this machine could not be read.`}</Text>
        <Button variant="default" size="xs" onClick={() => editors.refetch()} loading={editors.isFetching}>
          {t`Try again`}
        </Button>
      </Group>
    )
  if (!host) return null
  const { data, variables: done, mutate, isPending } = change
  return (
    <Stack gap="xs" role="group" aria-label={t`Connect ${editor.name}`}>
      {data && (
        <div role="status">
          <Text size="sm" mb={6}>
            {doneText(done, data.file)}
          </Text>
          {data.missing && (
            <Text size="sm" mb={6}>
              {t`${editor.name} was not found on this computer. The file is for it all the same.`}
            </Text>
          )}
          {done === 'undo' ? (
            <RemainingKey matches={({ id }) => id === keyId} onRevoked={leaveRevoked} />
          ) : (
            <Code block>{data.change.join('\n') || t`Nothing to change: it is configured already.`}</Code>
          )}
        </div>
      )}
      <Group gap="sm">
        {data && done === 'try' ? (
          <>
            <Button onClick={() => mutate('write', { onSuccess: () => onDone(true) })} loading={isPending}>
              {t`Save changes`}
            </Button>
            <Button variant="default" onClick={() => change.reset()}>
              {t`Cancel`}
            </Button>
          </>
        ) : (
          <Button leftSection={<IconFilePencil size={16} />} onClick={() => mutate('try')} loading={isPending}>
            {t`Connect ${editor.name}`}
          </Button>
        )}
        {host.connected && done !== 'try' && (
          <Button variant="subtle" color="gray" onClick={() => mutate('undo', { onSuccess: () => onDone(false) })}>
            {t`Restore the file`}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** Leaves the dialog or the page of a key that was revoked. */
function leaveRevoked({ id, name }: ApiKey): void {
  queryClient.setQueryData(newKeyOptions.queryKey, (newKey) => (newKey?.id === id ? null : newKey))
  closeDialog()
  notify(t`“${name}” is revoked.`)
  document.getElementById('your-keys')?.focus()
}

type EditorStep = 'try' | 'write' | 'undo'

function doneText(step: EditorStep, file: string): string {
  if (step === 'try') return t`This would change in ${file}. A copy is kept.`
  if (step === 'undo') return t`${file} is restored.`
  return t`Saved in ${file}. Restart the editor. It starts Earmark when it needs it.`
}

function useEditorChange(id: string, keyId: string) {
  return useMutation({
    mutationFn: async (step: EditorStep): Promise<{ file: string; change: string[]; missing?: boolean | undefined }> =>
      step === 'undo'
        ? ask(api.editors[':id'].disconnect.$post({ param: { id }, json: {} }))
        : ask(api.editors[':id'].connect.$post({ param: { id }, json: { keyId, dryRun: step === 'try' } })),
    meta: { changes: ['editors'] }
  })
}
