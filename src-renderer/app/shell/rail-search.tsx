import { t } from '@lingui/core/macro'
import { ActionIcon, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { SavedSearch } from '../../../src-main/contract/rule.ts'
import { useSearchChanges } from '../../api/mutations.ts'
import { totalOptions } from '../../api/queries.ts'
import { queryOf, viewAt } from '../../features/bookmarks/search/view.ts'
import { number } from '../../lib/locale.ts'
import { NameDialog } from '../../ui/ask.tsx'
import { IconDots, IconListSearch, IconPencil, IconPin, IconPinnedOff, IconTrash } from '../../ui/icons/icons.ts'
import classes from './rail.module.css'
import { type Pin, RailLink } from './rail-link.tsx'

/** How many bookmarks a saved search finds; `undefined` until that is known, and where not all words were found. */
function useFound(address: string): string | undefined {
  const view = viewAt(address)
  const { data } = useQuery(totalOptions(view && queryOf(view, false)))
  if (!data || data.relaxed) return undefined
  return `${number(data.total)}${data.atLeast ? '+' : ''}`
}

interface RailSearchProps {
  search: SavedSearch
  current: boolean
  pin: Pin
}

/** A saved search, with what can be done to it. */
export function RailSearch({ search, current, pin }: RailSearchProps) {
  const { name, address } = search
  const { rename, drop } = useSearchChanges()
  const found = useFound(address)
  const [menu, setMenu] = useState(false)
  const [renaming, setRenaming] = useState(false)
  const dropped = useRef(false)
  // Once the rail is drawn without this one: until then its heading may go too.
  useEffect(() => () => void (dropped.current && setTimeout(focusNext)), [])
  function onDelete() {
    dropped.current = true
    drop.mutate(search, { onError: () => (dropped.current = false) })
  }
  return (
    <li
      className={classes.withMenu}
      onContextMenu={(event) => {
        event.preventDefault()
        setMenu(true)
      }}
    >
      <RailLink href={address} icon={IconListSearch} label={name} count={found} current={current} />
      <Menu opened={menu} onChange={setMenu} position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon
            className={classes.more ?? ''}
            size={26}
            variant="subtle"
            color="gray"
            aria-label={t`More about ${name}`}
          >
            <IconDots size={16} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={pin.pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
            onClick={pin.onToggle}
          >
            {pin.pinned ? t`Unpin` : t`Pin to the top`}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setRenaming(true)}>
            {t`Rename`}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={onDelete}>
            {t`Delete`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        opened={renaming}
        title={t`Rename “${name}”`}
        action={t`Rename`}
        name={name}
        missing={t`A saved search needs a name.`}
        onSubmit={(chosen) => rename.mutateAsync({ search, name: chosen })}
        onClose={() => setRenaming(false)}
      />
    </li>
  )
}

/** Moves the focus from the deleted search to its group's heading, or to the page if the group is gone too. */
function focusNext(): void {
  const next = document.getElementById('rail-searches') ?? document.getElementById('content')
  next?.focus()
}
