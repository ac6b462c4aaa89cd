import { Kbd, Menu } from '@mantine/core'
import { STATES } from '../../../src-main/contract/tag-names.ts'
import type { ShownBookmark } from '../../shared/bookmark-data.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import type { ListKey } from './list/keys.ts'
import { openable } from './look.ts'
import { STATE_KEYS, stateLabel } from './states.ts'

/** Where a bookmark's menu was asked for. */
export interface MenuPlace {
  bookmark: ShownBookmark
  index: number
  /** In the window, in pixels. */
  x: number
  y: number
}

type KeyAct = Extract<ListKey, { act: unknown }>['act']

interface RowMenuProps {
  place: MenuPlace
  onAct(act: KeyAct): void
  onClose(): void
}

/** A bookmark's own menu, with the keys that do the same. */
export function RowMenu({ place: { bookmark, x, y }, onAct, onClose }: RowMenuProps) {
  const item = (act: KeyAct, key: string, name: string) => (
    <Menu.Item key={act} onClick={() => onAct(act)} rightSection={<Kbd size="xs">{key}</Kbd>}>
      {name}
    </Menu.Item>
  )
  return (
    <Menu opened onClose={onClose} position="bottom-start" shadow="md" width={210} returnFocus={false}>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: x, top: y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={strings.row.menu}>
        {openable(bookmark.url) && item('open', 'O', strings.openNew)}
        {item('edit', 'Enter', strings.row.editHint)}
        {bookmark.picture === null && item('copy', 'C', strings.row.copyHint)}
        <Menu.Divider />
        {item('tag', 'T', strings.editTags)}
        {item('move', 'M', strings.move)}
        {item('select', 'X', strings.row.select)}
        <Menu.Divider />
        {STATES.map((state) => item(state, STATE_KEYS[state], stateLabel(bookmark, state)))}
        <Menu.Divider />
        {item('delete', 'Del', strings.delete)}
      </Menu.Dropdown>
    </Menu>
  )
}
