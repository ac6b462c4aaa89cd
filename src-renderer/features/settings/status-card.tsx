import { plural, t } from '@lingui/core/macro'
import { Anchor, Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { connectedOptions } from '../../api/events.ts'
import type { Status } from '../../api/queries.ts'
import { longDate } from '../../lib/dates.ts'
import { fileSize, number } from '../../lib/locale.ts'
import { Ago, Fact, Facts, LiveDot } from '../../ui/facts.tsx'
import { Section } from './section.tsx'

/** The service's version, address and state. */
export function StatusCard({ status }: { status: Status }) {
  const connected = useQuery(connectedOptions).data
  return (
    <Section id="status" title={t`Status`}>
      <Facts width="18rem">
        <Fact term={t`Address`}>
          <LiveDot live={connected} label={connected ? t`Connected` : t`Not connected`} /> {status.url}
        </Fact>
        <Fact term={t`MCP endpoint`}>{status.mcp}</Fact>
        <Fact term={t`Version`}>
          {status.version} <NewestVersion />
        </Fact>
        <Fact term={t`Running since`}>
          <Ago iso={status.startedAt} />
        </Fact>
        <Fact term={t`Library`}>
          {`${plural(status.bookmarks, { one: '# bookmark', other: '# bookmarks' })}, ${fileSize(status.librarySize)}`}
          {status.unindexed > 0 && <div>{t`Preparing search: ${number(status.unindexed)} to go.`}</div>}
          {status.unread > 0 && (
            <div>
              {status.unread < 10_000
                ? t`Fetching page details: ${number(status.unread)} to go.`
                : t`Fetching page details: ${number(status.unread)} or more to go.`}
            </div>
          )}
        </Fact>
        <Fact term={t`Last backup`}>{status.lastBackupAt ? longDate(status.lastBackupAt) : t`None yet`}</Fact>
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
        {t`Check for a newer version`}
      </Button>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error.message}
        </Text>
      )}
      {found && !error && (
        <Text size="sm" role="status">
          {found.isNewer ? t`Version ${found.newest} is available.` : t`This is the newest version.`}{' '}
          {found.isNewer && (
            <Anchor href={found.site} target="_blank" rel="noreferrer">
              {t`Download`}
            </Anchor>
          )}
        </Text>
      )}
    </>
  )
}
