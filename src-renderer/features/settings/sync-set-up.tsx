import { plural, t } from '@lingui/core/macro'
import { Button, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isOnServer } from '../../../src-main/contract/web-address.ts'
import { api, ask } from '../../api/client.ts'
import { confirm } from '../../ui/ask.tsx'
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
      if (joins) notify(t`This machine has joined. Bookmarks come in while Earmark runs.`)
      else onBegun()
    }
  })

  const previewing = useMutation({
    mutationFn: () => ask(api.sync.preview.$post({ json: { ...place, code } })),
    meta: { quiet: true },
    async onSuccess(preview) {
      const text = t`${plural(preview.there - preview.same, { one: '# bookmark', other: '# bookmarks' })} will be new here, ${plural(preview.here - preview.same, { one: '# bookmark', other: '# bookmarks' })} new on the others, and ${plural(preview.same, { one: '# bookmark', other: '# bookmarks' })} are on both sides. Yours are backed up first.`
      if (await confirm({ title: t`Join the other machines?`, text, action: t`Join` })) settingUp.mutate()
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
          aria-label={t`Several machines`}
          data={[
            { value: 'first', label: t`First machine` },
            { value: 'joins', label: t`Join other machines` }
          ]}
          value={joins ? 'joins' : 'first'}
          onChange={(value) => {
            forgetFaults()
            setJoins(value === 'joins')
          }}
          style={{ alignSelf: 'flex-start' }}
        />
        <TextInput
          label={t`Folder`}
          value={folder}
          description={t`Its full path, or its address on a WebDAV server, which begins with https://`}
          onChange={(event) => setFolder(event.currentTarget.value)}
          required
          spellCheck={false}
        />
        {isServer && (
          <>
            <TextInput
              label={t`User name on the server`}
              value={user}
              onChange={(event) => setUser(event.currentTarget.value)}
              spellCheck={false}
              autoComplete="off"
            />
            <PasswordInput
              label={t`Password`}
              description={t`It is kept in the keychain, or without one in a file only you can read. On Nextcloud, make an app password.`}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="off"
            />
          </>
        )}
        <TextInput
          label={t`Name of this machine`}
          placeholder={t`Laptop`}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={100}
        />
        {joins && (
          <TextInput
            label={t`Sync code`}
            description={t`On a machine that synchronizes: Settings, Several machines, Show the code`}
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
          {joins ? t`Join` : t`Begin`}
        </Button>
      </Stack>
    </form>
  )
}
