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

/** Returns a time’s day as a number, in this machine’s time zone: 20260131. */
export function dayNumber(time: number): number {
  const date = new Date(time)
  return (date.getFullYear() * 100 + date.getMonth() + 1) * 100 + date.getDate()
}
