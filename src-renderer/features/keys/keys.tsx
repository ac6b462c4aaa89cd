import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Box, Button, Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, ask } from '../../api/client.ts'
import { connectedOptions, queryClient } from '../../api/events.ts'
import { organizationsOptions, statusOptions } from '../../api/queries.ts'
import { keysOptions, type NewKey, newKeyOptions } from '../../api/service-queries.ts'
import { confirm } from '../../shared/dialogs.ts'
import { useNewOrganization } from '../../shared/new-organization.ts'
import { Page } from '../../shared/page.tsx'
import { Command } from '../../ui/command.tsx'
import { useCopied } from '../../ui/copy.ts'
import { LiveDot } from '../../ui/facts.tsx'
import { IconAlertTriangle, IconCheck, IconCopy, IconLock, IconPlus } from '../../ui/icons/icons.ts'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { ConnectEditor } from './connect-editor.tsx'
import { KeyForm, type KeyRequest } from './key-form.tsx'
import { KeyList } from './key-list.tsx'

/** The page of API keys: creates keys, connects editors with them, and lists them. */
export function Keys() {
  const keys = useQuery(keysOptions)
  const [isFormOpen, setFormOpen] = useState(false)
  const newKey = useQuery(newKeyOptions).data
  const opener = useRef<HTMLButtonElement>(null)
  const creating = useMutation({
    mutationFn: (request: KeyRequest) => ask(api.keys.$post({ json: request })),
    meta: { quiet: true, changes: ['keys'] }
  })
  const returnsFocus = useRef(false)
  // The list may have the first key before the request that creates it is answered. Until then the form stays.
  const isFirst = keys.data?.length === 0 || (keys.data?.length === 1 && creating.isPending)
  const showsForm = (isFormOpen || isFirst) && !newKey

  // The button gets the focus once it is enabled again.
  useEffect(() => {
    if (!returnsFocus.current || showsForm || newKey) return
    returnsFocus.current = false
    opener.current?.focus()
  }, [showsForm, newKey])

  async function create(request: KeyRequest) {
    show({ ...(await creating.mutateAsync(request)), name: request.name, rotated: false })
  }

  function show(key: NewKey) {
    setFormOpen(false)
    queryClient.setQueryData(newKeyOptions.queryKey, key)
  }

  function back() {
    setFormOpen(false)
    queryClient.setQueryData(newKeyOptions.queryKey, null)
    returnsFocus.current = true
  }

  return (
    <Page
      title={t`API Keys`}
      actions={
        !showsForm && (
          <Button
            ref={opener}
            leftSection={<IconPlus size={16} />}
            onClick={() => setFormOpen(true)}
            disabled={!!newKey}
          >
            {t`New key`}
          </Button>
        )
      }
    >
      <Stack gap="lg">
        <Text c="dimmed" maw="42rem">
          <Trans>
            A key lets an editor or a script search and save your bookmarks. Create one for each, so that you can revoke
            one without the others.
          </Trans>
        </Text>
        {newKey && <NewKeyCard made={newKey} onDone={back} />}
        {showsForm && <KeyForm first={isFirst} onSubmit={create} onCancel={isFirst ? undefined : back} />}
        {keys.isPending && (
          <Stack aria-busy="true" aria-label={t`Loading …`} role="group">
            <Skeleton h={120} />
            <Skeleton h={120} />
          </Stack>
        )}
        <NotLoaded query={keys} failed={t`The keys could not be read.`} />
        {keys.data && keys.data.length > 0 && <KeyList keys={keys.data} onRotated={show} />}
        <Address />
        <FirstOrganization />
      </Stack>
    </Page>
  )
}

/** The address that any MCP client connects to with a key. */
function Address() {
  const status = useQuery(statusOptions)
  const connected = useQuery(connectedOptions).data
  if (!status.data) return null
  return (
    <Box maw="30rem">
      <Text size="sm" c="dimmed" mb={6} component="div">
        <LiveDot live={connected} label={connected ? t`Connected` : t`Not connected`} /> {t`Address for editors (MCP)`}
      </Text>
      <Command text={status.data.mcp} />
    </Box>
  )
}

/** Offers to create an organization if there is none. Later, the sidebar links to them. */
function FirstOrganization() {
  const organizations = useQuery(organizationsOptions).data
  const create = useNewOrganization()
  if (organizations?.length !== 0) return null
  return (
    <Box maw="42rem">
      <Text size="sm" c="dimmed" mb={6}>
        {t`An organization keeps bookmarks apart, for example those of a team. Its keys see only them and public ones.`}
      </Text>
      <Button size="xs" variant="default" onClick={() => create()}>
        {t`New organization`}
      </Button>
    </Box>
  )
}

/** A new key: its secret, which is shown only once, where that is stored, and how to connect an editor. */
function NewKeyCard({ made, onDone }: { made: NewKey; onDone: () => void }) {
  const { id, key, prefix, name, keychain, rotated } = made
  const title = useRef<HTMLHeadingElement>(null)
  const kept = keychain !== 'shown-once'
  const [copied, setCopied] = useState(false)
  const wouldBeLost = !kept && !copied
  // The browser asks before the page closes.
  useWindowEvent('beforeunload', (event) => wouldBeLost && event.preventDefault())
  const outcome =
    'file' in made && made.file
      ? t`Kept in ${made.file}, which your other programs can read.`
      : kept
        ? t`Stored in your keychain. You can copy it from there later.`
        : t`Not stored, because no keychain is available. Copy it now: Earmark cannot show it again.`

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new key takes the focus
  useEffect(() => title.current?.focus(), [key])

  async function done() {
    const question = {
      title: t`Leave without the key?`,
      text: t`It is stored nowhere and was not copied. Once you leave, it cannot be shown again. Revoke it if you do not need it.`,
      action: t`Leave without copying`,
      danger: true
    }
    if (!wouldBeLost || (await confirm(question))) onDone()
  }
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="made-key">
      <Stack>
        <Title order={2} size="h5" id="made-key" ref={title} tabIndex={-1}>
          {rotated ? t`“${name}” has a new key` : t`The key “${name}” is ready`}
        </Title>
        {rotated && <Text size="sm">{t`The old key no longer works.`}</Text>}
        <Secret text={key} onCopied={() => setCopied(true)} />
        <Alert
          color={kept ? 'teal' : 'yellow'}
          icon={kept ? <IconLock size={18} /> : <IconAlertTriangle size={18} />}
          role="note"
          variant="light"
        >
          {outcome} {kept && t`This is the only time it is shown in full.`}
        </Alert>
        <ConnectEditor keyId={id} name={name} prefix={prefix} secret={key} kept={kept} />
        <Group justify="flex-end">
          <Button onClick={done}>{t`Done`}</Button>
        </Group>
      </Stack>
    </Paper>
  )
}

/** The complete key, as text that can be selected, with a button that copies it. */
function Secret({ text, onCopied }: { text: string; onCopied: () => void }) {
  const { copied, copy } = useCopied(text, 3000, onCopied)
  return (
    <Group gap="sm" wrap="nowrap" align="stretch">
      <Code
        flex={1}
        miw={0}
        px="0.9rem"
        py="0.4rem"
        bd="1px solid var(--earmark-line)"
        bdrs="md"
        bg="var(--earmark-ground)"
        fz="sm"
        style={{ alignContent: 'center', overflowWrap: 'anywhere' }}
      >
        {text}
      </Code>
      <Button
        flex="none"
        leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        aria-label={copied ? t`Copied` : t`Copy the key`}
        onClick={copy}
      >
        <span aria-live="polite">{copied ? t`Copied` : t`Copy`}</span>
      </Button>
    </Group>
  )
}
