import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Button, Code, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle, useWindowEvent } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, ask, endsSession, forgetSession } from '../api/client.ts'
import { endSession } from '../api/events.ts'
import { loginCommand, packaged } from '../lib/own-folder.ts'
import { confirm } from '../shared/dialogs.ts'
import { Command } from '../ui/command.tsx'
import { Mark } from '../ui/icons/icon.tsx'
import { notifyError } from '../ui/notify.tsx'

/** The storage key by which a tab reports a login to the others. */
export const LOGIN = 'earmark-login'

/** Returns a function that logs out after the owner has confirmed it. */
export function useLogOut(): () => void {
  const { mutate } = useMutation({
    mutationFn: () => ask(api.session.$delete()),
    meta: { quiet: true },
    onSuccess() {
      forgetSession()
      endSession()
    },
    onError: (error) =>
      endsSession(error) ||
      notifyError(new Error(t`Logging out failed: Earmark does not answer. You are still logged in.`))
  })
  return async () => {
    if (await confirm({ title: t`Log out?`, text: <LoginHelp />, action: t`Log out` })) mutate()
  }
}

function howToLogIn(): string {
  return packaged
    ? t`A session ends after 30 days without use, and 90 days after you logged in. To log in again, open Earmark’s window.`
    : t`A session ends after 30 days without use, and 90 days after you logged in. To log in again, open a terminal in Earmark’s folder, run this, and open the link it prints:`
}

/** How to log in again, shown before logging out. */
function LoginHelp() {
  const command = loginCommand()
  return (
    <Stack gap="xs">
      <span>{howToLogIn()}</span>
      {command && <Code block>{command}</Code>}
    </Stack>
  )
}

/** Shows how to log in again. The page loads again once another tab has logged in. */
export function LoggedOut() {
  useWindowEvent('storage', ({ key }) => key === LOGIN && location.reload())
  const elsewhere = !location.hostname.endsWith('.localhost')
  return (
    <Notice title={t`You are logged out`} text={howToLogIn()} command={loginCommand()}>
      {elsewhere && (
        <Text c="dimmed">
          <Trans>Logged in already? The dashboard is at the address that ends in .localhost, not at this one.</Trans>
        </Text>
      )}
    </Notice>
  )
}

interface NoticeProps {
  title: string
  text: string
  /** A sentence before the command, if `text` does not introduce it. */
  lead?: string
  /** The command to type in a terminal, if that solves it. */
  command?: string | undefined
  /** Whether screen readers announce it at once. */
  alert?: boolean
  onRetry?: () => void
  /** More ways to solve it. */
  children?: ReactNode
}

/** A page that shows why the dashboard cannot be used now, and which command to run. */
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
