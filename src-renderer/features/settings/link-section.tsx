import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Progress, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, ask } from '../../api/client.ts'
import { queryClient } from '../../api/events.ts'
import { useCheckLinks } from '../../api/mutations.ts'
import { countsOptions, type DataOf, linkChecksOptions, totalOptions } from '../../api/queries.ts'
import { longDate } from '../../lib/dates.ts'
import { LINK_PLACES } from '../../lib/labels.ts'
import { i18n, number } from '../../lib/locale.ts'
import { confirm } from '../../shared/dialogs.ts'
import { notifyError } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { Section } from './section.tsx'

/** Returns a function that checks all links, after a question that shows the number of requests. */
export function useCheckAllLinks() {
  const check = useCheckLinks()
  async function checkAll(): Promise<void> {
    const { total } = await queryClient.fetchQuery(totalOptions({ type: 'link' }))
    const question = {
      title: t`Check all links?`,
      text: t`Earmark sends ${plural(total, { one: '# request', other: '# requests' })}, one for the page of each link, and more to pages that do not answer. You can stop it at any time.`,
      action: t`Check all links`
    }
    if (await confirm(question)) check.mutate({})
  }
  return { checkAll, isStarting: check.isPending }
}

/** The state of link checks, and a button that checks all links. */
export function LinkSection() {
  const checks = useQuery(linkChecksOptions)
  const { data } = checks
  const counts = useQuery(countsOptions).data
  const { checkAll, isStarting } = useCheckAllLinks()
  const stop = useMutation({
    mutationFn: () => ask(api['link-checks'].cancel.$post()),
    onSuccess: (status) => queryClient.setQueryData(linkChecksOptions.queryKey, status)
  })
  const running = data?.check?.endedAt === null ? data.check : undefined
  return (
    <Section id="links" title={t`Links`}>
      <Text size="sm">
        <Trans>
          About once a month, while it is idle, Earmark checks whether your pages still exist. Links that are broken or
          have moved are marked. Find them with is:broken and is:moved.
        </Trans>
      </Text>
      <NotLoaded query={checks} failed={t`The state of the links could not be loaded.`} />
      {running && (
        <Progress
          size="sm"
          aria-label={t`Links checked`}
          value={running.total === 0 ? 0 : (100 * running.checked) / running.total}
        />
      )}
      <Text size="sm" role="status">
        {data && statusText(data)}
      </Text>
      <Group gap="xs">
        {running ? (
          <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            {t`Stop`}
          </Button>
        ) : (
          <Button
            variant="default"
            disabled={!data || data.paused === 'off'}
            loading={isStarting}
            onClick={() => void checkAll().catch(notifyError)}
          >
            {t`Check all links`}
          </Button>
        )}
        {(['broken', 'moved'] as const).map(
          (mark) =>
            counts !== undefined &&
            counts[mark] > 0 && (
              <Button key={mark} component={Link} href={`/?is=${mark}`} variant="subtle">
                {`${i18n._(LINK_PLACES[mark])}: ${number(counts[mark])}`}
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
    const why =
      paused === 'off'
        ? t`Turn page details on in Settings to continue.`
        : paused === 'offline'
          ? t`It continues when you are online.`
          : ''
    return [t`${number(check.checked)} of ${plural(check.total, { one: '# link', other: '# links' })} checked`, why]
      .filter(Boolean)
      .join('. ')
  }
  if (paused === 'off') return t`Links are not checked while fetching page details is off.`
  if (!check) return ''
  const { cancelled, endedAt, checked, broken, moved, failing, unclear } = check
  return [
    cancelled
      ? t`Last check ${longDate(endedAt)}, stopped after ${plural(checked, { one: '# link', other: '# links' })}.`
      : t`Last check ${longDate(endedAt)}: ${plural(checked, { one: '# link', other: '# links' })}.`,
    t`${number(broken)} broken, ${number(moved)} moved.`,
    failing > 0 &&
      plural(failing, {
        one: '# failed and is checked again before being marked as broken.',
        other: '# failed and are checked again before being marked as broken.'
      }),
    unclear > 0 && t`${number(unclear)} gave no clear answer.`
  ]
    .filter(Boolean)
    .join(' ')
}
