import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { useConnected } from '../../shared/live.ts'
import { failed } from '../../shared/notify.tsx'
import { ask, endsSession } from '../../shared/request.ts'
import { endSession } from '../../shared/session.ts'
import type { Status } from '../../shared/status.ts'
import { forgetTabToken } from '../../shared/tab-token.ts'
import { common } from '../../strings/common.ts'
import { shell } from '../../strings/shell.ts'
import { LiveDot } from '../../ui/live-dot.tsx'
import classes from './rail.module.css'

/** Where the service is reached, and the way out. */
export function RailFoot({ status }: { status: Status }) {
  const connected = useConnected()
  const logOut = useMutation({
    mutationFn: () => ask(api.session.$delete()),
    meta: { quiet: true },
    onSuccess() {
      forgetTabToken()
      endSession()
    },
    onError: (error) => endsSession(error) || failed(new Error(shell.logOutFailed))
  })
  return (
    <Group className={classes.address ?? ''} justify="space-between" wrap="nowrap" gap="xs">
      <LiveDot live={connected} label={connected ? common.connected : common.notConnected} />
      <Text size="xs" c="dimmed" truncate flex={1}>
        {new URL(status.url).host}
      </Text>
      <Tooltip label={shell.logOut}>
        <ActionIcon variant="subtle" color="gray" aria-label={shell.logOut} onClick={() => logOut.mutate()}>
          <IconLogout size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
