import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { errorText } from '../lib/problem-text.ts'

/** How long a change can be taken back from its notification, in milliseconds. */
const UNDO_MS = 10_000

/** How long a notice without buttons is shown, in milliseconds. */
const READ_MS = 5000

/** The last message of success; the next one takes its place. */
let last: string | undefined

/** A button of a notice. */
export interface NoticeAction {
  label: string
  run(): void
}

/** Says what was done, in place of the last such notice. @returns the id by which the notice is closed */
export function notify(message: string, actions: NoticeAction[] = []): string {
  if (last !== undefined) notifications.hide(last)
  const id = notifications.show({
    message:
      actions.length === 0 ? (
        message
      ) : (
        <WithActions message={message} actions={actions} onChoose={() => notifications.hide(id)} />
      ),
    autoClose: actions.length === 0 ? READ_MS : UNDO_MS
  })
  last = id
  return id
}

interface WithActionsProps {
  message: string
  actions: NoticeAction[]
  onChoose(): void
}

function WithActions({ message, actions, onChoose }: WithActionsProps) {
  return (
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
              onChoose()
              run()
            }}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Group>
  )
}

/** Says what went wrong, once at a time. */
export function notifyError(error: unknown): void {
  const message = errorText(error)
  const id = `failed ${message}`
  notifications.hide(id)
  notifications.show({ id, message, color: 'red', autoClose: 10_000, role: 'alert' })
}
