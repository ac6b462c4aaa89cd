import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, AppShell, Burger, Code, Group, Text } from '@mantine/core'
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useServiceGone } from '../../api/events.ts'
import type { Status } from '../../api/queries.ts'
import { useShortcut } from '../../lib/keyboard.ts'
import { packaged, startCommand } from '../../lib/own-folder.ts'
import { Edge, useWidth } from '../../ui/edge.tsx'
import { Mark } from '../../ui/icons/icon.tsx'
import { Rail } from './rail.tsx'
import classes from './shell.module.css'

/** Widths of the rail, in pixels. A narrower one would cut usual names, a wider one would take too much of the page. */
const RAIL = { usual: 232, min: 180, max: 420 }

/**
 * The frame around the pages: a rail at the side, which is hidden behind a button if the window is narrow or the owner
 * has hidden it.
 */
export function Shell({ status, children }: { status: Status; children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure()
  const rail = useWidth('earmark-rail-width', RAIL)
  const [hidden, setHidden] = useLocalStorage({
    key: 'earmark-rail-hidden',
    defaultValue: false,
    getInitialValueInEffect: false
  })
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const toggleRail = () => (narrow ? toggle() : setHidden(!hidden))
  useShortcut('sidebar', toggleRail)
  const [path] = useLocation()
  const search = useSearch()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the rail closes when the address changes
  useEffect(close, [path, search])

  return (
    <AppShell
      header={{ height: { base: 52, sm: hidden ? 52 : 0 } }}
      navbar={{ width: rail.width, breakpoint: 'sm', collapsed: { mobile: !opened, desktop: hidden } }}
      transitionDuration={150}
    >
      <a className={classes.skip} href="#content">
        {t`Skip to content`}
      </a>
      <AppShell.Header {...(hidden ? {} : { hiddenFrom: 'sm' })}>
        <Group h="100%" px="md" gap="sm">
          <Burger
            opened={narrow && opened}
            onClick={toggleRail}
            size="sm"
            aria-label={t`Menu`}
            aria-expanded={narrow && opened}
          />
          <Mark size={22} />
          <Text fw={650}>Earmark</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        bg="var(--earmark-ground)"
        style={{ borderColor: 'var(--earmark-line)' }}
        aria-label={t`Main`}
        inert={narrow ? !opened : hidden}
      >
        <Rail status={status} onHide={toggleRail} />
        {!narrow && <Edge label={t`Width of the sidebar`} side="end" {...rail} />}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <Gone />
        {status.lostLog && (
          <Alert color="yellow" title={t`The last changes may be missing`} role="alert" m="md" withCloseButton={false}>
            <Trans>
              Earmark was not closed properly last time, and the log of the library, library.sqlite-wal, is missing or
              empty. If you have that file, stop Earmark and put it back.
            </Trans>
          </Alert>
        )}
        {status.damaged && (
          <Alert color="red" title={t`The library file is damaged`} role="alert" m="md">
            <Trans>
              Some bookmarks may be missing, or search may not find them. Export what you see, then restore a backup in
              Settings, Import & backup. The damaged library is kept.
            </Trans>
          </Alert>
        )}
        {children}
      </AppShell.Main>
    </AppShell>
  )
}

/** Shows that the service does not answer, and what to do, until it answers again. */
function Gone() {
  const command = startCommand()
  if (!useServiceGone()) return null
  return (
    <Alert color="red" title={t`Earmark does not answer`} role="alert" m="md" withCloseButton={false}>
      {packaged ? (
        <Trans>
          You see what was loaded last. You can search, save and change things when it runs again. What you typed is
          kept. Open Earmark to continue.
        </Trans>
      ) : (
        <Trans>
          You see what was loaded last. You can search, save and change things when it runs again. What you typed is
          kept. To start it, run in its folder:
        </Trans>
      )}
      {command && (
        <Code block mt="xs">
          {command}
        </Code>
      )}
    </Alert>
  )
}
