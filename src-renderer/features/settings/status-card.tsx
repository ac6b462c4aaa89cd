import { longDate } from '../../shared/dates.ts'
import { useConnected } from '../../shared/live.ts'
import type { Status } from '../../shared/status.ts'
import { settings as strings } from '../../strings/settings.ts'
import { Ago } from '../../ui/ago.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { NewestVersion } from './newest-version.tsx'
import { Section } from './section.tsx'

/** The service's version, address and state. */
export function StatusCard({ status }: { status: Status }) {
  const connected = useConnected()
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
