import { Button, Popover } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useStore } from '../../shared/store.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { IconTag } from '../../ui/icons/icons.ts'
import { askedBulk } from './asked-bulk.ts'
import type { Chosen } from './list/selection.ts'
import { TagPicker } from './tag-picker.tsx'
import type { Changes } from './use-changes.ts'

/** Says which tags everything selected has, and gives and takes some. */
export function BulkTags({ chosen, changes }: { chosen: Chosen; changes: Changes }) {
  const mounted = useMounted()
  const opened = useStore(askedBulk) === 'tag' && mounted
  const setOpened = (open: boolean) => askedBulk.set(open ? 'tag' : undefined)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={300}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTag size={15} />}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {strings.editTags}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={strings.tagsToChange}>
        <TagPicker
          chosen={chosen}
          onApply={async (tags) => {
            if (await changes.setTags(chosen, tags)) setOpened(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
