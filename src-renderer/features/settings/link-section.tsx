import { Button, Group, Progress, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, ask } from '../../api/client.ts'
import { queryClient } from '../../api/events.ts'
import { useCheckLinks } from '../../api/mutations.ts'
import { countsOptions, type DataOf, linkChecksOptions } from '../../api/queries.ts'
import { longDate } from '../../lib/dates.ts'
import { common } from '../../strings/common.ts'
import { linkChecks as strings } from '../../strings/links.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Section } from './section.tsx'

/** Whether pages are still there: what is known, and a check of all of them. */
export function LinkSection() {
  const checks = useQuery(linkChecksOptions)
  const { data } = checks
  const counts = useQuery(countsOptions).data
  const checkLinks = useCheckLinks()
  const stop = useMutation({
    mutationFn: () => ask(api['link-checks'].cancel.$post()),
    onSuccess: (status) => queryClient.setQueryData(linkChecksOptions.queryKey, status)
  })
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

type Status = DataOf<typeof linkChecksOptions>

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
