/** The years that ISO 8601 writes with four digits: with others, an export could not be read back. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** 1601 to 1970, in milliseconds: Windows and Chrome count from 1601. */
const SINCE_1601 = 11_644_473_600_000

/** A time from then on, in milliseconds, is not one that counts from 1601: it would be in the year 2108. */
const LATEST_SINCE_1601 = 16_000_000_000_000

/** Which comes first in the dates of a column that are written as `1/2/2023`. */
export type DateOrder = 'day' | 'month' | undefined

/**
 * Milliseconds since 1970, of a number of seconds, milliseconds or microseconds since 1970 or 1601, told apart by their
 * size (formats say which they mean, and files hold them all), or of a date in words or digits.
 */
export function dateOf(value: unknown): number | undefined {
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return undefined
  const number = typeof value === 'string' && !DECIMAL.test(value) ? Number.NaN : Number(value)
  if (Number.isNaN(number)) return typeof value === 'string' ? writtenDate(value) : undefined
  if (!Number.isFinite(number) || number <= 0) return undefined
  const time = number < 1e11 ? number * 1e3 : number < 1e14 ? number : number / 1e3
  return within(time >= SINCE_1601 && time < LATEST_SINCE_1601 ? time - SINCE_1601 : time)
}

/** Not hexadecimal, which `Number` reads too. */
const DECIMAL = /^\s*[-+]?[\d.]+(e[-+]?\d+)?\s*$/i

/** Returns a date that cannot be read, so that it can be counted as dropped. */
export function unreadDate(value: unknown): unknown {
  return dateOf(value) === undefined ? value : undefined
}

/** Below this, a number in a table is no count of seconds: it would be a time before March 1973. */
const EARLIEST_SECONDS = 1e8

/** Days from 1899-12-30, from which spreadsheets count, to 1970. */
const SPREADSHEET_EPOCH_DAYS = 25_569

/** Reads a date as `dateOf`, and as spreadsheets write one: as a number of days, `20231231`, or in a country's order. */
export function dateInTable(cell: string, order: DateOrder): number | undefined {
  const text = cell.trim()
  const number = Number(text)
  if (Number.isNaN(number)) return writtenDate(text, order)
  if (number >= EARLIEST_SECONDS) return dateOf(number)
  const compact = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text)
  if (compact) return writtenDate(compact.slice(1).join('-'))
  const isDays = /^[2-7]\d{4}([.]\d+)?$/.test(text) // 1954 to 2119
  return isDays ? within((number - SPREADSHEET_EPOCH_DAYS) * 86_400_000) : undefined
}

/** The order of the dates in a column: that of the first whose day can be no month, unless others contradict it. */
export function orderOf(cells: string[]): DateOrder {
  const orders = new Set<DateOrder>()
  for (const cell of cells) {
    const [, first = 0, second = 0] = (/^(\d\d?)[/-](\d\d?)[/-]\d{4}\b/.exec(cell.trim()) ?? []).map(Number)
    if (first > 12 && second <= 12) orders.add('day')
    if (second > 12 && first <= 12) orders.add('month')
  }
  return orders.size === 1 ? [...orders][0] : undefined
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+/i

/** Ways to write a day. Dates with points have the day first; those with slashes or hyphens have either first. */
const DAYS = [
  /^(?<year>\d{4})([-/.])(?<month>\d\d?)\2(?<day>\d\d?)(?!\d)/,
  /^(?<first>\d\d?)([/-])(?<second>\d\d?)\2(?<year>\d{4})(?!\d)/,
  /^(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})(?!\d)/,
  new RegExp(`^(?<name>${MONTH})\\.?\\s+(?<day>\\d\\d?)(?:st|nd|rd|th)?,?\\s+(?<year>\\d{4})(?!\\d)`, 'i'),
  new RegExp(`^(?<day>\\d\\d?)(?:st|nd|rd|th|\\.)?[ -](?<name>${MONTH})\\.?,?[ -](?<year>\\d{4})(?!\\d)`, 'i')
]
const TIME =
  /^(?:t|,?\s+(?:at\s+)?)(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?:\s*(?<half>[ap])\.?m\.?)?\s*(?:utc|gmt|z)?(?<zone>[+-]\d\d(?::?\d\d)?)?(?:\s+(?:utc|gmt|\([^)]{0,40}\)))?$/i

/**
 * Only what can be read in one way; every runtime's own parser makes something else of the rest. A time without a zone
 * is UTC.
 */
function writtenDate(written: string, order?: DateOrder): number | undefined {
  const text = written
    .trim()
    .replace(WEEKDAY, '')
    .replace(/\u202f/g, ' ')
  const match = DAYS.map((pattern) => pattern.exec(text)).find((found) => found !== null)
  const day = match && isoDay(match.groups ?? {}, order)
  const time = match && isoTimeOfDay(text.slice(match[0].length))
  if (!day || !time) return undefined
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Some runtimes take February 31 for March 3.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  const milliseconds = Date.parse(`${day}T${time}`)
  return Number.isNaN(milliseconds) ? undefined : within(milliseconds)
}

function isoDay({ year, month, day, name, first, second }: Record<string, string | undefined>, order: DateOrder) {
  const iso = (monthNumber: number, dayNumber: number) =>
    `${year}-${String(monthNumber).padStart(2, '0')}-${String(dayNumber).padStart(2, '0')}`
  if (name !== undefined) return iso(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1, Number(day))
  if (first === undefined) return iso(Number(month), Number(day))
  const [one, other] = [Number(first), Number(second)]
  if (order === 'day' || (order === undefined && (one > 12 || one === other))) return iso(other, one)
  return order === 'month' || other > 12 ? iso(one, other) : undefined
}

function isoTimeOfDay(text: string): string | undefined {
  if (text === '') return '00:00Z'
  const { hour, minute, second = '00', fraction = '', half, zone = 'Z' } = TIME.exec(text)?.groups ?? {}
  if (hour === undefined) return undefined
  const hours = half === undefined ? Number(hour) : hourOf(Number(hour), half.toLowerCase())
  if (hours === undefined) return undefined
  const digits = zone === 'Z' ? '' : zone.slice(1).replace(':', '').padEnd(4, '0')
  const offset = zone === 'Z' ? zone : `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
  return `${String(hours).padStart(2, '0')}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`
}

/** An hour of a clock with 12 hours; 12 AM is midnight. */
function hourOf(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

function within(milliseconds: number): number | undefined {
  const rounded = Math.round(milliseconds)
  return rounded >= EARLIEST && rounded <= LATEST ? rounded : undefined
}
