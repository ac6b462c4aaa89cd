import { ActionIcon, Code, Group, Stack, Text, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { confirm } from '../../shared/confirm.tsx'
import { forgetSession } from '../../shared/kept-session.ts'
import { useConnected } from '../../shared/live.ts'
import { notifyError } from '../../shared/notify.tsx'
import { loginCommand } from '../../shared/own-folder.ts'
import { ask, endsSession } from '../../shared/request.ts'
import { endSession } from '../../shared/session.ts'
import type { Status } from '../../shared/status.ts'
import { common } from '../../strings/common.ts'
import { session } from '../../strings/session.ts'
import { shell } from '../../strings/shell.ts'
import { IconLogout } from '../../ui/icons/icons.ts'
import { LiveDot } from '../../ui/live-dot.tsx'
import classes from './rail.module.css'

/** Where the service is reached, and the way out. */
export function RailFoot({ status }: { status: Status }) {
  const connected = useConnected()
  const logOut = useMutation({
    mutationFn: () => ask(api.session.$delete()),
    meta: { quiet: true },
    onSuccess() {
      forgetSession()
      endSession()
    },
    onError: (error) => endsSession(error) || notifyError(new Error(shell.logOutFailed))
  })
  async function askAndLogOut() {
    if (await confirm({ title: shell.logOutTitle, text: <WayBack />, action: shell.logOut })) logOut.mutate()
  }
  return (
    <Group className={classes.address ?? ''} justify="space-between" wrap="nowrap" gap="xs">
      <LiveDot live={connected} label={connected ? common.connected : common.notConnected} />
      <Text size="xs" c="dimmed" truncate flex={1}>
        {new URL(status.url).host}
      </Text>
      <Tooltip label={shell.logOut}>
        <ActionIcon variant="subtle" color="gray" aria-label={shell.logOut} onClick={askAndLogOut}>
          <IconLogout size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

/** How to log in again, said before it is needed. */
function WayBack() {
  const command = loginCommand()
  return (
    <Stack gap="xs">
      <span>{session.loggedOutText}</span>
      {command && <Code block>{command}</Code>}
    </Stack>
  )
}
