/**
 * A year, a month, a day or a minute as ISO 8601 writes it, in universal time.
 *
 * @returns when it begins, in milliseconds since 1970; `undefined` for anything else
 */
export function dateRange(text: string): { start: number } | undefined {
  const [, year, month = '01', day = '01', time = '00:00'] =
    /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}:\d{2})Z)?)?)?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const start = Date.parse(`${year}-${month}-${day}T${time}:00Z`)
  // A day the month does not have is carried into the next by some engines.
  return new Date(start).getUTCDate() === Number(day) ? { start } : undefined
}
