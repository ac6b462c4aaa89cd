import { Box, Group, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useServiceGone } from '../api/events.ts'

interface PageProps {
  title: string
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of texts and forms: its title, its buttons, and its content in a width that is easy to read. */
export function Page({ title, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Earmark`)
  return (
    <Box maw="56rem" mx="auto" px="1.75rem" pt="1.5rem" pb="6rem">
      <Group justify="space-between" mb="lg" mih={36}>
        <Title order={1} size="h3">
          {title}
        </Title>
        <WhileServed>{actions}</WhileServed>
      </Group>
      <WhileServed>{children}</WhileServed>
    </Box>
  )
}

/** Disables fields and buttons while the service does not answer. The shell shows why. */
export function WhileServed({ children }: { children: ReactNode }) {
  return (
    <fieldset className="while-served" disabled={useServiceGone()}>
      {children}
    </fieldset>
  )
}
