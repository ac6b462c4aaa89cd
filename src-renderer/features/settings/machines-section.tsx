import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, PasswordInput, Progress, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isOnServer } from '../../../src-main/contract/web-address.ts'
import { api, ask } from '../../api/client.ts'
import { type Sync, syncCodeOptions, syncOptions } from '../../api/service-queries.ts'
import { i18n, number } from '../../lib/locale.ts'
import { confirm } from '../../shared/dialogs.ts'
import { Command } from '../../ui/command.tsx'
import { Ago } from '../../ui/facts.tsx'
import { Form } from '../../ui/form-modal.tsx'
import { notify } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { Row, Rows, Section } from './section.tsx'
import { SyncSetUp } from './sync-set-up.tsx'

/** Sets up synchronization with other machines, and shows its state. */
export function MachinesSection() {
  const reading = useQuery(syncOptions)
  const sync = reading.data?.sync
  const [isNew, setNew] = useState(false)
  return (
    <Section id="machines" title={t`Sync`}>
      {!sync && (
        <Text size="sm">
          <Trans>
            Keep the same bookmarks on several machines, through a folder that another program copies between them
            (Syncthing, Dropbox, iCloud Drive or a network drive) or a folder on a WebDAV server (Nextcloud). Everything
            in it is encrypted.
          </Trans>
        </Text>
      )}
      <NotLoaded query={reading} failed={t`The state of synchronization could not be read.`} />
      {sync && <Synchronizing sync={sync} isNew={isNew} />}
      {sync === null && <SyncSetUp onCreated={() => setNew(true)} />}
    </Section>
  )
}

/** @param isNew whether synchronization was just set up; then the code is shown, so that the owner copies it */
function Synchronizing({ sync, isNew }: { sync: Sync; isNew: boolean }) {
  const [changesPassword, setChangesPassword] = useState(false)
  const [showsCode, setShowsCode] = useState(isNew)
  const code = useQuery({ ...syncCodeOptions, enabled: showsCode })
  const syncing = useMutation({
    mutationFn: () => ask(api['sync-now'].$post()),
    meta: { changes: ['settings'] },
    onSuccess: ({ sent, received, waiting }) => {
      if (waiting.length === 0)
        notify(
          sent + received === 0
            ? t`Everything is up to date.`
            : t`Sent ${number(sent)}, received ${number(received)} changes.`
        )
    }
  })
  const pausing = useMutation({
    mutationFn: (paused: boolean) => ask(api.sync.paused.$put({ json: { paused } })),
    meta: { changes: ['settings'] }
  })
  const leaving = useMutation({
    mutationFn: () => ask(api.sync.$delete()),
    meta: { changes: ['settings'] },
    onSuccess: () => notify(t`This machine is no longer synchronized.`)
  })

  async function leave(): Promise<void> {
    const isConfirmed = await confirm({
      title: t`Stop synchronizing this machine?`,
      text: t`The bookmarks on this machine stay. Later changes are not sent, and none are received. If this is the only machine, keep the sync code: without it nobody can read the folder.`,
      action: t`Stop syncing`,
      danger: true
    })
    if (isConfirmed) leaving.mutate()
  }

  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t`This machine is “${sync.name}”. It synchronizes through ${sync.folder}`}
      </Text>
      {showsCode && code.data && (
        <Alert color="indigo" title={isNew ? t`Copy the sync code now` : t`Sync code`}>
          <Stack gap="xs">
            {isNew && (
              <Text size="sm">
                <Trans>
                  Keep it in a safe place, such as a password manager. If this machine is lost, nobody can read the
                  folder without it.
                </Trans>
              </Text>
            )}
            <Command text={code.data.code} label={t`Sync code`} />
            <Text size="sm">
              <Trans>
                On the other machine select Join other machines, and enter the same folder and this code. Whoever has
                both can read and change your bookmarks.
              </Trans>
            </Text>
          </Stack>
        </Alert>
      )}
      {stateOf(sync) && <Text size="sm">{stateOf(sync)}</Text>}
      {sync.resent !== null && (
        <Text size="sm">
          {t`Files were missing from the sync folder. This machine sent all of its bookmarks again`}{' '}
          <Ago iso={sync.resent} />
        </Text>
      )}
      {sync.progress && (
        <Progress
          value={(sync.progress.done / sync.progress.total) * 100}
          aria-label={i18n._(PROGRESS[sync.progress.work])}
        />
      )}
      {sync.waiting.length > 0 && !sync.paused && (
        <Alert color="yellow" role="status">
          {sync.waiting.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Alert>
      )}
      <Title order={3} size="h5">
        {t`Other machines`}
      </Title>
      {sync.devices.length === 0 ? (
        <Text size="sm">{t`Nothing has come from other machines yet.`}</Text>
      ) : (
        <Rows label={t`Other machines`}>
          {sync.devices.map(({ device, name, seenAt }) => (
            <Row key={device} title={name}>
              <Text size="xs" c="dimmed">
                {t`last received`} <Ago iso={seenAt} />
              </Text>
            </Row>
          ))}
        </Rows>
      )}
      {changesPassword && <ChangePassword onEnd={() => setChangesPassword(false)} />}
      <Group gap="sm">
        <Button variant="default" loading={syncing.isPending} disabled={sync.paused} onClick={() => syncing.mutate()}>
          {t`Sync now`}
        </Button>
        <Button variant="default" loading={code.isFetching} onClick={() => setShowsCode(!showsCode)}>
          {showsCode ? t`Hide sync code` : t`Show sync code`}
        </Button>
        {isOnServer(sync.folder) && !changesPassword && (
          <Button variant="default" onClick={() => setChangesPassword(true)}>
            {t`Change password`}
          </Button>
        )}
        <Button variant="default" loading={pausing.isPending} onClick={() => pausing.mutate(!sync.paused)}>
          {sync.paused ? t`Resume` : t`Pause`}
        </Button>
        <Button variant="default" loading={leaving.isPending} onClick={() => void leave()}>
          {t`Stop syncing`}
        </Button>
      </Group>
    </>
  )
}

function stateOf({ progress, paused, unsent, waiting }: Sync): string | undefined {
  if (paused) return t`Paused.`
  if (progress) return `${i18n._(PROGRESS[progress.work])}: ${Math.floor((progress.done / progress.total) * 100)} %.`
  if (unsent > 0)
    return plural(unsent, {
      one: '# change of this machine is not sent yet.',
      other: '# changes of this machine are not sent yet.'
    })
  return waiting.length === 0 ? t`All changes of this machine are sent.` : undefined
}

function ChangePassword({ onEnd }: { onEnd(): void }) {
  const changing = useMutation({
    mutationFn: (json: { password: string }) => ask(api.sync.password.$put({ json })),
    meta: { quiet: true, changes: ['settings'] }
  })
  return (
    <Form
      initialValues={{ password: '' }}
      action={t`Change password`}
      faultAt="password"
      onSubmit={async (values) => {
        await changing.mutateAsync(values)
        notify(t`The server accepts the new password.`)
        onEnd()
      }}
    >
      {(form) => (
        <PasswordInput
          label={t`New password on the server`}
          required
          autoComplete="off"
          {...form.getInputProps('password')}
        />
      )}
    </Form>
  )
}

const PROGRESS = { sending: msg`Sending bookmarks`, receiving: msg`Receiving bookmarks` }
