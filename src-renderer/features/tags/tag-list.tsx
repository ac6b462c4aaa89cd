import { plural, t } from '@lingui/core/macro'
import { ActionIcon, Checkbox, Text } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  useLayoutEffect,
  useRef,
  useState
} from 'react'
import { Link } from 'wouter'
import { searchAddress, tagFilter } from '../../lib/filters.ts'
import { ARROWS } from '../../lib/locale.ts'
import { isWithin, type TagRow } from '../../lib/tag-tree.ts'
import { IconChevronRight, IconDots } from '../../ui/icons/icons.ts'
import classes from './tag-list.module.css'
import type { TagMenuPlace } from './tag-menu.tsx'

/** Height of a row, in pixels. */
const ROW_HEIGHT = 40

interface TagListProps {
  tags: TagRow[]
  /** Whether the tags below a tag are shown. */
  isOpen(name: string): boolean
  onExpand(name: string): void
  chosen: ReadonlySet<string>
  /** @param isRange whether all tags from the last toggled one to this one are toggled */
  onToggle(name: string, isRange: boolean): void
  onMenu(place: TagMenuPlace): void
  onRename(name: string): void
  onDelete(name: string): void
  /** @param under a tag, or `''` for the top level */
  onMove(name: string, under: string): void
}

/**
 * The tags as a tree, each with the number of bookmarks in its branch. It scrolls with the page, and only visible rows are
 * in the document. Arrows move between rows and expand them, F2 renames, Delete deletes. A row that is dropped on another
 * is moved below it.
 */
export function TagList({ tags, onMove, ...rows }: TagListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<string>()
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: tags.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    scrollMargin: top
  })

  function goTo(index: number) {
    const tag = tags[index]
    if (!tag) return
    virtual.scrollToIndex(index)
    // A row that was not visible is rendered in the next frame.
    requestAnimationFrame(() => linkOf(tag.name)?.focus())
  }
  function onKeyDown(event: KeyboardEvent, { name, below, depth, isTag }: TagRow, index: number) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isOpen = rows.isOpen(name)
    const { key } = event
    if (key === 'ArrowDown') goTo(index + 1)
    else if (key === 'ArrowUp') goTo(index - 1)
    else if (key === ARROWS.end && below.length > 0) isOpen ? goTo(index + 1) : rows.onExpand(name)
    else if (key === ARROWS.start && below.length > 0 && isOpen) rows.onExpand(name)
    else if (key === ARROWS.start && depth > 0) goTo(tags.findLastIndex((tag, i) => i < index && tag.depth < depth))
    else if (key === 'F2') rows.onRename(name)
    else if (key === 'Delete' && isTag) rows.onDelete(name)
    else return
    event.preventDefault()
  }
  /** Returns the props of an element on which the dragged tag can be dropped. */
  const dropAt = (under: string) => ({
    'data-over': (dragged !== undefined && over === under) || undefined,
    onDragOver(event: DragEvent) {
      if (dragged === undefined || isWithin(dragged, under)) return
      event.preventDefault()
      setOver(under)
    },
    onDragLeave: () => setOver(undefined),
    onDrop(event: DragEvent) {
      event.preventDefault()
      if (dragged !== undefined) onMove(dragged, under)
      setDragged(undefined)
      setOver(undefined)
    }
  })
  return (
    <>
      {dragged?.includes('/') && (
        <Text size="sm" className={classes.top} {...dropAt('')}>
          {t`Move to the top level`}
        </Text>
      )}
      <ul
        ref={list}
        className="plain"
        aria-label={t`Tags`}
        style={{ position: 'relative', height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map((row) => {
          const tag = tags[row.index]
          if (!tag) return null
          const style = { transform: `translateY(${row.start - top}px)`, '--depth': tag.depth } as CSSProperties
          return (
            <li
              // The names of a tag and of a parent may differ only in case.
              key={`${tag.name} ${tag.isTag}`}
              className={classes.row}
              style={style}
              draggable
              onDragStart={(event) => {
                event.dataTransfer.setData('text/plain', tag.name)
                event.dataTransfer.effectAllowed = 'move'
                // After the browser has copied the row's look: a change of the page before would end the drag.
                setTimeout(() => setDragged(tag.name))
              }}
              onDragEnd={() => setDragged(undefined)}
              onKeyDown={(event) => onKeyDown(event, tag, row.index)}
              {...dropAt(tag.name)}
            >
              <Row tag={tag} {...rows} />
            </li>
          )
        })}
      </ul>
    </>
  )
}

const linkId = (name: string) => `tag-link-${name}`
const linkOf = (name: string) => document.getElementById(linkId(name))

function Row({
  tag,
  isOpen,
  onExpand,
  chosen,
  onToggle,
  onMenu
}: { tag: TagRow } & Omit<TagListProps, 'tags' | 'onMove'>) {
  const { name, label, bookmarks, isTag, below } = tag
  return (
    <>
      <Checkbox
        size="xs"
        aria-label={t`Select ${name}`}
        checked={chosen.has(name)}
        disabled={!isTag}
        readOnly
        onClick={(event: MouseEvent) => onToggle(name, event.shiftKey)}
      />
      <span className={classes.expand}>
        {below.length > 0 && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t`Tags in ${name}`}
            aria-expanded={isOpen(name)}
            onClick={() => onExpand(name)}
          >
            <IconChevronRight size={15} className="chevron" />
          </ActionIcon>
        )}
      </span>
      <Link
        href={searchAddress(tagFilter(name))}
        id={linkId(name)}
        className={classes.name ?? ''}
        draggable={false}
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
        onClick={({ currentTarget }) =>
          onMenu({ node: tag, box: currentTarget.getBoundingClientRect(), from: currentTarget })
        }
      >
        <IconDots size={18} stroke={1.6} />
      </ActionIcon>
    </>
  )
}
