import { Badge, Button, Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ApiKey } from '../../api/service-queries.ts'
import { agentName } from '../../lib/agents.ts'
import { longDate } from '../../lib/dates.ts'
import { common } from '../../strings/common.ts'
import { keys } from '../../strings/keys.ts'
import { Ago } from '../../ui/ago.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { IconActivity, IconCopy, IconPlugConnected, IconRefresh, IconTrash } from '../../ui/icons/icons.ts'

const strings = keys.list

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
      aria-label={strings.of(label, name)}
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
              {strings.readOnly}
            </Badge>
          )}
          {!living && (
            <Badge variant="light" color="red">
              {state === 'revoked' ? strings.revoked : strings.expired}
            </Badge>
          )}
        </Group>
      </Group>
      <Facts width="7rem">
        <Fact term={strings.prefix}>
          <code>{prefix}…</code>
        </Fact>
        <Fact term={strings.rights}>{strings.may(readOnly, organization?.name)}</Fact>
        {apiKey.tags.length > 0 && <Fact term={strings.gives}>{apiKey.tags.map((tag) => `#${tag}`).join(' ')}</Fact>}
        <Fact term={strings.created}>{longDate(apiKey.createdAt)}</Fact>
        <Ending apiKey={apiKey} />
        <Fact term={strings.lastUsed}>
          {apiKey.lastUsedAt ? <Ago iso={apiKey.lastUsedAt} /> : strings.neverUsed}
          {apiKey.lastClient && ` ${strings.by(agentName(apiKey.lastClient))}`}
        </Fact>
        <Fact term={strings.today}>{common.number(callsToday)}</Fact>
      </Facts>
      <Group gap={4} mt="sm" ms={-8}>
        {action('calls', <IconActivity size={15} />, strings.calls)}
        {living && action('connect', <IconPlugConnected size={15} />, strings.connect)}
        {living && keychain === 'stored' && action('copy', <IconCopy size={15} />, strings.copy)}
        {living && keychain === 'file' && action('copy', <IconCopy size={15} />, strings.copyFile)}
        {living && action('rotate', <IconRefresh size={15} />, strings.rotate)}
        {state !== 'revoked' && action('revoke', <IconTrash size={15} />, strings.revoke)}
      </Group>
    </Paper>
  )
}

function Ending({ apiKey: { state, revokedAt, expiresAt } }: { apiKey: ApiKey }) {
  if (revokedAt) return <Fact term={strings.revoked}>{longDate(revokedAt)}</Fact>
  const term = state === 'expired' ? strings.expired : strings.expires
  return <Fact term={term}>{expiresAt ? longDate(expiresAt) : strings.never}</Fact>
}
