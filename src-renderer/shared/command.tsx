import { ActionIcon, Code, Group, Tooltip } from '@mantine/core'
import { common } from '../strings/common.ts'
import { IconCheck, IconCopy } from '../ui/icons/icons.ts'
import classes from './command.module.css'
import { useCopied } from './use-copied.ts'

/** Something to type or paste elsewhere, with a button that copies it. `label` names it where the text is long. */
export function Command({ text, label = text }: { text: string; label?: string }) {
  const { copied, copy } = useCopied(text, 2000)
  return (
    <Group className={classes.command ?? ''} wrap="nowrap" gap="xs" justify="space-between" align="flex-start">
      <Code className={classes.text ?? ''}>{text}</Code>
      <Tooltip label={copied ? common.copied : common.copyShort}>
        <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} aria-label={common.copy(label)} onClick={copy}>
          {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
