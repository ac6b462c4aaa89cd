import { Alert, Button, Group, PasswordInput, Progress, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isOnServer } from '../../../src-main/contract/web-address.ts'
import { api, ask } from '../../api/client.ts'
import { type Sync, syncCodeOptions, syncOptions } from '../../api/service-queries.ts'
import { machines as strings } from '../../strings/machines.ts'
import { Ago } from '../../ui/ago.tsx'
import { Command } from '../../ui/command.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { notify } from '../../ui/notify.tsx'
import classes from './list.module.css'
import { Section } from './section.tsx'
import { SyncSetUp } from './sync-set-up.tsx'

/** Sets synchronization with other machines up, and shows how it is. */
export function MachinesSection() {
  const reading = useQuery(syncOptions)
  const sync = reading.data?.sync
  const [begun, setBegun] = useState(false)
  return (
    <Section id="machines" title={strings.title}>
      {!sync && <Text size="sm">{strings.text}</Text>}
      <NotLoaded query={reading} failed={strings.failed} />
      {sync && <Synchronizing sync={sync} begun={begun} />}
      {sync === null && <SyncSetUp onBegun={() => setBegun(true)} />}
    </Section>
  )
}

/** @param begun whether synchronization was set up just now: then the code is shown, and has to be copied */
function Synchronizing({ sync, begun }: { sync: Sync; begun: boolean }) {
  const [changes, setChanges] = useState(false)
  const [showsCode, setShowsCode] = useState(begun)
  const code = useQuery({ ...syncCodeOptions, enabled: showsCode })
  const now = useMutation({
    mutationFn: () => ask(api['sync-now'].$post()),
    meta: { changes: ['settings'] },
    onSuccess: ({ sent, received, waiting }) => {
      if (waiting.length === 0) notify(strings.done(sent, received))
    }
  })
  const pausing = useMutation({
    mutationFn: (paused: boolean) => ask(api.sync.paused.$put({ json: { paused } })),
    meta: { changes: ['settings'] }
  })
  const leaving = useMutation({
    mutationFn: () => ask(api.sync.$delete()),
    meta: { changes: ['settings'] },
    onSuccess: () => notify(strings.left)
  })

  async function leave(): Promise<void> {
    const agreed = await confirm({
      title: strings.leaveTitle,
      text: strings.leaveText,
      action: strings.leave,
      danger: true
    })
    if (agreed) leaving.mutate()
  }

  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {strings.through(sync.name, sync.folder)}
      </Text>
      {showsCode && code.data && (
        <Alert color="indigo" title={begun ? strings.copyCode : strings.code}>
          <Stack gap="xs">
            {begun && <Text size="sm">{strings.copyCodeText}</Text>}
            <Command text={code.data.code} label={strings.code} />
            <Text size="sm">{strings.codeText}</Text>
          </Stack>
        </Alert>
      )}
      {stateOf(sync) && <Text size="sm">{stateOf(sync)}</Text>}
      {sync.resent !== null && (
        <Text size="sm">
          {strings.resent} <Ago iso={sync.resent} />
        </Text>
      )}
      {sync.progress && (
        <Progress
          value={(sync.progress.done / sync.progress.total) * 100}
          aria-label={strings.progress[sync.progress.work]}
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
        {strings.others}
      </Title>
      {sync.devices.length === 0 ? (
        <Text size="sm">{strings.none}</Text>
      ) : (
        <ul className={classes.list} aria-label={strings.others}>
          {sync.devices.map(({ device, name, seenAt }) => (
            <li key={device}>
              <Text size="sm">{name}</Text>
              <Text size="xs" c="dimmed">
                {strings.seen} <Ago iso={seenAt} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      {changes && <ChangePassword onEnd={() => setChanges(false)} />}
      <Group gap="sm">
        <Button variant="default" loading={now.isPending} disabled={sync.paused} onClick={() => now.mutate()}>
          {strings.now}
        </Button>
        <Button variant="default" loading={code.isFetching} onClick={() => setShowsCode(!showsCode)}>
          {showsCode ? strings.hide : strings.show}
        </Button>
        {isOnServer(sync.folder) && !changes && (
          <Button variant="default" onClick={() => setChanges(true)}>
            {strings.changePassword}
          </Button>
        )}
        <Button variant="default" loading={pausing.isPending} onClick={() => pausing.mutate(!sync.paused)}>
          {sync.paused ? strings.resume : strings.pause}
        </Button>
        <Button variant="default" loading={leaving.isPending} onClick={() => void leave()}>
          {strings.leave}
        </Button>
      </Group>
    </>
  )
}

function stateOf({ progress, paused, unsent, waiting }: Sync): string | undefined {
  if (paused) return strings.paused
  if (progress) return strings.percent(progress.work, progress.done / progress.total)
  if (unsent > 0) return strings.unsent(unsent)
  return waiting.length === 0 ? strings.upToDate : undefined
}

function ChangePassword({ onEnd }: { onEnd(): void }) {
  const [password, setPassword] = useState('')
  const changing = useMutation({
    mutationFn: () => ask(api.sync.password.$put({ json: { password } })),
    meta: { quiet: true, changes: ['settings'] },
    onSuccess() {
      notify(strings.passwordChanged)
      onEnd()
    }
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    changing.mutate()
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label={strings.newPassword}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={changing.error?.message}
          required
          autoComplete="off"
        />
        <Button type="submit" loading={changing.isPending} style={{ alignSelf: 'flex-start' }}>
          {strings.changePassword}
        </Button>
      </Stack>
    </form>
  )
}
