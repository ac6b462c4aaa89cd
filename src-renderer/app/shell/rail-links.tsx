import { t } from '@lingui/core/macro'
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import {
  type ComponentProps,
  type CSSProperties,
  type DragEvent,
  type MouseEvent,
  useEffect,
  useRef,
  useState
} from 'react'
import { Link } from 'wouter'
import type { SavedSearch } from '../../../src-main/contract/rule.ts'
import { useSearchChanges } from '../../api/mutations.ts'
import { totalOptions } from '../../api/queries.ts'
import { queryOf, viewAt } from '../../features/bookmarks/search/view.ts'
import type { TagMenuPlace } from '../../features/tags/tag-menu.tsx'
import { number } from '../../lib/locale.ts'
import { useStore } from '../../lib/store.ts'
import type { TagNode } from '../../lib/tag-tree.ts'
import { askName } from '../../shared/dialogs.ts'
import { type DropPlace, dragging } from '../../shared/list-offers.ts'
import type { Icon } from '../../ui/icons/icon.tsx'
import {
  IconChevronRight,
  IconDots,
  IconListSearch,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconTrash
} from '../../ui/icons/icons.ts'
import classes from './rail.module.css'

export interface RailLinkProps {
  href: string
  icon: Icon
  label: string
  /** The number of bookmarks, or a text such as `1,000+`. */
  count?: number | string | undefined
  /** Whether the window shows this place. */
  current: boolean
  /** The target of bookmarks that are dropped on the link; without it, none can be dropped. */
  accepts?: DropPlace | undefined
  pin?: Pin | undefined
}

/** A place that can be pinned to the top of the rail. */
export interface Pin {
  name: string
  pinned: boolean
  onToggle(): void
}

/** Returns the id of a place's element. It stays the same if pinning moves the place. */
export const pinnedId = (name: string) => `rail-place-${name}`

/** A place in the rail. If it can be pinned, it has a button for that. */
export function RailLink(props: RailLinkProps) {
  const { label, pin } = props
  if (!pin) return <Place {...props} />
  const name = pin.pinned ? t`Unpin ${label}` : t`Pin ${label} to the top`
  const Icon = pin.pinned ? IconPinnedOff : IconPin
  return (
    <div className={classes.withMenu}>
      <Place {...props} />
      <More icon={Icon} aria-label={name} title={name} onClick={pin.onToggle} />
    </div>
  )
}

/** A button at the end of a place, visible while the pointer or the focus is on the place. */
function More({ icon: Icon, ...props }: ComponentProps<'button'> & { icon: Icon }) {
  return (
    <ActionIcon className={classes.more ?? ''} size={26} variant="subtle" color="gray" {...props}>
      <Icon size={16} stroke={1.6} />
    </ActionIcon>
  )
}

function Place({ href, icon: Icon, label, count, current, accepts, pin }: RailLinkProps) {
  const dragged = useStore(dragging)
  const [over, setOver] = useState(false)
  const takes = dragged !== undefined && accepts !== undefined
  function onDragOver(event: DragEvent) {
    if (!takes) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    setOver(true)
  }
  function onDrop(event: DragEvent) {
    setOver(false)
    if (!takes) return
    event.preventDefault()
    dragged.drop(accepts)
  }
  return (
    <Link
      href={href}
      id={pin && pinnedId(pin.name)}
      className={classes.link ?? ''}
      aria-current={current ? 'page' : undefined}
      draggable={false}
      data-takes={takes || undefined}
      data-over={(takes && over) || undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Icon size={18} stroke={1.6} />
      <span className={classes.label} title={label}>
        {label}
      </span>
      {count !== undefined && (
        <span className={classes.count}>{typeof count === 'number' ? number(count) : count}</span>
      )}
    </Link>
  )
}

/** The number of bookmarks that match a saved search; `undefined` while it loads, or if words of the search are missing. */
function useMatchCount(address: string): string | undefined {
  const view = viewAt(address)
  const { data } = useQuery(totalOptions(view && queryOf(view)))
  if (!data || data.relaxed) return undefined
  return `${number(data.total)}${data.atLeast ? '+' : ''}`
}

interface RailSearchProps {
  search: SavedSearch
  current: boolean
  pin: Pin
}

/** A saved search, with a menu. */
export function RailSearch({ search, current, pin }: RailSearchProps) {
  const { name, address } = search
  const { rename, drop } = useSearchChanges()
  const count = useMatchCount(address)
  const [menu, setMenu] = useState(false)
  const isDeleted = useRef(false)
  // The focus moves after the rail was rendered without this search, because the heading may disappear too.
  useEffect(() => () => void (isDeleted.current && setTimeout(focusNext)), [])
  function onDelete() {
    isDeleted.current = true
    drop.mutate(search, { onError: () => (isDeleted.current = false) })
  }
  const onRename = () =>
    askName({
      title: t`Rename “${name}”`,
      action: t`Rename`,
      name,
      missing: t`A saved search needs a name.`,
      onSubmit: (newName) => rename.mutateAsync({ search, name: newName })
    })
  return (
    <li
      className={classes.withMenu}
      onContextMenu={(event) => {
        event.preventDefault()
        setMenu(true)
      }}
    >
      <RailLink href={address} icon={IconListSearch} label={name} count={count} current={current} />
      <Menu opened={menu} onChange={setMenu} position="bottom-end" shadow="md">
        <Menu.Target>
          <More icon={IconDots} aria-label={t`More about ${name}`} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={pin.pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
            onClick={pin.onToggle}
          >
            {pin.pinned ? t`Unpin` : t`Pin to the top`}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onRename}>
            {t`Rename`}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={onDelete}>
            {t`Delete`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}

/** Moves the focus from the deleted search to its group's heading, or to the page if the group is gone too. */
function focusNext(): void {
  const next = document.getElementById('rail-searches') ?? document.getElementById('content')
  next?.focus()
}

interface RailTagProps extends RailLinkProps {
  /** The tag with those below it, for its menu. */
  node: TagNode
  onMenu(place: TagMenuPlace): void
  /** How many tags it is below. */
  depth: number
  /** Whether the tags below it are shown; `undefined` if there is none. */
  open: boolean | undefined
  onToggle(): void
}

/** A tag in the rail, and a button that shows the tags below it. Its context menu changes the whole branch. */
export function RailTag({ node, onMenu, depth, open, onToggle, ...link }: RailTagProps) {
  function onContextMenu(event: MouseEvent) {
    event.preventDefault()
    const from = (event.target as Element).closest<HTMLElement>('a, button') ?? document.body
    // The menu key opens the menu at the link, the mouse at the pointer.
    const box =
      event.clientX > 0
        ? { left: event.clientX, top: event.clientY, width: 0, height: 0 }
        : from.getBoundingClientRect()
    onMenu({ node, box, from })
  }
  return (
    <li
      className={classes.tag}
      style={{ '--depth': depth } as CSSProperties}
      data-parent={open !== undefined || undefined}
      onContextMenu={onContextMenu}
    >
      <RailLink {...link} />
      {open !== undefined && (
        <UnstyledButton
          className={classes.expand ?? ''}
          aria-label={t`Tags in ${link.label}`}
          aria-expanded={open}
          onClick={onToggle}
        >
          <IconChevronRight size={14} className="chevron" />
        </UnstyledButton>
      )}
    </li>
  )
}

/** The tags that are expanded in the rail, stored in the browser. */
export function useOpenTags() {
  const [names, setNames] = useLocalStorage<string[]>({
    key: 'earmark-rail-open-tags',
    defaultValue: [],
    getInitialValueInEffect: false
  })
  return {
    has: (name: string) => names.includes(name),
    toggle: (name: string) =>
      setNames(names.includes(name) ? names.filter((other) => other !== name) : [...names, name])
  }
}
