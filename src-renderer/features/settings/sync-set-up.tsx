import { Button, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isOnServer } from '../../../src-main/contract/web-address.ts'
import { api, ask } from '../../api/client.ts'
import { machines as strings } from '../../strings/machines.ts'
import { confirm } from '../../ui/confirm.tsx'
import { notify } from '../../ui/notify.tsx'

/** Begins to synchronize, or joins other machines. @param onBegun called if this is the first machine */
export function SyncSetUp({ onBegun }: { onBegun(): void }) {
  const [joins, setJoins] = useState(false)
  const [folder, setFolder] = useState('')
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const server = URL.parse(folder)
  const isServer = server !== null && isOnServer(folder)
  if (isServer && user !== '') server.username = encodeURIComponent(user)
  const place = isServer ? { folder: server.href, password } : { folder }

  const settingUp = useMutation({
    mutationFn: () => ask(api.sync.$post({ json: joins ? { ...place, name, code } : { ...place, name } })),
    meta: { quiet: true, changes: ['settings'] },
    onSuccess() {
      if (joins) notify(strings.joined)
      else onBegun()
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

  function forgetFaults(): void {
    settingUp.reset()
    previewing.reset()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    settingUp.reset()
    if (joins) previewing.mutate()
    else settingUp.mutate()
  }

  return (
    <form onSubmit={submit} onChange={forgetFaults}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={strings.title}
          data={[
            { value: 'first', label: strings.first },
            { value: 'joins', label: strings.joins }
          ]}
          value={joins ? 'joins' : 'first'}
          onChange={(value) => {
            forgetFaults()
            setJoins(value === 'joins')
          }}
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
