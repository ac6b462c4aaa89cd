import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { tags as strings } from '../../strings/tags.ts'
import { IconArrowMerge, IconDots, IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import classes from './tag-list.module.css'

const ROW = 44

interface TagListProps {
  tags: { name: string; bookmarks: number }[]
  chosen: ReadonlySet<string>
  /** @param through whether everything from the last one that was turned is meant */
  onToggle(index: number, through: boolean): void
  onRename(name: string): void
  onMerge(name: string): void
  onDelete(name: string): void
}

/** The tags in sight, each with its bookmarks and what can be done to it. It scrolls with the page. */
export function TagList({ tags, chosen, onToggle, ...actions }: TagListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: tags.length,
    estimateSize: () => ROW,
    overscan: 6,
    scrollMargin: top
  })
  return (
    <ul ref={list} className={classes.list} aria-label={strings.list} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((row) => {
        const tag = tags[row.index]
        if (!tag) return null
        const { name, bookmarks } = tag
        return (
          <li key={name} className={classes.row} style={{ transform: `translateY(${row.start - top}px)` }}>
            <Checkbox
              size="xs"
              aria-label={strings.select(name)}
              checked={chosen.has(name)}
              readOnly
              onClick={(event: MouseEvent) => onToggle(row.index, event.shiftKey)}
            />
            <Link
              href={`/?${new URLSearchParams({ tag: name })}`}
              className={classes.name ?? ''}
              title={strings.show(name)}
            >
              {name}
            </Link>
            <span className={classes.count}>{strings.bookmarks(bookmarks)}</span>
            <TagMenu name={name} {...actions} />
          </li>
        )
      })}
    </ul>
  )
}

type TagMenuProps = Pick<TagListProps, 'onRename' | 'onMerge' | 'onDelete'> & { name: string }

function TagMenu({ name, onRename, onMerge, onDelete }: TagMenuProps) {
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={strings.more(name)}>
          <IconDots size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onRename(name)}>
          {strings.rename}
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowMerge size={16} />} onClick={() => onMerge(name)}>
          {strings.mergeInto}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => onDelete(name)}>
          {strings.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
