/** A time as ISO 8601 has it, in UTC. */
export function isoTime(time: number): string
export function isoTime(time: number | null): string | null
export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** The day a time is of, in UTC: `2026-01-31`. */
export function isoDay(time: number): string {
  return isoTime(time).slice(0, 10)
}
