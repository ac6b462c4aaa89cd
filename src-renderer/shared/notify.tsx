import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { common } from '../strings/common.ts'

/** How long a change can be taken back from its notification, in milliseconds. */
const UNDO_MS = 10_000

/** Says something that needs no answer. */
export function told(message: string): void {
  notifications.show({ message, autoClose: 5000 })
}

/** Says what went wrong. */
export function failed(error: unknown): void {
  const message = error instanceof Error && error.message ? error.message : common.unexpected
  notifications.show({ message, color: 'red', autoClose: 10_000, role: 'alert' })
}

/** Says something with a button for what may come next. Gives what the notification is closed by. */
export function withAction(message: string, action: string, run: () => void): string {
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" lineClamp={2}>
          {message}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={() => {
            notifications.hide(id)
            run()
          }}
        >
          {action}
        </Button>
      </Group>
    ),
    autoClose: UNDO_MS
  })
  return id
}
