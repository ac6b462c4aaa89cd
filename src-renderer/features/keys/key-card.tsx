import { t } from '@lingui/core/macro'
import { Badge, Button, Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ApiKey } from '../../api/service-queries.ts'
import { agentName } from '../../lib/agents.ts'
import { longDate } from '../../lib/dates.ts'
import { number } from '../../lib/locale.ts'
import { Ago, Fact, Facts } from '../../ui/facts.tsx'
import { IconActivity, IconCopy, IconPlugConnected, IconRefresh, IconTrash } from '../../ui/icons/icons.ts'

export type KeyAction = 'calls' | 'connect' | 'copy' | 'rotate' | 'revoke'

/** A key: what it is, what it may, what it did, and what can be done with it. */
export function KeyCard({ apiKey, onAction }: { apiKey: ApiKey; onAction: (action: KeyAction) => void }) {
  const { name, prefix, organization, readOnly, state, keychain, callsToday } = apiKey
  const living = state === 'active'
  const action = (kind: KeyAction, icon: ReactNode, label: string) => (
    <Button
      size="compact-sm"
      variant="subtle"
      color={kind === 'revoke' ? 'red' : 'gray'}
      leftSection={icon}
      aria-label={`${label}: ${name}`}
      onClick={() => onAction(kind)}
    >
      {label}
    </Button>
  )
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Text fw={600} component="h3" m={0} fz="md">
          {name}
        </Text>
        <Group gap={6}>
          {organization && <Badge variant="light">{organization.name}</Badge>}
          {readOnly && (
            <Badge variant="light" color="gray">
              {t`Read-only`}
            </Badge>
          )}
          {!living && (
            <Badge variant="light" color="red">
              {state === 'revoked' ? t`Revoked` : t`Expired`}
            </Badge>
          )}
        </Group>
      </Group>
      <Facts width="7rem">
        <Fact term={t`Key`}>
          <code>{prefix}…</code>
        </Fact>
        <Fact term={t`Rights`}>{rightsOf(apiKey)}</Fact>
        {apiKey.tags.length > 0 && (
          <Fact term={t`Tags what it saves`}>{apiKey.tags.map((tag) => `#${tag}`).join(' ')}</Fact>
        )}
        <Fact term={t`Created`}>{longDate(apiKey.createdAt)}</Fact>
        <Ending apiKey={apiKey} />
        <Fact term={t`Last used`}>
          {apiKey.lastUsedAt ? <Ago iso={apiKey.lastUsedAt} /> : t`Never`}
          {apiKey.lastClient && ` ${t`by ${agentName(apiKey.lastClient)}`}`}
        </Fact>
        <Fact term={t`Calls today`}>{number(callsToday)}</Fact>
      </Facts>
      <Group gap={4} mt="sm" ms={-8}>
        {action('calls', <IconActivity size={15} />, t`Calls`)}
        {living && action('connect', <IconPlugConnected size={15} />, t`Connect`)}
        {living && keychain === 'stored' && action('copy', <IconCopy size={15} />, t`Copy from keychain`)}
        {living && keychain === 'file' && action('copy', <IconCopy size={15} />, t`Copy from file`)}
        {living && action('rotate', <IconRefresh size={15} />, t`Rotate`)}
        {state !== 'revoked' && action('revoke', <IconTrash size={15} />, t`Revoke`)}
      </Group>
    </Paper>
  )
}

function rightsOf({ readOnly, organization }: ApiKey): string {
  if (organization) return readOnly ? t`Read in ${organization.name}` : t`Read and save in ${organization.name}`
  return readOnly ? t`Read` : t`Read and save`
}

function Ending({ apiKey: { state, revokedAt, expiresAt } }: { apiKey: ApiKey }) {
  if (revokedAt) return <Fact term={t`Revoked`}>{longDate(revokedAt)}</Fact>
  const term = state === 'expired' ? t`Expired` : t`Expires`
  return <Fact term={term}>{expiresAt ? longDate(expiresAt) : t`Never`}</Fact>
}
