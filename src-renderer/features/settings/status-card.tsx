import { Anchor, Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { connectedOptions } from '../../api/events.ts'
import type { Status } from '../../api/queries.ts'
import { longDate } from '../../lib/dates.ts'
import { settings as strings } from '../../strings/settings.ts'
import { Ago } from '../../ui/ago.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { Section } from './section.tsx'

/** The service's version, address and state. */
export function StatusCard({ status }: { status: Status }) {
  const connected = useQuery(connectedOptions).data
  return (
    <Section id="status" title={strings.status}>
      <Facts width="18rem">
        <Fact term={strings.address}>
          <LiveDot live={connected} label={connected ? strings.alive : strings.away} /> {status.url}
        </Fact>
        <Fact term={strings.endpoint}>{status.mcp}</Fact>
        <Fact term={strings.version}>
          {status.version} <NewestVersion />
        </Fact>
        <Fact term={strings.since}>
          <Ago iso={status.startedAt} />
        </Fact>
        <Fact term={strings.library}>
          {strings.size(status.bookmarks, strings.bytes(status.librarySize))}
          {status.unindexed > 0 && <div>{strings.unindexed(status.unindexed)}</div>}
          {status.unread > 0 && <div>{strings.unread(status.unread)}</div>}
        </Fact>
        <Fact term={strings.backup}>{status.lastBackupAt ? longDate(status.lastBackupAt) : strings.noBackup}</Fact>
      </Facts>
    </Section>
  )
}

/** Asks whether there is a newer version, once the owner presses the button. */
function NewestVersion() {
  const asking = useMutation({ mutationFn: () => ask(api.status['newest-version'].$post()), meta: { quiet: true } })
  const { data: found, error } = asking
  return (
    <>
      <Button variant="default" size="compact-sm" ms="sm" loading={asking.isPending} onClick={() => asking.mutate()}>
        {strings.askVersion}
      </Button>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error.message}
        </Text>
      )}
      {found && !error && (
        <Text size="sm" role="status">
          {found.isNewer ? strings.newer(found.newest) : strings.isNewest}{' '}
          {found.isNewer && (
            <Anchor href={found.site} target="_blank" rel="noreferrer">
              {strings.download}
            </Anchor>
          )}
        </Text>
      )}
    </>
  )
}
