import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isState } from '../../../src-main/contract/tag-names.ts'
import { type About, suggestedTagsOptions } from '../../api/queries.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { IconPlus } from '../../ui/icons/icons.ts'

/** Maximum number of suggested tags. A fourth is rarely right. */
const MAX_OFFERED = 3

interface OfferedTagsProps {
  about: About
  /** The bookmark's own tags, which are not offered. */
  tags: string[]
  onTake: (tag: string) => void
}

/** Tags that bookmarks like this one have; each is taken by a press, and none by itself. */
export function OfferedTags({ about, tags, onTake }: OfferedTagsProps) {
  const { data } = useQuery(suggestedTagsOptions(about, tags))
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
