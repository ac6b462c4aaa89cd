import { Button, Group, Progress, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useCounts } from '../../shared/bookmark-data.ts'
import { longDate } from '../../shared/dates.ts'
import { useCheckLinks, useLinkChecks, useStopChecking } from '../../shared/link-checks.ts'
import { common } from '../../strings/common.ts'
import { linkChecks as strings } from '../../strings/links.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Section } from './section.tsx'

/** Whether pages are still there: what is known, and a check of all of them. */
export function LinkSection() {
  const checks = useLinkChecks()
  const { data } = checks
  const counts = useCounts().data
  const checkLinks = useCheckLinks()
  const stop = useStopChecking()
  const running = data?.check?.endedAt === null ? data.check : undefined
  return (
    <Section id="links" title={strings.title}>
      <Text size="sm">{strings.text}</Text>
      <NotLoaded query={checks} failed={strings.failed} />
      {running && (
        <Progress
          size="sm"
          aria-label={strings.progress}
          value={running.total === 0 ? 0 : (100 * running.checked) / running.total}
        />
      )}
      <Text size="sm" role="status">
        {data && statusText(data)}
      </Text>
      <Group gap="xs">
        {running ? (
          <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            {strings.stop}
          </Button>
        ) : (
          <Button
            variant="default"
            disabled={!data || data.paused === 'off'}
            loading={checkLinks.isPending}
            onClick={() => checkLinks.mutate({})}
          >
            {strings.checkAll}
          </Button>
        )}
        {(['broken', 'moved'] as const).map(
          (mark) =>
            counts !== undefined &&
            counts[mark] > 0 && (
              <Button key={mark} component={Link} href={`/?is=${mark}`} variant="subtle">
                {`${strings.places[mark]}: ${common.number(counts[mark])}`}
              </Button>
            )
        )}
      </Group>
    </Section>
  )
}

type Status = NonNullable<ReturnType<typeof useLinkChecks>['data']>

function statusText({ check, paused }: Status): string {
  if (check?.endedAt === null) {
    const why = paused === 'off' ? strings.pausedOff : paused === 'offline' ? strings.pausedOffline : ''
    return [strings.checked(check.checked, check.total), why].filter(Boolean).join('. ')
  }
  if (paused === 'off') return strings.off
  if (!check) return ''
  const { cancelled, endedAt, checked, broken, moved, failing, unclear } = check
  return [
    (cancelled ? strings.stopped : strings.ended)(longDate(endedAt), checked),
    strings.found(broken, moved),
    ...(failing > 0 ? [strings.failing(failing)] : []),
    ...(unclear > 0 ? [strings.unclear(unclear)] : [])
  ].join(' ')
}
