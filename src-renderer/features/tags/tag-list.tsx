import { plural, t } from '@lingui/core/macro'
import { ActionIcon, Checkbox, Menu, Text } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type MouseEvent, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { formatTagFilter } from '../../../src-main/contract/tag-names.ts'
import type { TagRow } from '../../lib/tag-tree.ts'
import { IconArrowMerge, IconChevronRight, IconDots, IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import classes from './tag-list.module.css'

const ROW = 44

interface TagListProps {
  tags: TagRow[]
  /** Whether the tags below one are shown. */
  isOpen(name: string): boolean
  onTurn(name: string): void
  chosen: ReadonlySet<string>
  /** @param through whether everything from the last one that was turned is meant */
  onToggle(name: string, through: boolean): void
  onRename(name: string): void
  onMerge(name: string): void
  onDelete(name: string): void
}

/** The tags in sight, each with its bookmarks and what can be done to it. It scrolls with the page. */
export function TagList({ tags, isOpen, onTurn, chosen, onToggle, ...actions }: TagListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const [menu, setMenu] = useState<TagMenuProps['place']>()
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: tags.length,
    estimateSize: () => ROW,
    overscan: 3,
    scrollMargin: top
  })
  return (
    <>
      <ul
        ref={list}
        className="plain"
        aria-label={t`Tags`}
        style={{ position: 'relative', height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map((row) => {
          const tag = tags[row.index]
          if (!tag) return null
          const { name, label, bookmarks, depth, isTag, below } = tag
          const style = { transform: `translateY(${row.start - top}px)`, '--depth': depth } as CSSProperties
          return (
            <li key={name} className={classes.row} style={style}>
              <Checkbox
                size="xs"
                aria-label={t`Select ${name}`}
                checked={chosen.has(name)}
                disabled={!isTag}
                readOnly
                onClick={(event: MouseEvent) => onToggle(name, event.shiftKey)}
              />
              <span className={classes.turn}>
                {below.length > 0 && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={t`Tags in ${name}`}
                    aria-expanded={isOpen(name)}
                    onClick={() => onTurn(name)}
                  >
                    <IconChevronRight size={15} className="chevron" />
                  </ActionIcon>
                )}
              </span>
              <Link
                href={`/?${new URLSearchParams({ tag: formatTagFilter(name) })}`}
                className={classes.name ?? ''}
                title={t`Show bookmarks tagged ${name}`}
              >
                {label}
              </Link>
              <Text component="span" c="dimmed" fz="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
                {plural(bookmarks, { one: '# bookmark', other: '# bookmarks' })}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t`More about ${name}`}
                aria-haspopup="menu"
                aria-expanded={menu?.tag.name === name}
                onClick={({ currentTarget }) => setMenu({ tag, button: currentTarget })}
              >
                <IconDots size={18} stroke={1.6} />
              </ActionIcon>
            </li>
          )
        })}
      </ul>
      {menu && <TagMenu place={menu} onClose={() => setMenu(undefined)} {...actions} />}
    </>
  )
}

interface TagMenuProps extends Pick<TagListProps, 'onRename' | 'onMerge' | 'onDelete'> {
  place: { tag: TagRow; button: HTMLElement }
  onClose(): void
}

/** The menu of the tag whose button was pressed: one in each row would take longer to draw than all else. */
function TagMenu({ place: { tag, button }, onRename, onMerge, onDelete, onClose }: TagMenuProps) {
  const { left, top, width, height } = button.getBoundingClientRect()
  return (
    <Menu
      opened
      onClose={() => {
        onClose()
        button.focus()
      }}
      position="bottom-end"
      shadow="md"
      returnFocus={false}
    >
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left, top, width, height, pointerEvents: 'none' }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t`More about ${tag.name}`}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onRename(tag.name)}>
          {t`Rename`}
        </Menu.Item>
        {tag.isTag && (
          <>
            <Menu.Item leftSection={<IconArrowMerge size={16} />} onClick={() => onMerge(tag.name)}>
              {t`Merge into …`}
            </Menu.Item>
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => onDelete(tag.name)}>
              {t`Delete`}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
