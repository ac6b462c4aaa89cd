/** Connecting other programs of this computer, for the pages that offer it. */
import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { api, ask } from '../api/client.ts'
import { type ApiKey, keysOptions } from '../api/service-queries.ts'

interface ConnectButtonProps {
  /** The editor or the browser. */
  name: string
  connected: boolean
  /** The change that connects it, or with `false` disconnects it. */
  change: { isPending: boolean; mutate(connects: boolean): void }
  ref?: Ref<HTMLButtonElement>
}

/** Connects another program of this computer with Earmark, and disconnects it. */
export function ConnectButton({ name, connected, change, ref }: ConnectButtonProps) {
  return (
    <Button
      ref={ref}
      size="xs"
      flex="none"
      variant={connected ? 'default' : 'light'}
      aria-label={connected ? t`Disconnect ${name}` : t`Connect ${name}`}
      loading={change.isPending}
      onClick={() => change.mutate(!connected)}
    >
      {connected ? t`Disconnect` : t`Connect`}
    </Button>
  )
}

interface RemainingKeyProps {
  matches(key: ApiKey): boolean
  onRevoked(key: ApiKey): void
}

/** Offers to revoke the key of an editor that was disconnected. */
export function RemainingKey({ matches, onRevoked }: RemainingKeyProps) {
  const key = useQuery(keysOptions).data?.find((key) => key.state === 'active' && matches(key))
  const revoking = useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.keys[':id'].$delete({ param: { id } })),
    meta: { changes: ['keys'] }
  })
  if (!key) return null
  return (
    <Group gap="xs">
      <Text size="sm" fw={400}>
        {t`The key “${key.name}” still works. Revoke it if nothing else uses it.`}
      </Text>
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        loading={revoking.isPending}
        onClick={() => revoking.mutate(key, { onSuccess: () => onRevoked(key) })}
      >
        {t`Revoke the key`}
      </Button>
    </Group>
  )
}
