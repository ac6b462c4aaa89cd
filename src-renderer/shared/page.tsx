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

/** A page of text and forms: its title, what can be done, its content in a comfortable width. */
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

/** Fields and buttons that can do nothing while the service does not answer. The shell says why. */
export function WhileServed({ children }: { children: ReactNode }) {
  return (
    <fieldset className="while-served" disabled={useServiceGone()}>
      {children}
    </fieldset>
  )
}
