import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** Terms and what holds of them, in columns of at least this width. */
export function Facts({ width, children }: { width: string; children: ReactNode }) {
  return (
    <dl className={classes.facts} style={{ gridTemplateColumns: `repeat(auto-fill, minmax(${width}, 1fr))` }}>
      {children}
    </dl>
  )
}

/** One of them. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
