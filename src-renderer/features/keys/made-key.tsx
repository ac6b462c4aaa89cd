import { t } from '@lingui/core/macro'
import { Alert, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { NewKey } from '../../api/service-queries.ts'
import { confirm } from '../../ui/ask.tsx'
import { useCopied } from '../../ui/copy.ts'
import { IconAlertTriangle, IconCheck, IconCopy, IconLock } from '../../ui/icons/icons.ts'
import { ConnectEditor } from './connect-editor.tsx'
import classes from './keys.module.css'

/** A key that was just made: its secret this once, where that is kept, and what to do with it. */
export function MadeKey({ made, onDone }: { made: NewKey; onDone: () => void }) {
  const { id, key, prefix, name, keychain, rotated } = made
  const title = useRef<HTMLHeadingElement>(null)
  const kept = keychain !== 'shown-once'
  const [copied, setCopied] = useState(false)
  const wouldBeLost = !kept && !copied
  // The browser asks before the page is left.
  useWindowEvent('beforeunload', (event) => wouldBeLost && event.preventDefault())
  const outcome =
    'file' in made && made.file
      ? t`Kept in ${made.file}, which your other programs can read.`
      : kept
        ? t`Stored in your keychain. You can copy it from there later.`
        : t`Not stored, because no keychain is available. Copy it now: Earmark cannot show it again.`

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is what is news
  useEffect(() => title.current?.focus(), [key])

  async function done() {
    const question = {
      title: t`Leave without the key?`,
      text: t`It is stored nowhere and was not copied. Once you leave, it cannot be shown again. You can create another key at any time.`,
      action: t`Leave it`,
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

/** The key in full, where it can be selected too. */
function Secret({ text, onCopied }: { text: string; onCopied: () => void }) {
  const { copied, copy } = useCopied(text, 3000, onCopied)
  return (
    <Group gap="sm" wrap="nowrap" align="stretch">
      <Code className={classes.secret ?? ''}>{text}</Code>
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
