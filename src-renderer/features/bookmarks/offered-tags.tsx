import { Button, Group } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { isState } from '../../../src-main/contract/tag-names.ts'
import { api } from '../../shared/api.ts'
import { pause } from '../../shared/pause.ts'
import { ask } from '../../shared/request.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { IconPlus } from '../../ui/icons/icons.ts'

/** The fields of a bookmark that tags are offered by, as far as they are known. */
export interface About {
  url?: string | undefined
  title?: string | undefined
  description?: string | undefined
}

/** So long nothing is typed before tags are asked for, in milliseconds. */
const PAUSE_MS = 300

/** Maximum number of suggested tags. A fourth is rarely right. */
const MAX_OFFERED = 3

const offeredOptions = (about: About, tags: string[]) =>
  queryOptions({
    queryKey: ['tags', 'offered', about, tags],
    queryFn: async ({ signal }) => {
      await pause(PAUSE_MS, signal)
      return ask(api.tags.suggestions.$post({ json: { ...about, tags } }, { init: { signal } }))
    },
    enabled: Object.values(about).some((text) => text),
    staleTime: 60_000,
    // The last ones stay until there are others: a row that comes and goes moves what is below it.
    placeholderData: keepPreviousData
  })

interface OfferedTagsProps {
  about: About
  /** The bookmark's own tags, which are not offered. */
  tags: string[]
  onTake: (tag: string) => void
}

/** Tags that bookmarks like this one have; each is taken by a press, and none by itself. */
export function OfferedTags({ about, tags, onTake }: OfferedTagsProps) {
  const { data } = useQuery(offeredOptions(about, tags))
  const offered = (data?.tags ?? []).filter((tag) => !tags.includes(tag) && !isState(tag)).slice(0, MAX_OFFERED)
  if (offered.length === 0) return null
  return (
    <Group gap={6} role="group" aria-label={strings.offeredTags}>
      {offered.map((tag) => (
        <Button
          key={tag}
          size="compact-xs"
          variant="default"
          fw={400}
          maw="12rem"
          leftSection={<IconPlus size={12} />}
          aria-label={strings.takeTag(tag)}
          onClick={() => onTake(tag)}
        >
          {tag}
        </Button>
      ))}
    </Group>
  )
}
