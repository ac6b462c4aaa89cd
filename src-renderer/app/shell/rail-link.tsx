import { t } from '@lingui/core/macro'
import { ActionIcon } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { Link } from 'wouter'
import { number } from '../../lib/locale.ts'
import { useStore } from '../../lib/store.ts'
import { type DropPlace, dragging } from '../../shared/list-offers.ts'
import type { Icon } from '../../ui/icons/icon.tsx'
import { IconPin, IconPinnedOff } from '../../ui/icons/icons.ts'
import classes from './rail.module.css'

export interface RailLinkProps {
  href: string
  icon: Icon
  label: string
  /** How many bookmarks there are: a number, or words for one. */
  count?: number | string | undefined
  /** Whether it leads to what is shown. */
  current: boolean
  /** Bookmarks can be dropped on it. */
  accepts?: DropPlace | undefined
  pin?: Pin | undefined
}

/** A place that can be pinned to the top of the rail. */
export interface Pin {
  name: string
  pinned: boolean
  onToggle(): void
}

/** The element of a place by what it is pinned as, which it stays wherever it is moved to. */
export const pinnedId = (name: string) => `rail-place-${name}`

/** One place in the rail, with a button that pins it where it can be. */
export function RailLink(props: RailLinkProps) {
  const { label, pin } = props
  if (!pin) return <Place {...props} />
  const name = pin.pinned ? t`Unpin ${label}` : t`Pin ${label} to the top`
  const Icon = pin.pinned ? IconPinnedOff : IconPin
  return (
    <div className={classes.withMenu}>
      <Place {...props} />
      <ActionIcon
        className={classes.more ?? ''}
        size={26}
        variant="subtle"
        color="gray"
        aria-label={name}
        title={name}
        onClick={pin.onToggle}
      >
        <Icon size={15} stroke={1.6} />
      </ActionIcon>
    </div>
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
