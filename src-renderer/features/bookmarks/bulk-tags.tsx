import { Button, Group, Popover, Stack } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import { useStore } from '../../shared/store.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { askedBulk } from './asked-bulk.ts'
import { TagsField } from './tags-field.tsx'
import type { Changes } from './use-changes.ts'

/** Adds tags to everything selected, or takes them away. */
export function BulkTags({ ids, changes }: { ids: string[]; changes: Changes }) {
  const opened = useStore(askedBulk) === 'tag'
  const setOpened = (open: boolean) => askedBulk.set(open ? 'tag' : undefined)
  const [tags, setTags] = useState<string[]>([])

  async function run(change: (ids: string[], tags: string[]) => Promise<boolean>) {
    if (!(await change(ids, tags))) return
    setTags([])
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={setOpened} width={300} shadow="md" trapFocus returnFocus withRoles={false}>
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
        <Stack gap="sm">
          <TagsField label={strings.tagsToChange} value={tags} onChange={setTags} autofocus inPopover />
          <Group gap="xs" grow>
            <Button size="xs" disabled={tags.length === 0} onClick={() => run(changes.addTags)}>
              {strings.addTags}
            </Button>
            <Button size="xs" variant="default" disabled={tags.length === 0} onClick={() => run(changes.removeTags)}>
              {strings.removeTags}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
