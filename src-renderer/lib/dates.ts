import { t } from '@lingui/core/macro'
import { locale } from './locale.ts'

const SHORT = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const LONG = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const TIME = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** Returns a date for a list: the time if it is today, otherwise the day, with the year if it is another year. */
export function listDate(iso: string, now = new Date()): string {
  const date = new Date(iso)
  if (daysBefore(date, now) === 0) return TIME.format(date)
  return date.getFullYear() === now.getFullYear() ? SHORT.format(date) : LONG.format(date)
}

/** Returns a date for a list with headings, without the part that the heading shows: see `dateGroup`. */
export function dateInGroup(iso: string, now = new Date()): string {
  const date = new Date(iso)
  const days = daysBefore(date, now)
  if (days === 0 || days === 1) return TIME.format(date)
  return days > 1 && days <= 7 ? WEEKDAY.format(date) : SHORT.format(date)
}

function daysBefore(date: Date, now: Date): number {
  return Math.round((midnight(now) - midnight(date)) / DAY_MS)
}

const WEEKDAY = new Intl.DateTimeFormat(locale, { weekday: 'short' })

const MONTH = new Intl.DateTimeFormat(locale, { month: 'long' })
const MONTH_OF_YEAR = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Returns the heading of a date in a list, in the local time zone: today, yesterday, the last 7 days, otherwise the
 * month.
 */
export function dateGroup(iso: string, now = new Date()): string {
  const date = new Date(iso)
  const days = daysBefore(date, now)
  if (days === 0) return t`Today`
  if (days === 1) return t`Yesterday`
  if (days > 1 && days <= 7) return t`Last 7 days`
  return (date.getFullYear() === now.getFullYear() ? MONTH : MONTH_OF_YEAR).format(date)
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

/** A day with its year. */
export function longDate(iso: string): string {
  return LONG.format(new Date(iso))
}

/** The time of day alone. */
export function timeOfDay(iso: string): string {
  return TIME.format(new Date(iso))
}

/** A day and the time of day. */
export function exactDate(iso: string): string {
  return EXACT.format(new Date(iso))
}
