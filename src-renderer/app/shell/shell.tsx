import { Alert, AppShell, Burger, Code, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useServiceGone } from '../../shared/live.ts'
import { startCommand } from '../../shared/own-folder.ts'
import type { Status } from '../../shared/status.ts'
import { common } from '../../strings/common.ts'
import { session } from '../../strings/session.ts'
import { shell } from '../../strings/shell.ts'
import { Mark } from '../../ui/mark.tsx'
import { Rail } from './rail.tsx'
import classes from './shell.module.css'

/** The frame around the pages: a rail at the left, which hides behind a button where the window is narrow. */
export function Shell({ status, children }: { status: Status; children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure()
  const [path] = useLocation()
  const search = useSearch()

  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another page is what closes the rail
  useEffect(close, [path, search])

  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      transitionDuration={150}
    >
      <a className={classes.skip} href="#content">
        {shell.skip}
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" gap="sm">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label={shell.menu} aria-expanded={opened} />
          <Mark size={22} />
          <Text fw={650}>{common.name}</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.rail ?? ''} aria-label={shell.navigation}>
        <Rail status={status} />
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
