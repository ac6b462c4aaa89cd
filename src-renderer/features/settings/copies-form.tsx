import { Alert, Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { notify } from '../../shared/notify.tsx'
import { refresh } from '../../shared/refresh.ts'
import { endsSession } from '../../shared/request.ts'
import { useChangeSettings } from '../../shared/settings-data.ts'
import { common } from '../../strings/common.ts'
import { settings as strings } from '../../strings/settings.ts'
import { backupsOptions, useCopies } from './transfer-data.ts'

/** Where each backup is copied to, besides the data folder. */
export function CopiesForm() {
  const copies = useCopies()
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
    await refresh(backupsOptions)
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
