import { t } from '@lingui/core/macro'
import { Button, Code, Group, Loader, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, ask } from '../../api/client.ts'
import { type ApiKey, type Call, editorsOptions, keysOptions, newestCallOptions } from '../../api/service-queries.ts'
import { agentName } from '../../lib/agents.ts'
import { timeOfDay } from '../../lib/dates.ts'
import { IconCheck, IconFilePencil } from '../../ui/icons/icons.ts'

interface WriteInProps {
  editor: { id: string; name: string }
  keyId: string
  /** It was written in, or taken out again. */
  onDone: (isWritten: boolean) => void
}

/** Writes Earmark into the editor's own file, once the lines that change were seen; and takes it out again. */
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
          {done !== 'undo' && (
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

interface FirstCallProps {
  keyId: string
  /** The name of the editor that is waited for. */
  editor: string
}

/** Waits from now on for a key to be used, and says by whom. */
export function FirstCall({ keyId, editor }: FirstCallProps) {
  const key = useQuery(keysOptions).data?.find(({ id }) => id === keyId)
  const [usedBefore] = useState(key?.lastUsedAt ?? '')
  const call = useFirstCall(keyId)
  if (call?.refused === null) {
    return (
      <Group gap="xs" wrap="nowrap">
        <IconCheck size={18} color="var(--mantine-color-teal-filled)" />
        <Text size="sm" fw={600}>
          {t`Connected: ${nameOf(call.client)} called at ${timeOfDay(call.at ?? '')}.`}
        </Text>
      </Group>
    )
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Loader size={18} type="dots" color="var(--mantine-color-dimmed)" aria-hidden />
      <Text size="sm">
        {call
          ? t`${nameOf(call.client)} called and was refused: ${call.refused ?? ''}`
          : waitingText(key, usedBefore, editor)}
      </Text>
    </Group>
  )
}

/** A handshake alone is no call, but shows that the editor found its way. */
function waitingText(key: ApiKey | undefined, usedBefore: string, editor: string): string {
  const usedAt = key?.lastUsedAt ?? ''
  return usedAt > usedBefore
    ? t`${nameOf(key?.lastClient)} reached Earmark at ${timeOfDay(usedAt)}. Waiting for its first call …`
    : t`Waiting for the first call … Restart ${editor}, then ask it to search your bookmarks.`
}

/** The first call a key makes after this was asked first; until one is answered, the last one that was refused. */
function useFirstCall(keyId: string): Call | undefined {
  const { data: newest } = useQuery(newestCallOptions(keyId))
  const [before, setBefore] = useState<number>()
  const [first, setFirst] = useState<Call>()
  useEffect(() => {
    if (newest === undefined) return
    if (before === undefined) setBefore(newest?.id ?? 0)
    else if (newest && newest.id > before) setFirst((known) => (known?.refused === null ? known : newest))
  }, [newest, before])
  return first
}

function nameOf(client: string | null | undefined): string {
  return client ? agentName(client) : t`A program`
}
