import { t } from '@lingui/core/macro'
import { Box, Button, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Command } from './command.tsx'
import { Mark } from './icons/icon.tsx'

interface NoticeProps {
  title: string
  text: string
  /** Said before the command, where `text` does not lead to it. */
  lead?: string
  /** The command to type in a terminal, if that solves it. */
  command?: string | undefined
  /** It is news, to be read out at once. */
  alert?: boolean
  onRetry?: () => void
  /** More ways to solve it. */
  children?: ReactNode
}

/** A page of its own for whoever cannot go on here: why, and what to type elsewhere. */
export function Notice({ title, text, lead, command, alert = false, onRetry, children }: NoticeProps) {
  useDocumentTitle(`${title} · Earmark`)
  return (
    <Box component="main" maw="36rem" mx="auto" px="1.5rem" pt="16vh" pb="2rem">
      <Stack gap="md">
        <Mark size={40} />
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text role={alert ? 'alert' : undefined}>{text}</Text>
        {lead && <Text>{lead}</Text>}
        {command && <Command text={command} />}
        {onRetry && (
          <Button onClick={onRetry} style={{ alignSelf: 'flex-start' }}>
            {t`Try again`}
          </Button>
        )}
        {children}
      </Stack>
    </Box>
  )
}
