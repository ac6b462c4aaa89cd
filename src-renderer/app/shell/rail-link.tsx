import { Link } from 'wouter'
import { common } from '../../strings/common.ts'
import type { Icon } from '../../ui/icons/icon.tsx'
import classes from './rail.module.css'

interface RailLinkProps {
  href: string
  icon: Icon
  label: string
  count?: number | undefined
  /** Whether it leads to what is shown. */
  current: boolean
}

/** One place in the rail. */
export function RailLink({ href, icon: Icon, label, count, current }: RailLinkProps) {
  return (
    <Link href={href} className={classes.link ?? ''} aria-current={current ? 'page' : undefined}>
      <Icon size={18} stroke={1.6} />
      <span className={classes.label} title={label}>
        {label}
      </span>
      {count !== undefined && <span className={classes.count}>{common.number(count)}</span>}
    </Link>
  )
}
