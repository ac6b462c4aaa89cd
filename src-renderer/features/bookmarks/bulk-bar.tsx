import { Button, CloseButton, Group, Menu, Text } from '@mantine/core'
import { IconArrowRight, IconFolderSymlink, IconLinkOff, IconRestore, IconTrash } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useOrganizations } from '../../shared/bookmark-data.ts'
import { useCheckLinks } from '../../shared/link-checks.ts'
import { useStore } from '../../shared/store.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { linkChecks as links } from '../../strings/links.ts'
import { askedBulk } from './asked-bulk.ts'
import { BulkTags } from './bulk-tags.tsx'
import type { Changes } from './use-changes.ts'

interface BulkBarProps {
  ids: string[]
  changes: Changes
  list: { clearSelection(): void; deselect(ids: string[]): void }
}

/** What can be done to everything that is selected. */
export function BulkBar({ ids, changes, moved, list }: BulkBarProps & { moved: boolean }) {
  const check = useCheckLinks()
  useEffect(() => () => askedBulk.set(undefined), [])
  return (
    <Bar ids={ids} onClear={list.clearSelection}>
      {moved && (
        <Button
          size="xs"
          variant="light"
          leftSection={<IconArrowRight size={15} />}
          onClick={async () => (await changes.follow(ids)) && list.deselect(ids)}
        >
          {links.followAll}
        </Button>
      )}
      <BulkTags ids={ids} changes={changes} />
      <BulkMove ids={ids} changes={changes} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconLinkOff size={15} />}
        loading={check.isPending}
        onClick={() => check.mutate({ ids })}
      >
        {links.check}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTrash size={15} />}
        onClick={async () => (await changes.remove(ids)) && list.deselect(ids)}
      >
        {strings.delete}
      </Button>
    </Bar>
  )
}

/** The same in the trash. */
export function TrashBulkBar({ ids, changes, list }: BulkBarProps) {
  return (
    <Bar ids={ids} onClear={list.clearSelection}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRestore size={15} />}
        onClick={async () => (await changes.restore(ids)) && list.deselect(ids)}
      >
        {strings.restore}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTrash size={15} />}
        onClick={async () => (await changes.purge(ids)) && list.deselect(ids)}
      >
        {strings.deleteForEver}
      </Button>
    </Bar>
  )
}

function Bar({ ids, onClear, children }: { ids: string[]; onClear: () => void; children: React.ReactNode }) {
  return (
    <Group gap="xs" py={6} mih={44} wrap="nowrap" role="toolbar" aria-label={strings.selected(ids.length)}>
      <CloseButton size="sm" aria-label={strings.clearSelection} onClick={onClear} />
      <Text size="sm" fw={550} role="status" style={{ whiteSpace: 'nowrap' }}>
        {strings.selected(ids.length)}
      </Text>
      <Group gap="xs" ml="auto" wrap="nowrap">
        {children}
      </Group>
    </Group>
  )
}

function BulkMove({ ids, changes }: { ids: string[]; changes: Changes }) {
  const organizations = useOrganizations()
  const opened = useStore(askedBulk) === 'move'
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      opened={opened}
      onChange={(open) => askedBulk.set(open ? 'move' : undefined)}
    >
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconFolderSymlink size={15} />}>
          {strings.move}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => changes.move(ids, 'private')}>{strings.makePrivate}</Menu.Item>
        <Menu.Item onClick={() => changes.move(ids, 'public')}>{strings.makePublic}</Menu.Item>
        {organizations.data?.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => changes.move(ids, 'organization', id)}>
            {strings.moveTo(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
