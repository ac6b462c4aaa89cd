import { Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  id: string
  title: string
  children: ReactNode
}

/** A group of settings under a title. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <Paper withBorder p="lg" component="section" id={id} aria-labelledby={`${id}-title`}>
      <Stack>
        <Title order={2} size="h5" id={`${id}-title`}>
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}
