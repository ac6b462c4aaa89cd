import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { endsSession } from '../../api/client.ts'
import { refetch } from '../../api/events.ts'
import { useChangeSettings } from '../../api/mutations.ts'
import { backupsOptions, copiesOptions } from '../../api/service-queries.ts'
import { exactDate } from '../../lib/dates.ts'
import { common } from '../../strings/common.ts'
import { settings as strings } from '../../strings/settings.ts'
import { confirm } from '../../ui/confirm.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { notify } from '../../ui/notify.tsx'
import classes from './list.module.css'
import { Section } from './section.tsx'
import { useBackUp, useRestore } from './transfer-data.ts'

/** Copies of the library: those there are, one more, and one put in the library's place. */
export function BackupSection() {
  const backups = useQuery(backupsOptions)
  const backingUp = useBackUp()
  const restoring = useRestore()

  async function restore(name: string, at: string) {
    const agreed = await confirm({
      title: strings.restoreTitle(exactDate(at)),
      text: (
        <Stack gap="xs">
          <Text size="sm">{strings.restoreLoss(exactDate(at))}</Text>
          <Text size="sm">{strings.restoreKept}</Text>
          <Text size="sm">{strings.restoreKeys}</Text>
        </Stack>
      ),
      action: strings.restore,
      danger: true
    })
    if (agreed) restoring.mutate(name)
  }

  return (
    <Section id="backups" title={strings.backups}>
      <Text size="sm">{strings.backupsText}</Text>
      <Button onClick={() => backingUp.mutate()} loading={backingUp.isPending} style={{ alignSelf: 'flex-start' }}>
        {strings.backUp}
      </Button>
      <CopiesForm />
      <NotLoaded query={backups} failed={strings.backupsFailed} height={60} aboveData />
      {backups.data && backups.data.length > 0 && (
        <ul className={classes.list} aria-label={strings.backups}>
          {backups.data.map(({ name, at, bytes }) => (
            <li key={name}>
              <div>
                <Text size="sm">{exactDate(at)}</Text>
                <Text size="xs" c="dimmed">
                  {strings.backupFacts(kindOf(name), strings.bytes(bytes))}
                </Text>
              </div>
              <Button
                size="compact-sm"
                variant="light"
                flex="none"
                aria-label={strings.restoreLabel(exactDate(at))}
                loading={restoring.isPending && restoring.variables === name}
                disabled={restoring.isPending}
                onClick={() => restore(name, at)}
              >
                {strings.restoreShort}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Why it was made, as its name says. */
function kindOf(name: string): string {
  const kind = Object.keys(strings.backupKinds).find((one) => name.startsWith(one))
  return strings.backupKinds[kind as keyof typeof strings.backupKinds] ?? name
}

/** Where each backup is copied to, besides the data folder. */
function CopiesForm() {
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
