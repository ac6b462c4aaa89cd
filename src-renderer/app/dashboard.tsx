import { Text, useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { Notice } from '../shared/notice.tsx'
import { loginCommand, rememberOwnFolder, startCommand } from '../shared/own-folder.ts'
import { ApiProblem } from '../shared/request.ts'
import { onLogin, useSessionEnded } from '../shared/session.ts'
import { useSettings } from '../shared/settings-data.ts'
import { useStatus } from '../shared/status.ts'
import { session } from '../strings/session.ts'
import { Loading } from '../ui/loading.tsx'
import { Overlays } from './overlays.tsx'
import { Routes } from './routes.tsx'
import { Shell } from './shell/shell.tsx'

/** The pages, for whoever is logged in and as long as the service answers. */
export function Dashboard() {
  const ended = useSessionEnded()
  const status = useStatus()
  useSavedTheme(status.data !== undefined)
  const ownFolder = status.data?.ownFolder
  useEffect(() => {
    if (ownFolder !== undefined) rememberOwnFolder(ownFolder)
  }, [ownFolder])

  if (ended) return <LoggedOut />
  if (status.data) {
    return (
      <Shell status={status.data}>
        <Routes />
        <Overlays />
      </Shell>
    )
  }
  if (status.isPending) return <Loading />
  const onRetry = () => status.refetch()
  if (status.error instanceof ApiProblem)
    return <Notice alert title={session.failed} text={status.error.message} onRetry={onRetry} />
  return (
    <Notice alert title={session.noAnswer} text={session.noAnswerText} command={startCommand()} onRetry={onRetry} />
  )
}

/** How to log in again. Goes on by itself once another tab has logged in. */
function LoggedOut() {
  useEffect(() => onLogin(() => location.reload()), [])
  const elsewhere = !location.hostname.endsWith('.localhost')
  return (
    <Notice title={session.loggedOut} text={session.loggedOutText} command={loginCommand()}>
      {elsewhere && <Text c="dimmed">{session.elsewhere}</Text>}
    </Notice>
  )
}

/** Shows the theme in settings. The browser keeps a copy of it, for the moment before the settings are read. */
function useSavedTheme(loggedIn: boolean): void {
  const { setColorScheme } = useMantineColorScheme()
  const theme = useSettings(loggedIn).data?.theme

  useEffect(() => {
    if (theme) setColorScheme(theme === 'system' ? 'auto' : theme)
  }, [theme, setColorScheme])
}
