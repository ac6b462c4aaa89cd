import { type DragEvent, useState } from 'react'
import { Link } from 'wouter'
import { type DropPlace, dragging } from '../../shared/dragging.ts'
import { useStore } from '../../shared/store.ts'
import { common } from '../../strings/common.ts'
import type { Icon } from '../../ui/icons/icon.tsx'
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
}

/** One place in the rail. */
export function RailLink({ href, icon: Icon, label, count, current, accepts }: RailLinkProps) {
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
        <span className={classes.count}>{typeof count === 'number' ? common.number(count) : count}</span>
      )}
    </Link>
  )
}
