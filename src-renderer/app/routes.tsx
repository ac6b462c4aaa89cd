import { t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { Component, type ReactNode, Suspense, useEffect } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Home } from '../features/bookmarks/home.tsx'
import { whenIdle } from '../lib/waiting.ts'
import { Page } from '../shared/page.tsx'
import { IconSearchOff } from '../ui/icons/icons.ts'
import { late } from '../ui/late.tsx'
import { Loading, Nothing } from '../ui/placeholders.tsx'

// The bookmarks are what most come for; they come with the first file.
const Trash = late(() => import('../features/bookmarks/trash.tsx').then((file) => file.Trash))
const Tags = late(() => import('../features/tags/tags.tsx').then((file) => file.Tags))
const Duplicates = late(() => import('../features/duplicates/duplicates.tsx').then((file) => file.Duplicates))
const Organizations = late(() =>
  import('../features/organizations/organizations.tsx').then((file) => file.Organizations)
)
const Keys = late(() => import('../features/keys/keys.tsx').then((file) => file.Keys))
const Settings = late(() => import('../features/settings/settings.tsx').then((file) => file.Settings))

/** The page an address names. The service must know the same addresses: `VIEWS` in server/dashboard-files.ts. */
export function Routes() {
  const [path] = useLocation()
  useEffect(() => whenIdle(...[Settings, Tags, Trash, Keys, Organizations, Duplicates].map(({ load }) => load)), [])
  return (
    <PageFault key={pageOf(path)}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/">
            <Home />
          </Route>
          <Route path="/links">
            <Home type="link" />
          </Route>
          <Route path="/images">
            <Home type="image" />
          </Route>
          <Route path="/colors">
            <Home type="color" />
          </Route>
          <Route path="/texts">
            <Home type="text" />
          </Route>
          <Route path="/tags" component={Tags} />
          <Route path="/organizations" component={Organizations} />
          <Route path="/duplicates" component={Duplicates} />
          <Route path="/trash" component={Trash} />
          <Route path="/profile/api-keys" component={Keys} />
          <Route path="/settings" component={Settings} />
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </PageFault>
  )
}

/** The types are one page: going from one to another keeps it, so that nothing flickers. */
function pageOf(path: string): string {
  return ['/links', '/images', '/colors', '/texts'].includes(path) ? '/' : path
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

/** Shows that a page failed, rather than nothing at all. The rest of the window goes on. */
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
