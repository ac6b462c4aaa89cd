/** Formats a time as ISO 8601, in UTC. */
export function isoTime(time: number): string
export function isoTime(time: number | null): string | null
export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** Formats a time’s day, in UTC: `2026-01-31`. */
export function isoDay(time: number): string {
  return isoTime(time).slice(0, 10)
}

/** Formats a time’s day, in this machine’s time zone: `2026-01-31`. */
export function localDay(time: number): string {
  const date = new Date(time)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}

/** Formats a time as queries write it: the start of a day in this machine’s time zone as that day, others in UTC. */
export function queryTime(time: number): string {
  const date = new Date(time)
  const startOfDay = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  return time === startOfDay ? localDay(time) : isoTime(time).replace(/:00\.000Z$/, 'Z')
}

/** Returns a time’s day as a number, in this machine’s time zone: 20260131. */
export function dayNumber(time: number): number {
  const date = new Date(time)
  return (date.getFullYear() * 100 + date.getMonth() + 1) * 100 + date.getDate()
}
