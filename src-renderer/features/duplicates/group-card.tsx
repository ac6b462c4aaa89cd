import { Button, Group, Paper, Radio, Stack, Text } from '@mantine/core'
import { longDate } from '../../shared/dates.ts'
import { duplicates as strings } from '../../strings/duplicates.ts'
import { IconArrowMerge } from '../../ui/icons/icons.ts'
import type { Group as Duplicates, Merging } from './use-duplicates.ts'

interface GroupCardProps {
  group: Duplicates
  merging: Merging
}

/** Bookmarks of nearly the same page: which of them stays, and the button that merges them. */
export function GroupCard({ group, merging }: GroupCardProps) {
  const { bookmarks, why } = group
  const name = nameOf(bookmarks)
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Text fw={600} component="h3" m={0} fz="md" lineClamp={2}>
          {name}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          leftSection={<IconArrowMerge size={15} />}
          aria-label={strings.mergeOf(name)}
          loading={merging.isPending}
          onClick={() => merging.merge(group)}
        >
          {strings.merge}
        </Button>
      </Group>
      {why !== 'near' && (
        <Text size="sm" c="dimmed">
          {strings.why[why]}
        </Text>
      )}
      <Radio.Group
        label={strings.keep}
        mt="xs"
        value={merging.keptOf(group)}
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
                strings.saved(longDate(createdAt))
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

/** Returns the title of the merged bookmark. */
function nameOf(bookmarks: Duplicates['bookmarks']): string {
  const titles = bookmarks.map(({ title, url }) => (title === url ? '' : title))
  const title = titles.reduce((longest, one) => (one.length > longest.length ? one : longest))
  return title || bookmarks[0]?.url || strings.untitled
}
