import { UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { type ReactNode, useId } from 'react'
import { IconChevronRight } from '../../ui/icons/icons.ts'
import classes from './rail.module.css'

interface RailGroupProps {
  /** The key under which this machine remembers whether it is open. */
  id: string
  label: string
  children: ReactNode
}

/** Places of one kind under a heading, which hides and shows them. */
export function RailGroup({ id, label, children }: RailGroupProps) {
  const [open, setOpen] = useLocalStorage({
    key: `earmark-rail-${id}`,
    defaultValue: true,
    getInitialValueInEffect: false
  })
  const list = useId()
  return (
    <div className={classes.group}>
      <h2 className={classes.heading}>
        <UnstyledButton
          id={`rail-${id}`}
          className={classes.toggle ?? ''}
          aria-expanded={open}
          aria-controls={list}
          onClick={() => setOpen(!open)}
        >
          {label}
          <IconChevronRight size={13} className={classes.chevron ?? ''} />
        </UnstyledButton>
      </h2>
      <ul id={list} className={classes.list} aria-label={label} hidden={!open}>
        {children}
      </ul>
    </div>
  )
}
