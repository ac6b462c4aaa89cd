import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './settings.module.css'

interface SectionProps {
  id: string
  title: string
  children: ReactNode
}

/** A group of settings under a title. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <Paper withBorder p="lg" component="section" id={id} aria-labelledby={`${id}-title`}>
      <Stack className={classes.section ?? ''}>
        <Title order={2} size="h5" id={`${id}-title`}>
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

/** A list in a section. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}

interface RowProps {
  title: ReactNode
  text?: ReactNode
  /** Buttons or other content at the end. */
  children?: ReactNode
}

export function Row({ title, text, children }: RowProps) {
  return (
    <li>
      <div>
        <Text size="sm">{title}</Text>
        {text && (
          <Text size="xs" c="dimmed">
            {text}
          </Text>
        )}
      </div>
      {children}
    </li>
  )
}
