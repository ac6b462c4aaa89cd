import { t } from '@lingui/core/macro'
import { Alert, Button, Center, Loader, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface NotLoadedProps {
  query: { data: unknown; isPending: boolean; isError: boolean; refetch(): unknown }
  /** The title of the message when loading failed. */
  failed: string
  /** The height in pixels of the placeholder shown while it loads. Without it there is none. */
  height?: number
  /** Whether it is being loaded again. */
  busy?: boolean
  /** The failure also shows above data that was loaded earlier. */
  aboveData?: boolean
}

/** Shown in place of a query's data while there is none: a placeholder, or the failure with a button to try again. */
export function NotLoaded({ query, failed, height, busy = false, aboveData = false }: NotLoadedProps) {
  if (query.isPending && height !== undefined) {
    return <Skeleton h={height} aria-busy="true" role="group" aria-label={t`Loading …`} />
  }
  if (!query.isError || (query.data && !aboveData)) return null
  return (
    <Alert color="red" title={failed} role="alert">
      <Button variant="default" size="xs" onClick={() => query.refetch()} loading={busy}>
        {t`Try again`}
      </Button>
    </Alert>
  )
}

/** Shown while a page, or a part of this height, is loaded. */
export function Loading({ label = t`Loading …`, height = '60vh' }: { label?: string; height?: number | string }) {
  return (
    <Center mih={height} aria-busy="true">
      <Loader size="sm" type="dots" aria-label={label} role="img" />
    </Center>
  )
}

interface NothingProps {
  icon: ReactNode
  title: string
  text?: string | undefined
  action?: { label: string; run(): void } | undefined
}

/** Shown in place of an empty list: why it is empty, and what to do. */
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
