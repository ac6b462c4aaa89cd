import { Box } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { locale } from '../lib/locale.ts'
import classes from './facts.module.css'

/** Terms with their values, in columns of at least this width. */
export function Facts({ width, children }: { width: string; children: ReactNode }) {
  return (
    <Box
      component="dl"
      display="grid"
      m={0}
      style={{ gap: '0.8rem 1.25rem', gridTemplateColumns: `repeat(auto-fill, minmax(${width}, 1fr))` }}
    >
      {children}
    </Box>
  )
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <Box component="dt" c="dimmed" fz="xs">
        {term}
      </Box>
      <Box component="dd" m={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </div>
  )
}

const RELATIVE = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

/** Units and their lengths in ms, longest first. */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
] as const

/** The time since a date, updated every 30 s. The tooltip shows the exact date. */
export function Ago({ iso }: { iso: string }) {
  const [now, setNow] = useState(Date.now)

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])

  const time = Date.parse(iso)
  return (
    <time dateTime={iso} title={EXACT.format(time)}>
      {ago(Math.max(now, Date.now()) - time)}
    </time>
  )
}

function ago(elapsed: number): string {
  const unit = UNITS.find(([, length]) => elapsed >= length)
  return unit ? RELATIVE.format(-Math.floor(elapsed / unit[1]), unit[0]) : RELATIVE.format(0, 'second')
}

/** A dot that is green while something is connected, with a text for screen readers. */
export function LiveDot({ live, label }: { live: boolean; label: string }) {
  return <span className={classes.dot} data-live={live || undefined} role="img" aria-label={label} title={label} />
}
