import { Button, CloseButton, Group, Menu, Text } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useEffect } from 'react'
import { STATES } from '../../../src-main/contract/tag-names.ts'
import { useOrganizations } from '../../shared/bookmark-data.ts'
import { selectionCommands } from '../../shared/list-commands.ts'
import { useStore } from '../../shared/store.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { linkChecks as links } from '../../strings/links.ts'
import { IconArrowRight, IconFolderSymlink, IconRestore, IconTrash } from '../../ui/icons/icons.ts'
import { askedBulk } from './asked-bulk.ts'
import { BulkMore } from './bulk-more.tsx'
import { BulkTags } from './bulk-tags.tsx'
import { copyAddresses } from './copy-addresses.ts'
import type { Chosen } from './list/selection.ts'
import type { List } from './list/use-list.ts'
import { STATE_KEYS } from './states.ts'
import type { Changes } from './use-changes.ts'

interface BulkBarProps {
  list: List
  changes: Changes
}

/** The actions for the selected bookmarks. */
export function BulkBar({ list, changes, moved }: BulkBarProps & { moved: boolean }) {
  const { selected, deselect } = list
  const { chosen } = selected
  useEffect(() => () => askedBulk.set(undefined), [])
  const remove = async () => (await changes.remove(chosen, selected.size)) && deselect(chosen)
  useCommands(selected.size, chosen, changes, remove)
  return (
    <Bar list={list}>
      {moved && (
        <Button
          size="xs"
          variant="light"
          leftSection={<IconArrowRight size={15} />}
          onClick={async () => (await changes.follow(chosen)) && deselect(chosen)}
        >
          {links.followAll}
        </Button>
      )}
      <BulkTags chosen={chosen} changes={changes} />
      <BulkMove chosen={chosen} changes={changes} />
      <BulkMore selected={selected} />
      <Button size="xs" variant="default" leftSection={<IconTrash size={15} />} onClick={remove}>
        {strings.delete}
      </Button>
    </Bar>
  )
}

/** The same in the trash. */
export function TrashBulkBar({ list, changes }: BulkBarProps) {
  const { selected, deselect } = list
  const { chosen } = selected
  return (
    <Bar list={list}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRestore size={15} />}
        onClick={async () => (await changes.restore(chosen)) && deselect(chosen)}
      >
        {strings.restore}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTrash size={15} />}
        onClick={async () => (await changes.purge(chosen, selected.size)) && deselect(chosen)}
      >
        {strings.deleteForEver}
      </Button>
    </Bar>
  )
}

function Bar({ list, children }: { list: List; children: React.ReactNode }) {
  const { selected, pages } = list
  const total = pages.first?.atLeast ? undefined : pages.first?.total
  const all = selected.isAll || (total !== undefined && selected.size >= total)
  return (
    <Group gap="xs" py={6} mih={44} role="toolbar" aria-label={strings.selected(selected.size)}>
      <CloseButton size="sm" aria-label={strings.clearSelection} onClick={list.clearSelection} />
      <Text size="sm" fw={550} role="status" style={{ whiteSpace: 'nowrap' }}>
        {strings.selected(selected.size)}
      </Text>
      {!all && (
        <Button size="compact-xs" variant="subtle" onClick={list.chooseAll}>
          {strings.selectAll(total)}
        </Button>
      )}
      <Group gap="xs" ms="auto">
        {children}
      </Group>
    </Group>
  )
}

function BulkMove({ chosen, changes }: { chosen: Chosen; changes: Changes }) {
  const organizations = useOrganizations()
  // A menu that begins open has nothing to stand by.
  const mounted = useMounted()
  const opened = useStore(askedBulk) === 'move' && mounted
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
        <Menu.Item onClick={() => changes.move(chosen, 'private')}>{strings.makePrivate}</Menu.Item>
        <Menu.Item onClick={() => changes.move(chosen, 'public')}>{strings.makePublic}</Menu.Item>
        {organizations.data?.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => changes.move(chosen, { organization: id, name })}>
            {strings.moveTo(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Lets the palette do the same. */
function useCommands(count: number, chosen: Chosen, changes: Changes, remove: () => void): void {
  useEffect(() => {
    selectionCommands.set([
      { name: strings.palette.tag(count), keys: ['T'], run: () => askedBulk.set('tag') },
      { name: strings.palette.move(count), keys: ['M'], run: () => askedBulk.set('move') },
      ...STATES.map((state) => ({
        name: strings.palette.turn[state](count),
        keys: [STATE_KEYS[state]],
        run: () => void changes.turn(chosen, state)
      })),
      { name: strings.palette.copy(count), keys: ['C'], run: () => void copyAddresses(chosen) },
      { name: strings.palette.export(count), keys: [], run: () => askedBulk.set('more') },
      { name: strings.palette.delete(count), keys: ['Del'], run: remove }
    ])
    return () => selectionCommands.set([])
  }, [count, chosen, changes, remove])
}
