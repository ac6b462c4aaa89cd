import { t } from '@lingui/core/macro'
import { ActionIcon, Code, Group, Tooltip } from '@mantine/core'
import { useCopied } from './copy.ts'
import { IconCheck, IconCopy } from './icons/icons.ts'

interface CommandProps {
  text: string
  /** Names a long text on the copy button. */
  label?: string
  /** Called when the text is copied, by the button or by the user. */
  onCopied?: () => void
}

/** A command or another text to paste elsewhere, with a button that copies it. */
export function Command({ text, label = text, onCopied }: CommandProps) {
  const { copied, copy } = useCopied(text, 2000, onCopied)
  return (
    <Group
      wrap="nowrap"
      gap="xs"
      justify="space-between"
      align="flex-start"
      py="0.5rem"
      ps="0.9rem"
      pe="0.5rem"
      bd="1px solid var(--earmark-line)"
      bdrs="md"
      bg="var(--earmark-ground)"
    >
      <Code
        fz="sm"
        lh={1.5}
        px={0}
        py="0.2rem"
        bg="transparent"
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        onCopy={onCopied}
      >
        {text}
      </Code>
      <Tooltip label={copied ? t`Copied` : t`Copy`}>
        <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} aria-label={t`Copy ${label}`} onClick={copy}>
          {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
