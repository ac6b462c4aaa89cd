import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { Link } from 'wouter'
import { tags as strings } from '../../strings/tags.ts'
import { IconArrowMerge, IconDots, IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import classes from './tag-list.module.css'

const ROW = 44

interface TagListProps {
  tags: { name: string; bookmarks: number }[]
  chosen: ReadonlySet<string>
  onToggle(name: string): void
  onRename(name: string): void
  onMerge(name: string): void
  onDelete(name: string): void
}

/** The tags in sight, each with its bookmarks and what can be done to it. */
export function TagList({ tags, chosen, onToggle, onRename, onMerge, onDelete }: TagListProps) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: tags.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 6
  })
  return (
    <div ref={box} className={classes.box}>
      <ul className={classes.list} aria-label={strings.list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((row) => {
          const tag = tags[row.index]
          if (!tag) return null
          const { name, bookmarks } = tag
          return (
            <li key={name} className={classes.row} style={{ transform: `translateY(${row.start}px)` }}>
              <Checkbox
                size="xs"
                aria-label={strings.select(name)}
                checked={chosen.has(name)}
                onChange={() => onToggle(name)}
              />
              <Link
                href={`/?${new URLSearchParams({ tag: name })}`}
                className={classes.name ?? ''}
                title={strings.show(name)}
              >
                {name}
              </Link>
              <span className={classes.count}>{strings.bookmarks(bookmarks)}</span>
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
            </li>
          )
        })}
      </ul>
    </div>
  )
}
