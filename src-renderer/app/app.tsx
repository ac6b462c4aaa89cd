import { t } from '@lingui/core/macro'
import { I18nProvider } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { DirectionProvider, MantineProvider, Text, useMantineColorScheme } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { ApiProblem } from '../api/client.ts'
import { loggedOutOptions, onLogin, queryClient } from '../api/events.ts'
import { listOptions, settingsOptions, statusOptions } from '../api/queries.ts'
import { queryOf, viewOf } from '../features/bookmarks/search/view.ts'
import { Login } from '../features/login/login.tsx'
import { i18n } from '../lib/locale.ts'
import { withoutOpened } from '../lib/opened.ts'
import { loginCommand, packaged, rememberOwnFolder, startCommand } from '../lib/own-folder.ts'
import { Notice } from '../ui/notice.tsx'
import { Loading } from '../ui/placeholders.tsx'
import { howToLogIn } from './log-out.tsx'
import { Overlays } from './overlays.tsx'
import { Routes } from './routes.tsx'
import { Shell } from './shell/shell.tsx'
import { cssVariables, theme } from './theme.ts'

/** The width of the rail while it is shown. */
const RAIL = 'var(--app-shell-navbar-offset, 0px)'

/** Everything: what all pages share, and the one the address names. */
export function App() {
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <I18nProvider i18n={i18n}>
          <QueryClientProvider client={queryClient}>
            <ModalsProvider>
              <Switch>
                <Route path="/login" component={Login} />
                <Route component={Dashboard} />
              </Switch>
            </ModalsProvider>
            {/* Above the page, below the rail and dialogs: what one chooses there is never under a toast. */}
            <Notifications
              position="bottom-center"
              zIndex={99}
              pauseResetOnHover="notification"
              style={{ left: `calc((100% + ${RAIL}) / 2)`, width: `calc(100% - ${RAIL} - 2rem)` }}
            />
          </QueryClientProvider>
        </I18nProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

/** The pages, for whoever is logged in and as long as the service answers. */
function Dashboard() {
  const ended = useQuery(loggedOutOptions).data
  const status = useQuery(statusOptions)
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
    return <Notice alert title={t`Earmark could not be opened`} text={status.error.message} onRetry={onRetry} />
  return (
    <Notice
      alert
      title={t`Earmark does not answer`}
      text={
        packaged ? t`Is it still running? Open it, then try again.` : t`Is it still running? Start it, then try again:`
      }
      command={startCommand()}
      onRetry={onRetry}
    />
  )
}

/** How to log in again. Goes on by itself once another tab has logged in. */
function LoggedOut() {
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

/** Shows the theme in settings. The browser keeps a copy of it, for the moment before the settings are read. */
function useSavedTheme(loggedIn: boolean): void {
  const { setColorScheme } = useMantineColorScheme()
  const theme = useQuery({ ...settingsOptions, enabled: loggedIn }).data?.theme

  useEffect(() => {
    if (theme) setColorScheme(theme === 'system' ? 'auto' : theme)
  }, [theme, setColorScheme])
}

/** Asks for what the address shows while the page is still being built. Who shows it tells what went wrong. */
export function askEarly({ pathname, search }: Location): void {
  if (pathname === '/login') return
  void queryClient.prefetchQuery(statusOptions)
  const view = viewOf(pathname, withoutOpened(search))
  if (view) void queryClient.prefetchQuery(listOptions(queryOf(view, false), 1))
}
