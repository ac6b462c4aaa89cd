import { plural, t } from '@lingui/core/macro'
import { PasswordInput, SegmentedControl, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { isOnServer } from '../../../src-main/contract/web-address.ts'
import { api, ask } from '../../api/client.ts'
import { confirm } from '../../shared/dialogs.ts'
import { Form } from '../../ui/form-modal.tsx'
import { notify } from '../../ui/notify.tsx'

const EMPTY = { how: 'first', folder: '', user: '', password: '', name: '', code: '' }

/** Sets up synchronization, or joins other machines. @param onCreated called if this is the first machine */
export function SyncSetUp({ onCreated }: { onCreated(): void }) {
  const settingUp = useMutation({
    mutationFn: (json: Parameters<typeof api.sync.$post>[0]['json']) => ask(api.sync.$post({ json })),
    meta: { quiet: true, changes: ['settings'] }
  })

  const previewing = useMutation({
    mutationFn: (json: Parameters<typeof api.sync.preview.$post>[0]['json']) => ask(api.sync.preview.$post({ json })),
    meta: { quiet: true }
  })

  async function setUp({ how, folder, user, password, name, code }: typeof EMPTY) {
    const server = isOnServer(folder) ? URL.parse(folder) : null
    if (server && user !== '') server.username = encodeURIComponent(user)
    const place = server ? { folder: server.href, password } : { folder }
    if (how === 'first') {
      await settingUp.mutateAsync({ ...place, name })
      onCreated()
      return
    }
    const { here, there, same } = await previewing.mutateAsync({ ...place, code })
    const text = t`${plural(there - same, { one: '# bookmark', other: '# bookmarks' })} will be new here, ${plural(here - same, { one: '# bookmark', other: '# bookmarks' })} new on the others, and ${plural(same, { one: '# bookmark', other: '# bookmarks' })} are on both sides. Yours are backed up first.`
    if (!(await confirm({ title: t`Join the other machines?`, text, action: t`Join` }))) return
    await settingUp.mutateAsync({ ...place, name, code })
    notify(t`This machine has joined. Bookmarks come in while Earmark runs.`)
  }

  return (
    <Form initialValues={EMPTY} action={({ how }) => (how === 'first' ? t`Start syncing` : t`Join`)} onSubmit={setUp}>
      {(form) => (
        <>
          <SegmentedControl
            aria-label={t`Sync`}
            data={[
              { value: 'first', label: t`First machine` },
              { value: 'joins', label: t`Join other machines` }
            ]}
            style={{ alignSelf: 'flex-start' }}
            {...form.getInputProps('how')}
          />
          <TextInput
            label={t`Folder`}
            description={t`Its full path, or its address on a WebDAV server, which begins with https://`}
            required
            spellCheck={false}
            {...form.getInputProps('folder')}
          />
          {isOnServer(form.values.folder) && (
            <>
              <TextInput
                label={t`User name on the server`}
                spellCheck={false}
                autoComplete="off"
                {...form.getInputProps('user')}
              />
              <PasswordInput
                label={t`Password`}
                description={t`It is kept in the keychain, or without one in a file only you can read. On Nextcloud, make an app password.`}
                autoComplete="off"
                {...form.getInputProps('password')}
              />
            </>
          )}
          <TextInput
            label={t`Name of this machine`}
            placeholder={t`Laptop`}
            required
            maxLength={100}
            {...form.getInputProps('name')}
          />
          {form.values.how === 'joins' && (
            <TextInput
              label={t`Sync code`}
              description={t`On a machine that synchronizes: Settings, Sync, Show sync code`}
              required
              spellCheck={false}
              autoComplete="off"
              {...form.getInputProps('code')}
            />
          )}
        </>
      )}
    </Form>
  )
}
