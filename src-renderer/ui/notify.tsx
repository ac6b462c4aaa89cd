import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { errorText } from '../lib/problem-text.ts'

/** How long a change can be taken back from its notification, in milliseconds. */
const UNDO_MS = 10_000

/** The last message of success; the next one takes its place. */
let last: string | undefined

function say(message: ReactNode, autoClose: number): string {
  if (last !== undefined) notifications.hide(last)
  last = notifications.show({ message, autoClose })
  return last
}

/** Says something that needs no answer. */
export function notify(message: string): void {
  say(message, 5000)
}

/** Says what went wrong, once at a time. */
export function notifyError(error: unknown): void {
  const message = errorText(error)
  const id = `failed ${message}`
  notifications.hide(id)
  notifications.show({ id, message, color: 'red', autoClose: 10_000, role: 'alert' })
}

/** A button of a notice. */
export interface NoticeAction {
  label: string
  run(): void
}

/** Says something with buttons. Gives what the notification is closed by. */
export function notifyWithActions(message: string, actions: NoticeAction[]): string {
  const id = say(
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" lineClamp={2}>
        {message}
      </Text>
      <Group gap={4} wrap="nowrap" flex="none">
        {actions.map(({ label, run }) => (
          <Button
            key={label}
            size="compact-sm"
            variant="light"
            onClick={() => {
              notifications.hide(id)
              run()
            }}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Group>,
    UNDO_MS
  )
  return id
}
