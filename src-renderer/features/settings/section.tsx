import { Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A group of settings under a title. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Stack>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}
