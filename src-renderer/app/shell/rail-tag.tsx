import { t } from '@lingui/core/macro'
import { UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { CSSProperties } from 'react'
import { IconChevronRight } from '../../ui/icons/icons.ts'
import classes from './rail.module.css'
import { RailLink, type RailLinkProps } from './rail-link.tsx'

interface RailTagProps extends RailLinkProps {
  /** How many tags it is below. */
  depth: number
  /** Whether the tags below it are shown; `undefined` where there is none. */
  open: boolean | undefined
  onToggle(): void
}

/** A tag in the rail, and a button that shows the tags below it. */
export function RailTag({ depth, open, onToggle, ...link }: RailTagProps) {
  return (
    <div
      className={classes.tag}
      style={{ '--depth': depth } as CSSProperties}
      data-parent={open !== undefined || undefined}
    >
      <RailLink {...link} />
      {open !== undefined && (
        <UnstyledButton
          className={classes.turn ?? ''}
          aria-label={t`Tags in ${link.label}`}
          aria-expanded={open}
          onClick={onToggle}
        >
          <IconChevronRight size={14} />
        </UnstyledButton>
      )}
    </div>
  )
}

/** The tags whose tags below are shown, which this machine remembers. */
export function useOpenTags() {
  const [names, setNames] = useLocalStorage<string[]>({
    key: 'earmark-rail-open-tags',
    defaultValue: [],
    getInitialValueInEffect: false
  })
  return {
    has: (name: string) => names.includes(name),
    toggle: (name: string) => setNames(names.includes(name) ? names.filter((one) => one !== name) : [...names, name])
  }
}
