import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Page } from '../../shared/page.tsx'
import { duplicates as strings } from '../../strings/duplicates.ts'
import { shell } from '../../strings/shell.ts'
import { IconCopyCheck } from '../../ui/icons/icons.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Nothing } from '../../ui/nothing.tsx'
import { GroupCard } from './group-card.tsx'
import { firstOf, useDuplicates, useMerging } from './use-duplicates.ts'

/** Pages that were saved more than once, to be merged one by one or all. */
export function Duplicates() {
  const [page, setPage] = useState(1)
  const query = useDuplicates(page)
  const { data, isPlaceholderData } = query
  const heading = useRef<HTMLHeadingElement>(null)
  // Their cards, with the button that was pressed, go.
  const merging = useMerging(() => heading.current?.focus())
  const { groups = [], total = 0 } = data ?? {}
  const [, go] = useLocation()

  // Merging all of the last page leaves it empty.
  if (page > 1 && data && !isPlaceholderData && groups.length === 0) setPage(page - 1)

  function turnTo(next: number) {
    setPage(next)
    heading.current?.focus()
  }

  return (
    <Page
      title={strings.title}
      actions={
        total > 1 && (
          <Button variant="default" loading={merging.isPending} onClick={() => merging.mergeAll(total)}>
            {strings.mergeAll(total)}
          </Button>
        )
      }
    >
      <Stack gap="lg">
        <Text c="dimmed" maw="42rem">
          {strings.intro}
        </Text>
        <NotLoaded query={query} failed={strings.failed} height={120} />
        {data && (
          <Stack gap="sm" component="section" aria-labelledby="duplicates">
            <Title order={2} size="h5" id="duplicates" ref={heading} tabIndex={-1}>
              {strings.list}
            </Title>
            <Text size="sm" c="dimmed" role="status">
              {[data.total > 0 && strings.count(data.total), !data.settled && strings.unsettled]
                .filter(Boolean)
                .join('. ')}
            </Text>
            {data.total === 0 && data.settled && (
              <Nothing
                icon={<IconCopyCheck size={34} stroke={1.3} />}
                title={strings.none}
                text={strings.noneText}
                action={{ label: shell.toAll, run: () => go('/') }}
              />
            )}
            {groups.map((group) => (
              <GroupCard key={firstOf(group)} group={group} merging={merging} />
            ))}
            {(page > 1 || data.hasMore) && <Pager page={page} hasMore={data.hasMore} onTurn={turnTo} />}
          </Stack>
        )}
      </Stack>
    </Page>
  )
}

function Pager({ page, hasMore, onTurn }: { page: number; hasMore: boolean; onTurn(page: number): void }) {
  return (
    <Group justify="space-between">
      <Button variant="default" disabled={page === 1} onClick={() => onTurn(page - 1)}>
        {strings.earlier}
      </Button>
      <Text size="sm">{strings.page(page)}</Text>
      <Button variant="default" disabled={!hasMore} onClick={() => onTurn(page + 1)}>
        {strings.later}
      </Button>
    </Group>
  )
}
