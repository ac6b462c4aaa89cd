import { Alert, Button, Group, PasswordInput, Progress, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../shared/api.ts'
import { Command } from '../../shared/command.tsx'
import { confirm } from '../../shared/confirm.tsx'
import { notify } from '../../shared/notify.tsx'
import { refresh } from '../../shared/refresh.ts'
import { ask } from '../../shared/request.ts'
import { machines as strings } from '../../strings/machines.ts'
import { Ago } from '../../ui/ago.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import classes from './list.module.css'
import { Section } from './section.tsx'

/** How often the state is asked for while synchronization is set up, in milliseconds. */
const ASK_EVERY = 5000

const readSync = () => ask(api.sync.$get())

/** Below `settings`, so that it is fetched again when another tab changes it. */
const syncOptions = queryOptions({
  queryKey: ['settings', 'sync'],
  queryFn: readSync,
  refetchInterval: ({ state }) => (state.data?.sync ? ASK_EVERY : false)
})

/** Sets synchronization with other machines up, and shows how it is. */
export function MachinesSection() {
  const reading = useQuery(syncOptions)
  const sync = reading.data?.sync
  return (
    <Section id="machines" title={strings.title}>
      <Text size="sm">{strings.text}</Text>
      <NotLoaded query={reading} failed={strings.failed} />
      {sync && <Synchronizing sync={sync} />}
      {sync === null && <SetUp />}
    </Section>
  )
}

type Sync = NonNullable<Awaited<ReturnType<typeof readSync>>['sync']>

function SetUp() {
  const [joins, setJoins] = useState(false)
  const [folder, setFolder] = useState('')
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const server = URL.parse(folder)
  const isServer = server !== null && /^https?:$/.test(server.protocol)
  if (isServer && user !== '') server.username = user
  const place = isServer ? { folder: server.href, password } : { folder }

  const settingUp = useMutation({
    mutationFn: () => ask(api.sync.$post({ json: joins ? { ...place, name, code } : { ...place, name } })),
    meta: { quiet: true },
    async onSuccess() {
      notify(joins ? strings.joined : strings.begun)
      await refresh(syncOptions)
    }
  })

  const previewing = useMutation({
    mutationFn: () => ask(api.sync.preview.$post({ json: { ...place, code } })),
    meta: { quiet: true },
    async onSuccess(preview) {
      const text = strings.preview(preview)
      if (await confirm({ title: strings.joinTitle, text, action: strings.join })) settingUp.mutate()
    }
  })
  const problem = joins && previewing.isError ? previewing.error : settingUp.error

  function submit(event: FormEvent) {
    event.preventDefault()
    settingUp.reset()
    if (joins) previewing.mutate()
    else settingUp.mutate()
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={strings.title}
          data={[
            { value: 'first', label: strings.first },
            { value: 'joins', label: strings.joins }
          ]}
          value={joins ? 'joins' : 'first'}
          onChange={(value) => setJoins(value === 'joins')}
          style={{ alignSelf: 'flex-start' }}
        />
        <TextInput
          label={strings.folder}
          value={folder}
          description={strings.folderHint}
          onChange={(event) => setFolder(event.currentTarget.value)}
          required
          spellCheck={false}
        />
        {isServer && (
          <>
            <TextInput
              label={strings.user}
              value={user}
              onChange={(event) => setUser(event.currentTarget.value)}
              spellCheck={false}
              autoComplete="off"
            />
            <PasswordInput
              label={strings.password}
              description={strings.passwordHint}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="off"
            />
          </>
        )}
        <TextInput
          label={strings.name}
          placeholder={strings.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={100}
        />
        {joins && (
          <TextInput
            label={strings.code}
            description={strings.codeHint}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            required
            spellCheck={false}
            autoComplete="off"
          />
        )}
        {problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {problem.message}
          </Text>
        )}
        <Button type="submit" loading={settingUp.isPending || previewing.isPending} style={{ alignSelf: 'flex-start' }}>
          {joins ? strings.join : strings.begin}
        </Button>
      </Stack>
    </form>
  )
}

function Synchronizing({ sync }: { sync: Sync }) {
  const showing = useMutation({ mutationFn: () => ask(api.sync.code.$get()) })
  const now = useMutation({
    mutationFn: () => ask(api['sync-now'].$post()),
    onSuccess: ({ sent, received, waiting }) => {
      if (waiting.length === 0) notify(strings.done(sent, received))
      void refresh(syncOptions)
    }
  })
  const pausing = useMutation({
    mutationFn: (paused: boolean) => ask(api.sync.paused.$put({ json: { paused } })),
    onSuccess: () => refresh(syncOptions)
  })
  const leaving = useMutation({
    mutationFn: () => ask(api.sync.$delete()),
    async onSuccess() {
      notify(strings.left)
      await refresh(syncOptions)
    }
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
        {strings.through(sync.name, sync.folder)}{' '}
        {sync.progress && strings.percent(sync.progress.work, sync.progress.done / sync.progress.total)}{' '}
        {sync.paused ? strings.paused : sync.unsent === 0 ? strings.upToDate : strings.unsent(sync.unsent)}
      </Text>
      {sync.progress && (
        <Progress
          value={(sync.progress.done / sync.progress.total) * 100}
          aria-label={strings.progress[sync.progress.work]}
        />
      )}
      {sync.waiting.length > 0 && (
        <Alert color="yellow" role="status">
          {sync.waiting.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Alert>
      )}
      <Text size="sm" fw={500}>
        {strings.others}
      </Text>
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
      {showing.data && (
        <>
          <Command text={showing.data.code} label={strings.code} />
          <Text size="sm">{strings.codeText}</Text>
        </>
      )}
      <Group gap="sm">
        <Button variant="default" loading={now.isPending} disabled={sync.paused} onClick={() => now.mutate()}>
          {strings.now}
        </Button>
        {!showing.data && (
          <Button variant="default" loading={showing.isPending} onClick={() => showing.mutate()}>
            {strings.show}
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
