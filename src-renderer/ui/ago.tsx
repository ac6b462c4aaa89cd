import { useEffect, useState } from 'react'
import { locale } from '../lib/locale.ts'

const RELATIVE = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

/** Largest first, in milliseconds. */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
] as const

/** How long ago something was, kept up to date; pointing at it shows exactly when. */
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
