import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Paper, Radio, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask } from '../../api/client.ts'
import { longWork } from '../../api/long-work.tsx'
import { type DataOf, duplicatesOptions } from '../../api/queries.ts'
import { notifyWithUndo } from '../../api/undo.ts'
import { longDate } from '../../lib/dates.ts'
import { i18n, number } from '../../lib/locale.ts'
import { confirm } from '../../shared/dialogs.ts'
import { Page } from '../../shared/page.tsx'
import { IconArrowMerge, IconCopyCheck } from '../../ui/icons/icons.ts'
import { notify } from '../../ui/notify.tsx'
import { Nothing, NotLoaded } from '../../ui/placeholders.tsx'

/** Pages that were saved more than once. They can be merged one by one, or all at once. */
export function Duplicates() {
  const [page, setPage] = useState(1)
  const query = useQuery(duplicatesOptions(page))
  const { data, isPlaceholderData } = query
  const heading = useRef<HTMLHeadingElement>(null)
  // The card with the pressed button disappears, so the heading gets the focus.
  const merging = useMerging(() => heading.current?.focus())
  const { groups = [], total = 0 } = data ?? {}
  const [, go] = useLocation()

  // Merging all of the last page leaves it empty.
  if (page > 1 && data && !isPlaceholderData && groups.length === 0) setPage(page - 1)

  function goToPage(next: number) {
    setPage(next)
    heading.current?.focus()
  }

  return (
    <Page
      title={t`Duplicates`}
      actions={
        total > 1 && (
          <Button variant="default" loading={merging.isPending} onClick={() => merging.mergeAll(total)}>
            {t`Merge all ${number(total)}`}
          </Button>
        )
      }
    >
      <Stack gap="lg">
        <Text c="dimmed" maw="42rem">
          <Trans>
            These pages were saved more than once. Their addresses differ only in http or https, “www.”, a slash at the
            end, an index file or tracking parameters, or the pages say that they are the same. Merging keeps one
            bookmark, with all tags, the longest texts and the oldest date, and moves the others to the trash.
          </Trans>
        </Text>
        <NotLoaded query={query} failed={t`The duplicates could not be loaded.`} height={120} />
        {data && (
          <Stack gap="sm" component="section" aria-labelledby="duplicates">
            <Title order={2} size="h5" id="duplicates" ref={heading} tabIndex={-1}>
              {t`Pages saved more than once`}
            </Title>
            <Text size="sm" c="dimmed" role="status">
              {[
                data.total > 0 && t`${plural(data.total, { one: '# page', other: '# pages' })} saved more than once`,
                !data.settled && t`Earmark is still comparing what was saved before. There may be more.`
              ]
                .filter(Boolean)
                .join('. ')}
            </Text>
            {data.total === 0 && data.settled && (
              <Nothing
                icon={<IconCopyCheck size={34} stroke={1.3} />}
                title={t`No duplicates`}
                text={t`No page is saved more than once.`}
                action={{ label: t`Show all bookmarks`, run: () => go('/') }}
              />
            )}
            {groups.map((group) => (
              <GroupCard key={groupId(group)} group={group} merging={merging} />
            ))}
            {(page > 1 || data.hasMore) && <Pager page={page} hasMore={data.hasMore} onGo={goToPage} />}
          </Stack>
        )}
      </Stack>
    </Page>
  )
}

function Pager({ page, hasMore, onGo }: { page: number; hasMore: boolean; onGo(page: number): void }) {
  return (
    <Group justify="space-between">
      <Button variant="default" disabled={page === 1} onClick={() => onGo(page - 1)}>
        {t`Earlier page`}
      </Button>
      <Text size="sm">{t`Page ${number(page)}`}</Text>
      <Button variant="default" disabled={!hasMore} onClick={() => onGo(page + 1)}>
        {t`Next page`}
      </Button>
    </Group>
  )
}

interface GroupCardProps {
  group: DuplicateGroup
  merging: Merging
}

/** Bookmarks of nearly the same page, with a choice of the one to keep, and a button that merges them. */
function GroupCard({ group, merging }: GroupCardProps) {
  const { bookmarks, why } = group
  const name = nameOf(bookmarks)
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Text fw={600} component="h3" m={0} fz="md" lineClamp={2}>
          {name}
        </Text>
        <Group gap={4} flex="none" justify="flex-end">
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label={t`Not duplicates: ${name}`}
            disabled={merging.isPending}
            onClick={() => merging.dismiss(group)}
          >
            {t`Not duplicates`}
          </Button>
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconArrowMerge size={15} />}
            aria-label={t`Merge: ${name}`}
            loading={merging.isPending}
            onClick={() => merging.merge(group)}
          >
            {t`Merge`}
          </Button>
        </Group>
      </Group>
      {why !== 'near' && (
        <Text size="sm" c="dimmed">
          {i18n._(WHY[why])}
        </Text>
      )}
      <Radio.Group
        label={t`Keep the address`}
        mt="xs"
        value={merging.findKept(group)}
        onChange={(id) => merging.keep(group, id)}
      >
        <Stack gap="xs" mt={6}>
          {bookmarks.map(({ id, url, title, tags, organization, createdAt }) => (
            <Radio
              key={id}
              value={id}
              label={url}
              styles={{ label: { overflowWrap: 'anywhere' } }}
              description={[
                title === url ? '' : title,
                ...tags.map((tag) => `#${tag}`),
                organization,
                t`saved ${longDate(createdAt)}`
              ]
                .filter(Boolean)
                .join(' · ')}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Paper>
  )
}

/** Returns the title that the merged bookmark will have: the longest. */
function nameOf(bookmarks: DuplicateGroup['bookmarks']): string {
  const titles = bookmarks.map(({ title, url }) => (title === url ? '' : title))
  const title = titles.reduce((longest, other) => (other.length > longest.length ? other : longest))
  return title || bookmarks[0]?.url || t`Untitled`
}

type DuplicateGroup = DataOf<ReturnType<typeof duplicatesOptions>>['groups'][number]

type Merge = Parameters<typeof api.duplicates.merges.$post>[0]['json']['merges'][number]

type Merging = ReturnType<typeof useMerging>

/** Merges each group into one bookmark, with a notice that can undo it. Has the bookmarks that were chosen to stay. */
function useMerging(onMerged: () => void) {
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const { mutate, isPending } = useMutation({
    mutationFn: (merges: Merge[] | 'all') => (merges === 'all' ? mergeAll(Object.values(chosen)) : mergeSome(merges)),
    meta: { changes: ['bookmarks'] },
    onSuccess({ trashed, left, undo, cancelled, problem }) {
      const [first] = left
      const rest =
        first &&
        (left.length === 1
          ? i18n._(REASONS[first.reason])
          : t`${plural(left.length, { one: '# page was', other: '# pages were' })} not merged.`)
      const sentences = [
        cancelled && t`Stopped.`,
        trashed > 0 && t`Merged. ${plural(trashed, { one: '# bookmark is', other: '# bookmarks are' })} in the trash.`,
        rest,
        problem?.message
      ]
      const message = sentences.filter(Boolean).join(' ')
      if (trashed > 0)
        notifyWithUndo(
          message,
          undo,
          [],
          t`Merge undone. ${plural(trashed, { one: '# bookmark is', other: '# bookmarks are' })} back from the trash.`
        )
      else if (message) notify(message)
    }
  })

  const dismissing = useMutation({
    mutationFn: ({ bookmarks }: DuplicateGroup) =>
      ask(api.duplicates.dismissals.$post({ json: { ids: bookmarks.map(({ id }) => id) } })),
    meta: { changes: ['bookmarks'] },
    onSuccess: ({ undo }, { bookmarks }) =>
      notifyWithUndo(t`“${nameOf(bookmarks)}” is not shown as a duplicate any more.`, undo)
  })

  /** Returns the id of the bookmark to keep: the chosen one, by default the first, which the service recommends. */
  function findKept(group: DuplicateGroup): string {
    const chosenId = chosen[groupId(group)]
    return group.bookmarks.find(({ id }) => id === chosenId)?.id ?? groupId(group)
  }
  function mergeOf(group: DuplicateGroup): Merge {
    const keep = findKept(group)
    return { keep, others: group.bookmarks.map(({ id }) => id).filter((id) => id !== keep) }
  }
  return {
    isPending: isPending || dismissing.isPending,
    dismiss: (group: DuplicateGroup) => dismissing.mutate(group, { onSuccess: onMerged }),
    findKept,
    keep: (group: DuplicateGroup, id: string) => setChosen((all) => ({ ...all, [groupId(group)]: id })),
    merge: (group: DuplicateGroup) => mutate([mergeOf(group)], { onSuccess: onMerged }),
    async mergeAll(total: number) {
      const question = {
        title: t`Merge ${plural(total, { one: '# page', other: '# pages' })}?`,
        text: t`For each page, one bookmark stays and gets all tags: the one you chose here, or else the one with a working link, an https address and the older date. The others go to the trash. You can undo this as a whole.`,
        action: t`Merge all ${number(total)}`
      }
      if (await confirm(question)) mutate('all', { onSuccess: onMerged })
    }
  }
}

const mergeSome = (merges: Merge[]) => ask(api.duplicates.merges.$post({ json: { merges } }))

/** @param keep the bookmarks to keep in their groups; in other groups, the service chooses one */
function mergeAll(keep: string[]) {
  return longWork({
    what: t`Merging duplicates …`,
    stoppable: true,
    begin: (name) => ask(api.duplicates.merges.all.$post({ query: { name }, json: { keep } }))
  })
}

/** Returns the id of a group: that of its first bookmark. */
function groupId({ bookmarks }: DuplicateGroup): string {
  return bookmarks[0]?.id ?? ''
}

const WHY = {
  own: msg`One of these pages gives the address of another as its own.`,
  moved: msg`One of these pages moved to the address of another.`
}

const REASONS = {
  missing: msg`One of these bookmarks no longer exists.`,
  'in-trash': msg`One of these bookmarks is in the trash now.`,
  'other-page': msg`These bookmarks are of different pages now.`,
  'too-many-tags': msg`Together they have more tags than a bookmark can have. Remove some first.`
}
