import { Alert, AppShell, Burger, Code, Group, Text } from '@mantine/core'
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useServiceGone } from '../../api/events.ts'
import type { Status } from '../../api/queries.ts'
import { startCommand } from '../../lib/own-folder.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { common } from '../../strings/common.ts'
import { session } from '../../strings/session.ts'
import { shell } from '../../strings/shell.ts'
import { Edge, useWidth } from '../../ui/edge.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Rail } from './rail.tsx'
import classes from './shell.module.css'

/** The rail, from where its longest name is cut short to where it takes too much of the page. */
const RAIL = { usual: 232, min: 180, max: 420 }

/**
 * The frame around the pages: a rail at the left, which hides behind a button where the window is narrow, or where its
 * owner has hidden it.
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
  const turn = () => (narrow ? toggle() : setHidden(!hidden))
  useShortcut('Mod+b', turn)
  const [path] = useLocation()
  const search = useSearch()

  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another page is what closes the rail
  useEffect(close, [path, search])

  return (
    <AppShell
      header={{ height: { base: 52, sm: hidden ? 52 : 0 } }}
      navbar={{ width: rail.width, breakpoint: 'sm', collapsed: { mobile: !opened, desktop: hidden } }}
      transitionDuration={150}
    >
      <a className={classes.skip} href="#content">
        {shell.skip}
      </a>
      <AppShell.Header {...(hidden ? {} : { hiddenFrom: 'sm' })}>
        <Group h="100%" px="md" gap="sm">
          <Burger
            opened={narrow && opened}
            onClick={turn}
            size="sm"
            aria-label={shell.menu}
            aria-expanded={narrow && opened}
          />
          <Mark size={22} />
          <Text fw={650}>{common.name}</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.rail ?? ''} aria-label={shell.navigation} inert={narrow ? !opened : hidden}>
        <Rail status={status} onHide={turn} />
        {!narrow && <Edge label={shell.railWidth} side="end" {...rail} />}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main ?? ''}>
        <Gone />
        {status.lostLog && (
          <Alert color="yellow" title={shell.lostLog} role="alert" m="md" withCloseButton={false}>
            {shell.lostLogText}
          </Alert>
        )}
        {status.damaged && (
          <Alert color="red" title={shell.damaged} role="alert" m="md">
            {shell.damagedText}
          </Alert>
        )}
        {children}
      </AppShell.Main>
    </AppShell>
  )
}

/** Says at once that the service is gone, and what to do; it goes by itself once it is back. */
function Gone() {
  const command = startCommand()
  if (!useServiceGone()) return null
  return (
    <Alert color="red" title={session.noAnswer} role="alert" m="md" withCloseButton={false}>
      {session.goneText}
      {command && (
        <Code block mt="xs">
          {command}
        </Code>
      )}
    </Alert>
  )
}
