import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { editorsOptions } from '../../api/service-queries.ts'
import { common } from '../../strings/common.ts'
import { keys } from '../../strings/keys.ts'
import { IconFilePencil } from '../../ui/icons/icons.ts'

const strings = keys.writeIn

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
        <Text size="sm">{strings.failed}</Text>
        <Button variant="default" size="xs" onClick={() => editors.refetch()} loading={editors.isFetching}>
          {common.retry}
        </Button>
      </Group>
    )
  if (!host) return null
  const { data, variables: done, mutate, isPending } = change
  return (
    <Stack gap="xs" role="group" aria-label={strings.title(editor.name)}>
      {data && (
        <div role="status">
          <Text size="sm" mb={6}>
            {strings.said[done](data.file)}
          </Text>
          {done !== 'undo' && <Code block>{data.change.join('\n') || strings.nothing}</Code>}
        </div>
      )}
      <Group gap="sm">
        {data && done === 'try' ? (
          <>
            <Button onClick={() => mutate('write', { onSuccess: () => onDone(true) })} loading={isPending}>
              {strings.write}
            </Button>
            <Button variant="default" onClick={() => change.reset()}>
              {common.cancel}
            </Button>
          </>
        ) : (
          <Button leftSection={<IconFilePencil size={16} />} onClick={() => mutate('try')} loading={isPending}>
            {strings.title(editor.name)}
          </Button>
        )}
        {host.connected && done !== 'try' && (
          <Button variant="subtle" color="gray" onClick={() => mutate('undo', { onSuccess: () => onDone(false) })}>
            {strings.undo}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

type Step = 'try' | 'write' | 'undo'

function useEditorChange(id: string, keyId: string) {
  return useMutation({
    mutationFn: async (step: Step): Promise<{ file: string; change: string[] }> =>
      step === 'undo'
        ? ask(api.editors[':id'].disconnect.$post({ param: { id }, json: {} }))
        : ask(api.editors[':id'].connect.$post({ param: { id }, json: { keyId, dryRun: step === 'try' } })),
    meta: { changes: ['editors'] }
  })
}
