import { Alert, Button, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { endsSession } from '../../api/client.ts'
import { refetch } from '../../api/events.ts'
import { useChangeSettings } from '../../api/mutations.ts'
import { copiesOptions } from '../../api/queries.ts'
import { common } from '../../strings/common.ts'
import { settings as strings } from '../../strings/settings.ts'
import { notify } from '../../ui/notify.tsx'

/** Where each backup is copied to, besides the data folder. */
export function CopiesForm() {
  const copies = useQuery(copiesOptions)
  if (!copies.data) return null
  const { folder, fault } = copies.data
  return (
    <>
      <FolderForm key={folder} folder={folder} />
      {fault !== null && (
        <Alert color="red" title={strings.copiesFault} role="alert">
          {fault}
        </Alert>
      )}
    </>
  )
}

function FolderForm({ folder }: { folder: string | null }) {
  const changing = useChangeSettings({ quiet: true })
  const [typed, setTyped] = useState(folder ?? '')
  const [fault, setFault] = useState<string>()
  const wanted = typed.trim()

  async function save(backupFolder: string | null) {
    setFault(undefined)
    try {
      await changing.mutateAsync({ backupFolder })
      notify(backupFolder === null ? strings.copiesOff : strings.copiesOn(backupFolder))
    } catch (error) {
      if (!endsSession(error)) setFault(error instanceof Error ? error.message : common.unexpected)
    }
    await refetch(['backups'])
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (wanted !== '') void save(wanted)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={strings.copies}
          description={strings.copiesText}
          placeholder={strings.copiesHint}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={fault}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          spellCheck={false}
          flex="1 1 18rem"
        />
        <Button
          type="submit"
          variant="default"
          loading={changing.isPending}
          disabled={wanted === '' || wanted === folder}
        >
          {common.save}
        </Button>
        {folder !== null && (
          <Button variant="default" onClick={() => save(null)} disabled={changing.isPending}>
            {strings.copiesStop}
          </Button>
        )}
      </Group>
    </form>
  )
}
