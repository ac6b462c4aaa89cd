import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface NothingProps {
  icon: ReactNode
  title: string
  text?: string | undefined
  action?: { label: string; run(): void } | undefined
}

/** An empty list: why it is, and what to do about it. */
export function Nothing({ icon, title, text, action }: NothingProps) {
  return (
    <Stack align="center" justify="center" gap="xs" flex={1} mih={240} p="xl" ta="center">
      <Text c="dimmed" component="span" aria-hidden>
        {icon}
      </Text>
      <Text fw={600} size="lg">
        {title}
      </Text>
      {text && (
        <Text c="dimmed" size="sm" maw={420}>
          {text}
        </Text>
      )}
      {action && (
        <Button variant="light" mt="xs" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </Stack>
  )
}
