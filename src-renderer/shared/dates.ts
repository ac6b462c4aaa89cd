const SHORT = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const LONG = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** A day as a list shows it: the year only where it is not this one. */
export function shortDate(iso: string): string {
  const date = new Date(iso)
  return date.getFullYear() === new Date().getFullYear() ? SHORT.format(date) : LONG.format(date)
}

/** A day with its year. */
export function longDate(iso: string): string {
  return LONG.format(new Date(iso))
}

/** A day and the time of day. */
export function exactDate(iso: string): string {
  return EXACT.format(new Date(iso))
}
