import { plural, t } from '@lingui/core/macro'
import { Button, Collapse, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { endsSession } from '../../api/client.ts'
import type { ApiKey, NewKey } from '../../api/service-queries.ts'
import { writeClipboard } from '../../lib/host.ts'
import { number } from '../../lib/locale.ts'
import { confirm } from '../../ui/ask.tsx'
import { IconChevronRight } from '../../ui/icons/icons.ts'
import { notify } from '../../ui/notify.tsx'
import { ConnectEditor } from './connect-editor.tsx'
import { type KeyAction, KeyCard } from './key-card.tsx'
import { askSecret, useRevokeKey, useRotateKey } from './key-data.ts'
import classes from './keys.module.css'
import { Ledger } from './ledger.tsx'

/** The keys in use, and behind a button those that have ended. */
export function KeyList({ keys, onRotated }: { keys: ApiKey[]; onRotated: (made: NewKey) => void }) {
  const [open, setOpen] = useState<{ action: KeyAction; id: string }>()
  const rotating = useRotateKey()
  const revoking = useRevokeKey()
  const title = useRef<HTMLHeadingElement>(null)
  const living = keys.filter(({ state }) => state === 'active')
  const ended = keys.filter(({ state }) => state !== 'active')

  async function rotate(key: ApiKey) {
    const { name } = key
    const question = {
      title: t`Rotate “${name}”?`,
      text: t`It gets a new secret with the same rights. The old one is refused at once, so change it in every editor that uses it.`,
      action: t`Rotate`
    }
    if (!(await confirm(question))) return
    // A failure is told in a notification.
    const made = await rotating.mutateAsync(key).catch(() => undefined)
    if (made) onRotated({ ...made, name, rotated: true })
  }

  async function revoke(key: ApiKey) {
    const { name } = key
    const question = {
      title: t`Revoke “${name}”?`,
      text: t`Its next call is refused. You cannot restore it. What it saved stays.`,
      action: t`Revoke`,
      danger: true
    }
    if (!(await confirm(question))) return
    revoking.mutate(key, {
      onSuccess() {
        notify(t`“${name}” is revoked.`)
        title.current?.focus() // its card, with the button that was pressed, is gone
      }
    })
  }

  function act(action: KeyAction, key: ApiKey) {
    if (action === 'rotate') void rotate(key)
    else if (action === 'revoke') void revoke(key)
    else setOpen({ action, id: key.id })
  }

  const close = () => setOpen(undefined)
  // As it is now: where its secret is kept, say, may become known after a dialog was opened.
  const shownIn = (action: KeyAction) => (open?.action === action ? keys.find(({ id }) => id === open.id) : undefined)
  return (
    <Stack gap="md" component="section" aria-labelledby="your-keys">
      <Title order={2} size="h5" id="your-keys" ref={title} tabIndex={-1}>
        {t`Your keys`}
      </Title>
      {living.length === 0 && <Text c="dimmed">{t`There are no active keys.`}</Text>}
      {living.map((key) => (
        <KeyCard key={key.id} apiKey={key} onAction={(action) => act(action, key)} />
      ))}
      {ended.length > 0 && (
        <Ended count={ended.length}>
          {ended.map((key) => (
            <KeyCard key={key.id} apiKey={key} onAction={(action) => act(action, key)} />
          ))}
        </Ended>
      )}
      <Ledger apiKey={shownIn('calls')} onClose={close} />
      <ConnectDialog apiKey={shownIn('connect')} onClose={close} />
      <CopySecret apiKey={shownIn('copy')} onClose={close} />
    </Stack>
  )
}

/** The keys that have ended, shown when a button asks for them. */
function Ended({ count, children }: { count: number; children: ReactNode }) {
  const [shown, { toggle }] = useDisclosure()
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconChevronRight size={14} className={classes.chevron} />}
        aria-expanded={shown}
        onClick={toggle}
        style={{ alignSelf: 'flex-start' }}
      >
        {t`${number(count)} ended ${plural(count, { one: 'key', other: 'keys' })}`}
      </Button>
      <Collapse expanded={shown}>
        <Stack gap="md">{shown && children}</Stack>
      </Collapse>
    </>
  )
}

interface ConnectDialogProps {
  apiKey: ApiKey | undefined
  onClose: () => void
}

/** How to connect an editor with a key that was made before, whose secret is not at hand. */
function ConnectDialog({ apiKey, onClose }: ConnectDialogProps) {
  return (
    <Modal
      opened={apiKey !== undefined}
      onClose={onClose}
      size="xl"
      title={apiKey && t`Connect an editor with the key “${apiKey.name}”`}
    >
      {apiKey && (
        <ConnectEditor
          keyId={apiKey.id}
          name={apiKey.name}
          prefix={apiKey.prefix}
          kept={apiKey.keychain !== 'shown-once'}
          titled
        />
      )}
    </Modal>
  )
}

interface CopySecretProps {
  apiKey: ApiKey | undefined
  onClose: () => void
}

/** Asks once more before a key's secret goes to the clipboard. */
function CopySecret({ apiKey, onClose }: CopySecretProps) {
  return (
    <Modal opened={apiKey !== undefined} onClose={onClose} title={apiKey && t`Copy the key of “${apiKey.name}”?`}>
      {apiKey && <Copying id={apiKey.id} onClose={onClose} />}
    </Modal>
  )
}

function Copying({ id, onClose }: { id: string; onClose: () => void }) {
  const copying = useMutation({
    mutationFn: () => copySecret(id),
    meta: { quiet: true },
    onSuccess() {
      notify(t`The key is on the clipboard.`)
      onClose()
    }
  })
  return (
    <Stack>
      <Text size="sm">{t`Every program can read the clipboard, until you copy something else.`}</Text>
      <div role="status">
        {copying.isError && !endsSession(copying.error) && (
          <Text size="sm" c="var(--mantine-color-error)">
            {copying.error.message}
          </Text>
        )}
      </div>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t`Cancel`}
        </Button>
        <Button onClick={() => copying.mutate()} loading={copying.isPending} data-autofocus>
          {t`Copy`}
        </Button>
      </Group>
    </Stack>
  )
}

/** @throws an Error with words for the person */
async function copySecret(id: string): Promise<void> {
  const secret = await askSecret(id)
  await writeClipboard(secret).catch(() => {
    throw new Error(t`The browser does not let this page use the clipboard.`)
  })
}
