import { t } from '@lingui/core/macro'
import { ActionIcon, Code, Group, Tooltip } from '@mantine/core'
import classes from './command.module.css'
import { useCopied } from './copy.ts'
import { IconCheck, IconCopy } from './icons/icons.ts'

interface CommandProps {
  text: string
  /** Names it where the text is long. */
  label?: string
  /** By the button, or by hand. */
  onCopied?: () => void
}

/** Something to type or paste elsewhere, with a button that copies it. */
export function Command({ text, label = text, onCopied }: CommandProps) {
  const { copied, copy } = useCopied(text, 2000, onCopied)
  return (
    <Group className={classes.command ?? ''} wrap="nowrap" gap="xs" justify="space-between" align="flex-start">
      <Code className={classes.text ?? ''} onCopy={onCopied}>
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
