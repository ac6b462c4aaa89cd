import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Button, Code, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask, endsSession, forgetSession, keepSession } from '../api/client.ts'
import { announceLogin, endSession, onLogin } from '../api/events.ts'
import { loginCommand, packaged, startCommand } from '../lib/own-folder.ts'
import { confirm } from '../shared/dialogs.ts'
import { Command } from '../ui/command.tsx'
import { Mark } from '../ui/icons/icon.tsx'
import { notifyError } from '../ui/notify.tsx'
import { Loading } from '../ui/placeholders.tsx'

type LoginFault = 'noToken' | 'used' | 'unreachable'

/** Exchanges the token behind the `#` for a session, then opens the dashboard. */
export function Login() {
  const [fault, setFault] = useState<LoginFault>()
  const begun = useRef(false)
  const [, navigate] = useLocation()

  useEffect(() => {
    // A token is good once, and development renders twice.
    if (begun.current) return
    begun.current = true
    void logIn(location.hash.slice(1)).then((found) => (found ? setFault(found) : navigate('/', { replace: true })))
  }, [navigate])

  if (!fault) return <Loading label={t`Opening Earmark …`} />
  if (fault === 'unreachable')
    return (
      <Notice
        alert
        title={t`Earmark does not answer`}
        text={t`Start it, then open the login link again.`}
        command={startCommand()}
      />
    )
  return (
    <Notice
      alert
      {...(fault === 'noToken'
        ? { title: t`This is not a login link`, text: t`Its address has no login token in it.` }
        : { title: t`This link no longer works`, text: t`A login link opens once, within ten minutes.` })}
      lead={
        packaged ? t`Open Earmark’s window instead.` : t`For a new link, open a terminal in Earmark’s folder and run:`
      }
      command={loginCommand()}
    />
  )
}

/** Says why the dashboard can't be opened; nothing where it can. Whoever is logged in already needs no link. */
async function logIn(token: string): Promise<LoginFault | undefined> {
  history.replaceState(null, '', '/login') // the token stays out of the history
  const response =
    token === '' ? undefined : await api.session.$post({ json: { token } }).catch(() => 'unreachable' as const)
  if (response === 'unreachable') return response
  if (response?.ok) {
    keepSession((await response.json()).session)
    announceLogin()
  } else {
    const status = await api.status.$get().catch(() => undefined)
    if (!status) return 'unreachable'
    if (!status.ok) return token === '' ? 'noToken' : 'used'
  }
  return undefined
}

/** Returns what logs out, once the owner agreed. */
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
    if (await confirm({ title: t`Log out?`, text: <WayBack />, action: t`Log out` })) mutate()
  }
}

function howToLogIn(): string {
  return packaged
    ? t`A session ends after 30 days without use, and 90 days after you logged in. To log in again, open Earmark’s window.`
    : t`A session ends after 30 days without use, and 90 days after you logged in. To log in again, open a terminal in Earmark’s folder, run this, and open the link it prints:`
}

/** How to log in again, said before it is needed. */
function WayBack() {
  const command = loginCommand()
  return (
    <Stack gap="xs">
      <span>{howToLogIn()}</span>
      {command && <Code block>{command}</Code>}
    </Stack>
  )
}

/** How to log in again. Goes on by itself once another tab has logged in. */
export function LoggedOut() {
  useEffect(() => onLogin(() => location.reload()), [])
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

/** A page that says why the dashboard cannot be used now, and which command to run. */
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
