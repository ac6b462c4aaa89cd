import { plural, t } from '@lingui/core/macro'
import { Badge, Button, Collapse, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { api, ask } from '../../api/client.ts'
import { type ApiKey, keysOptions, type NewKey } from '../../api/service-queries.ts'
import { agentName } from '../../lib/agents.ts'
import { longDate } from '../../lib/dates.ts'
import { writeClipboard } from '../../lib/host.ts'
import { number } from '../../lib/locale.ts'
import { confirm, showDialog } from '../../shared/dialogs.ts'
import { Ago, Fact, Facts } from '../../ui/facts.tsx'
import { Dialog, type DialogState, FormModal } from '../../ui/form-modal.tsx'
import {
  IconActivity,
  IconChevronRight,
  IconCopy,
  IconPlugConnected,
  IconRefresh,
  IconTrash
} from '../../ui/icons/icons.ts'
import { notify } from '../../ui/notify.tsx'
import { Activity } from './activity.tsx'
import { ConnectEditor } from './connect-editor.tsx'
import classes from './keys.module.css'

/** The active keys, and a button that shows revoked and expired ones. */
export function KeyList({ keys, onRotated }: { keys: ApiKey[]; onRotated: (made: NewKey) => void }) {
  const rotating = useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.keys[':id'].rotate.$post({ param: { id } })),
    meta: { changes: ['keys'] }
  })
  const revoking = useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.keys[':id'].$delete({ param: { id } })),
    meta: { changes: ['keys'] }
  })
  const title = useRef<HTMLHeadingElement>(null)
  const active = keys.filter(({ state }) => state === 'active')
  const ended = keys.filter(({ state }) => state !== 'active')

  async function rotate(key: ApiKey) {
    const { name } = key
    const question = {
      title: t`Rotate “${name}”?`,
      text: t`It gets a new secret with the same rights. The old one is refused at once, so change it in every editor that uses it.`,
      action: t`Rotate`
    }
    if (!(await confirm(question))) return
    // A notice shows the error.
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
        title.current?.focus() // the card with the pressed button disappears
      }
    })
  }

  function act(action: KeyAction, key: ApiKey) {
    if (action === 'rotate') void rotate(key)
    else if (action === 'revoke') void revoke(key)
    else if (action === 'calls') showDialog((state) => <Activity {...state} apiKey={key} />)
    else if (action === 'connect') showDialog((state) => <ConnectDialog {...state} id={key.id} />)
    else showDialog((state) => <CopySecret {...state} apiKey={key} />)
  }

  return (
    <Stack gap="md" component="section" aria-labelledby="your-keys">
      <Title order={2} size="h5" id="your-keys" ref={title} tabIndex={-1}>
        {t`Your keys`}
      </Title>
      {active.length === 0 && <Text c="dimmed">{t`There are no active keys.`}</Text>}
      {active.map((key) => (
        <KeyCard key={key.id} apiKey={key} onAction={(action) => act(action, key)} />
      ))}
      {ended.length > 0 && (
        <EndedKeys count={ended.length}>
          {ended.map((key) => (
            <KeyCard key={key.id} apiKey={key} onAction={(action) => act(action, key)} />
          ))}
        </EndedKeys>
      )}
    </Stack>
  )
}

/** Revoked and expired keys, which a button shows. */
function EndedKeys({ count, children }: { count: number; children: ReactNode }) {
  const [shown, { toggle }] = useDisclosure()
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconChevronRight size={14} className={`chevron ${classes.chevron}`} />}
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

/** Connects an editor with an existing key, whose secret is not shown. */
function ConnectDialog({ id, opened, onClose }: DialogState & { id: string }) {
  // Read from the query, because where the secret is stored may change after the dialog was opened.
  const apiKey = useQuery(keysOptions).data?.find((key) => key.id === id)
  if (!apiKey) return null
  const { name, prefix, keychain } = apiKey
  return (
    <Dialog opened={opened} onClose={onClose} size="xl" title={t`Connect an editor with the key “${name}”`}>
      <ConnectEditor keyId={id} name={name} prefix={prefix} kept={keychain !== 'shown-once'} titled />
    </Dialog>
  )
}

/** Asks before the secret of a key is copied to the clipboard. */
function CopySecret({ apiKey: { id, name }, ...state }: DialogState & { apiKey: ApiKey }) {
  return (
    <FormModal
      {...state}
      title={t`Copy the key of “${name}”?`}
      initialValues={{}}
      action={t`Copy`}
      focusAction
      onSubmit={async () => {
        await copySecret(id)
        notify(t`The key is on the clipboard.`)
      }}
    >
      {() => <Text size="sm">{t`Every program can read the clipboard, until you copy something else.`}</Text>}
    </FormModal>
  )
}

/** @throws an Error whose message is for people */
async function copySecret(id: string): Promise<void> {
  const { key } = await ask(api.keys[':id'].secret.$get({ param: { id } }))
  await writeClipboard(key).catch(() => {
    throw new Error(t`The browser does not let this page use the clipboard.`)
  })
}

type KeyAction = 'calls' | 'connect' | 'copy' | 'rotate' | 'revoke'

/** A key with its facts, and buttons for its actions. */
function KeyCard({ apiKey, onAction }: { apiKey: ApiKey; onAction: (action: KeyAction) => void }) {
  const { name, prefix, organization, readOnly, state, keychain, callsToday } = apiKey
  const isActive = state === 'active'
  const action = (kind: KeyAction, icon: ReactNode, label: string) => (
    <Button
      size="compact-sm"
      variant="subtle"
      color={kind === 'revoke' ? 'red' : 'gray'}
      leftSection={icon}
      aria-label={`${label}: ${name}`}
      onClick={() => onAction(kind)}
    >
      {label}
    </Button>
  )
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Text fw={600} component="h3" m={0} fz="md">
          {name}
        </Text>
        <Group gap={6}>
          {organization && <Badge variant="light">{organization.name}</Badge>}
          {readOnly && (
            <Badge variant="light" color="gray">
              {t`Read-only`}
            </Badge>
          )}
          {!isActive && (
            <Badge variant="light" color="red">
              {state === 'revoked' ? t`Revoked` : t`Expired`}
            </Badge>
          )}
        </Group>
      </Group>
      <Facts width="7rem">
        <Fact term={t`Key`}>
          <Text component="code" inherit ff="monospace" fz="0.85em">
            {prefix}…
          </Text>
        </Fact>
        <Fact term={t`Rights`}>{rightsOf(apiKey)}</Fact>
        {apiKey.tags.length > 0 && (
          <Fact term={t`Tags what it saves`}>{apiKey.tags.map((tag) => `#${tag}`).join(' ')}</Fact>
        )}
        <Fact term={t`Created`}>{longDate(apiKey.createdAt)}</Fact>
        <EndFact apiKey={apiKey} />
        <Fact term={t`Last used`}>
          {apiKey.lastUsedAt ? <Ago iso={apiKey.lastUsedAt} /> : t`Never`}
          {apiKey.lastClient && ` ${t`by ${agentName(apiKey.lastClient)}`}`}
        </Fact>
        <Fact term={t`Calls today`}>{number(callsToday)}</Fact>
      </Facts>
      <Group gap={4} mt="sm" ms={-8}>
        {action('calls', <IconActivity size={15} />, t`Activity`)}
        {isActive && action('connect', <IconPlugConnected size={15} />, t`Connect`)}
        {isActive && keychain === 'stored' && action('copy', <IconCopy size={15} />, t`Copy from keychain`)}
        {isActive && keychain === 'file' && action('copy', <IconCopy size={15} />, t`Copy from file`)}
        {isActive && action('rotate', <IconRefresh size={15} />, t`Rotate`)}
        {state !== 'revoked' && action('revoke', <IconTrash size={15} />, t`Revoke`)}
      </Group>
    </Paper>
  )
}

function rightsOf({ readOnly, organization }: ApiKey): string {
  if (organization) return readOnly ? t`Read in ${organization.name}` : t`Read and save in ${organization.name}`
  return readOnly ? t`Read` : t`Read and save`
}

function EndFact({ apiKey: { state, revokedAt, expiresAt } }: { apiKey: ApiKey }) {
  if (revokedAt) return <Fact term={t`Revoked`}>{longDate(revokedAt)}</Fact>
  const term = state === 'expired' ? t`Expired` : t`Expires`
  return <Fact term={term}>{expiresAt ? longDate(expiresAt) : t`Never`}</Fact>
}
