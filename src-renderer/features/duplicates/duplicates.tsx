import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import { Page } from '../../shared/page.tsx'
import { duplicates as strings } from '../../strings/duplicates.ts'
import { IconCopyCheck } from '../../ui/icons/icons.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Nothing } from '../../ui/nothing.tsx'
import { GroupCard } from './group-card.tsx'
import { type Group as Duplicate, type Merge, useDuplicates, useMerge } from './use-duplicates.ts'

/** Pages that were saved more than once, to be merged one by one or as many as are shown. */
export function Duplicates() {
  const [page, setPage] = useState(1)
  const query = useDuplicates(page)
  const { data, isPlaceholderData } = query
  const merge = useMerge()
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const heading = useRef<HTMLHeadingElement>(null)
  const groups = data?.groups ?? []

  // Merging all of the last page leaves it empty.
  if (page > 1 && data && !isPlaceholderData && groups.length === 0) setPage(page - 1)

  /** The first is the one that best stays, until another is chosen. */
  const keptOf = ({ bookmarks }: Duplicate): string => {
    const first = bookmarks[0]?.id ?? ''
    const wanted = chosen[first]
    return bookmarks.some(({ id }) => id === wanted) && wanted !== undefined ? wanted : first
  }
  const mergeOf = (group: Duplicate): Merge => {
    const keep = keptOf(group)
    return { keep, others: group.bookmarks.map(({ id }) => id).filter((id) => id !== keep) }
  }
  function mergeAll(some: Duplicate[]) {
    // Their cards, with the button that was pressed, go.
    merge.mutate(some.map(mergeOf), { onSuccess: () => heading.current?.focus() })
  }
  function turnTo(next: number) {
    setPage(next)
    heading.current?.focus()
  }

  return (
    <Page
      title={strings.title}
      actions={
        groups.length > 1 && (
          <Button variant="default" loading={merge.isPending} onClick={() => mergeAll(groups)}>
            {strings.mergeAll(groups.length)}
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
              <Nothing icon={<IconCopyCheck size={34} stroke={1.3} />} title={strings.none} text={strings.noneText} />
            )}
            {groups.map((group) => {
              const first = group.bookmarks[0]?.id ?? ''
              return (
                <GroupCard
                  key={first}
                  group={group}
                  keep={keptOf(group)}
                  merging={merge.isPending}
                  onKeep={(id) => setChosen((now) => ({ ...now, [first]: id }))}
                  onMerge={() => mergeAll([group])}
                />
              )
            })}
            {(page > 1 || data.hasMore) && (
              <Group justify="space-between">
                <Button variant="default" disabled={page === 1} onClick={() => turnTo(page - 1)}>
                  {strings.earlier}
                </Button>
                <Text size="sm">{strings.page(page)}</Text>
                <Button variant="default" disabled={!data.hasMore} onClick={() => turnTo(page + 1)}>
                  {strings.later}
                </Button>
              </Group>
            )}
          </Stack>
        )}
      </Stack>
    </Page>
  )
}
