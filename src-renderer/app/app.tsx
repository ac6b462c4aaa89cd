import { t } from '@lingui/core/macro'
import { I18nProvider } from '@lingui/react'
import { Button, DirectionProvider, MantineProvider, Text, useMantineColorScheme } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Component, type ReactNode, Suspense, useEffect } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { ApiProblem } from '../api/client.ts'
import { loggedOutOptions, queryClient } from '../api/events.ts'
import { listOptions, settingsOptions, statusOptions } from '../api/queries.ts'
import { Home } from '../features/bookmarks/home.tsx'
import { queryOf, viewOf } from '../features/bookmarks/search/view.ts'
import { i18n } from '../lib/locale.ts'
import { withoutOpened } from '../lib/opened.ts'
import { packaged, rememberOwnFolder, startCommand } from '../lib/own-folder.ts'
import { whenIdle } from '../lib/waiting.ts'
import { Page } from '../shared/page.tsx'
import { IconSearchOff } from '../ui/icons/icons.ts'
import { lazyWithPreload } from '../ui/lazy-with-preload.tsx'
import { Loading, Nothing } from '../ui/placeholders.tsx'
import { Overlays } from './overlays.tsx'
import { LoggedOut, Notice } from './session.tsx'
import { Shell } from './shell/shell.tsx'
import { cssVariables, theme } from './theme.ts'

// Loaded lazily, because only login links lead here.
const Login = lazyWithPreload(() => import('./login.tsx').then((file) => file.Login))

/** The width of the rail while it is shown. */
const RAIL = 'var(--app-shell-navbar-offset, 0px)'

/** The whole window: the page at the address, and what all pages share. */
export function App() {
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <I18nProvider i18n={i18n}>
          <QueryClientProvider client={queryClient}>
            <Switch>
              <Route path="/login">
                <Suspense>
                  <Login />
                </Suspense>
              </Route>
              <Route component={Dashboard} />
            </Switch>
            {/* Above the page, but below the rail and dialogs, so that a notice never covers their buttons. */}
            <Notifications
              position="bottom-center"
              zIndex="var(--earmark-notices, 99)"
              pauseResetOnHover="notification"
              style={{ left: `calc((100% + ${RAIL}) / 2)`, width: `calc(100% - ${RAIL} - 2rem)` }}
            />
          </QueryClientProvider>
        </I18nProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

/** The pages; or a notice if the session has ended or the service does not answer. */
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

/** Applies the theme of the settings. Mantine stores a copy in the browser, for the time before they are fetched. */
function useSavedTheme(loggedIn: boolean): void {
  const { setColorScheme } = useMantineColorScheme()
  const theme = useQuery({ ...settingsOptions, enabled: loggedIn }).data?.theme

  useEffect(() => {
    if (theme) setColorScheme(theme === 'system' ? 'auto' : theme)
  }, [theme, setColorScheme])
}

/** Starts to fetch the data of the page before it is rendered. The components that show the data report errors. */
export function prefetchPage({ pathname, search }: Location): void {
  if (pathname === '/login') return
  void queryClient.prefetchQuery(statusOptions)
  const view = viewOf(pathname, withoutOpened(search))
  if (view) void queryClient.prefetchQuery(listOptions(queryOf(view), 1))
}

// Home is in the first file, because most visits start there. Other pages are loaded lazily.
const Trash = lazyWithPreload(() => import('../features/bookmarks/trash.tsx').then((file) => file.Trash))
const Tags = lazyWithPreload(() => import('../features/tags/tags.tsx').then((file) => file.Tags))
const Duplicates = lazyWithPreload(() =>
  import('../features/duplicates/duplicates.tsx').then((file) => file.Duplicates)
)
const Highlights = lazyWithPreload(() =>
  import('../features/bookmarks/highlights/overview.tsx').then((file) => file.Highlights)
)
const Organizations = lazyWithPreload(() =>
  import('../features/organizations/organizations.tsx').then((file) => file.Organizations)
)
const Keys = lazyWithPreload(() => import('../features/keys/keys.tsx').then((file) => file.Keys))
const Settings = lazyWithPreload(() => import('../features/settings/settings.tsx').then((file) => file.Settings))

/** The page at the address. `VIEWS` in server/dashboard-files.ts must list the same addresses. */
function Routes() {
  const [path] = useLocation()
  useEffect(() => whenIdle(...[Settings, Tags, Trash, Keys, Organizations, Duplicates].map(({ load }) => load)), [])
  return (
    <PageFault key={pageKeyOf(path)}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path={HOME}>
            <Home />
          </Route>
          <Route path="/tags" component={Tags} />
          <Route path="/organizations" component={Organizations} />
          <Route path="/duplicates" component={Duplicates} />
          <Route path="/highlights" component={Highlights} />
          <Route path="/trash" component={Trash} />
          <Route path="/profile/api-keys" component={Keys} />
          <Route path="/settings" component={Settings} />
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </PageFault>
  )
}

/** Home, also at the addresses that types had before they were filters. */
const HOME = /^\/(?:links|images|colors|texts)?$/

/** Returns a key for each page. Home keeps its key at all its addresses, so that it is not mounted again. */
function pageKeyOf(path: string): string {
  return HOME.test(path) ? '/' : path
}

function NotFound() {
  const [, go] = useLocation()
  return (
    <Page title={t`Not found`}>
      <Nothing
        icon={<IconSearchOff size={34} stroke={1.3} />}
        title={t`There is nothing at this address`}
        text={t`Check the address. Your bookmarks are not affected.`}
        action={{ label: t`Show all bookmarks`, run: () => go('/') }}
      />
    </Page>
  )
}

/** Shows a message in place of a page that threw an error. The rest of the window keeps working. */
class PageFault extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <Page title={t`Something went wrong that should not have.`}>
        <Text role="alert" mb="md">
          {t`This page could not be loaded.`}
        </Text>
        <Button onClick={() => location.reload()}>{t`Try again`}</Button>
      </Page>
    )
  }
}
