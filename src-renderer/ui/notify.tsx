import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { errorText } from '../lib/problem-text.ts'

/** How long a notice is shown with buttons, such as Undo, and without, in ms. */
const WITH_BUTTONS_MS = 10_000
const WITHOUT_BUTTONS_MS = 5000

/** The id of the last notice, which the next one replaces. */
let lastId: string | undefined

/** A button of a notice. */
export interface NoticeAction {
  label: string
  run(): void
}

/** Shows a notice in place of the last one. @returns the id by which it is closed */
export function notify(message: string, actions: NoticeAction[] = []): string {
  if (lastId !== undefined) notifications.hide(lastId)
  const id = notifications.show({
    message:
      actions.length === 0 ? (
        message
      ) : (
        <WithActions message={message} actions={actions} onChoose={() => notifications.hide(id)} />
      ),
    autoClose: actions.length === 0 ? WITHOUT_BUTTONS_MS : WITH_BUTTONS_MS
  })
  lastId = id
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

/** Shows an error. The same message is shown once at a time. */
export function notifyError(error: unknown): void {
  const message = errorText(error)
  const id = `failed ${message}`
  notifications.hide(id)
  notifications.show({ id, message, color: 'red', autoClose: 10_000, role: 'alert' })
}
