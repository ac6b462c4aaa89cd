import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { useConnected } from '../../shared/live.ts'
import type { Status } from '../../shared/status.ts'
import { common } from '../../strings/common.ts'
import { shell } from '../../strings/shell.ts'
import { IconLogout } from '../../ui/icons/icons.ts'
import { LiveDot } from '../../ui/live-dot.tsx'
import { useLogOut } from '../log-out.tsx'
import classes from './rail.module.css'

/** Where the service is reached, and the way out. */
export function RailFoot({ status }: { status: Status }) {
  const connected = useConnected()
  const logOut = useLogOut()
  return (
    <Group className={classes.address ?? ''} justify="space-between" wrap="nowrap" gap="xs">
      <LiveDot live={connected} label={connected ? common.connected : common.notConnected} />
      <Text size="xs" c="dimmed" truncate flex={1}>
        {new URL(status.url).host}
      </Text>
      <Tooltip label={shell.logOut}>
        <ActionIcon variant="subtle" color="gray" aria-label={shell.logOut} onClick={logOut}>
          <IconLogout size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
