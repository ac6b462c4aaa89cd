import { LIMITS } from '../contract/bookmark.ts'
import type { Dropped } from '../contract/import-report.ts'
import { STATES, type State } from '../contract/tag-names.ts'

/** Returns the kinds of data that a record has and a bookmark cannot store. */
export function droppedIn(fields: Partial<Record<Dropped, unknown>>): Dropped[] | undefined {
  const all = Object.entries(fields).filter(([, value]) => isFilledIn(value))
  return all.length === 0 ? undefined : (all.map(([kind]) => kind) as Dropped[])
}

/** Many programs write `null`, 0, an empty text or an empty list for a missing value. */
function isFilledIn(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value.trim() !== '0'
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

/** Joins the texts that are not blank to one description, with an empty line between them. */
export function joined(texts: string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}

/** Returns the author as a line of the description, because a bookmark has no field for the author. */
export function byAuthor(author: string): string {
  return author.trim() === '' ? '' : `By ${author.trim()}`
}

/** Returns the tags of the states that are set. Formats add them after the owner's tags. */
export function stateTags(states: Partial<Record<State, boolean>>): string[] {
  return STATES.filter((state) => states[state])
}

/** Whether a bookmark is a separator. Vivaldi stores a separator as a bookmark with this address. */
export function isSeparator(url: string): boolean {
  return /^https?:\/\/bookmark\.placeholder\.url\/?$/.test(url)
}

/** Whether a flag is set. Files write `1`, `"1"` or `true`. */
export function isSet(flag: unknown): boolean {
  return flag === true || flag === 1 || (typeof flag === 'string' && /^(1|true|yes)$/i.test(flag.trim()))
}

/** Yields the lines of a text, each with its line feed. */
export function* splitLines(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed + 1
    yield text.slice(start, end)
    start = end
  }
}

export function countLineFeeds(text: string): number {
  let count = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count += 1
  return count
}

/** Maximum depth of a path that becomes a tag. Deeper folders keep their outer path. */
export const MAX_DEPTH = 16

interface Path {
  text: string
  depth: number
}

/** The path of the folders around the current position. Lists that add no folder are only counted. */
export class FolderPath {
  /** Outermost first, each with the number of lists in a row that have this path. */
  readonly #paths: { path: Path; lists: number }[] = []

  /** The names of the folders, with a slash between them; empty outside of all folders. */
  get text(): string {
    return this.#paths.at(-1)?.path.text ?? ''
  }

  /** @param folder its name; empty for a list that belongs to no folder */
  enter(folder: string): void {
    const around = this.#paths.at(-1)
    const path = within(around?.path ?? OUTSIDE, folder)
    if (around?.path === path) around.lists += 1
    else this.#paths.push({ path, lists: 1 })
  }

  leave(): void {
    const last = this.#paths.at(-1)
    if (!last) return
    last.lists -= 1
    if (last.lists === 0) this.#paths.pop()
  }
}

const OUTSIDE: Path = { text: '', depth: 0 }

function within(around: Path, folder: string): Path {
  if (folder === '' || around.depth === MAX_DEPTH) return around
  return { text: around.text === '' ? folder : `${around.text}/${folder}`, depth: around.depth + 1 }
}

/** Returns a folder's name as part of a path. A slash in it is replaced, because it would separate two folders. */
export function folderName(text: string): string {
  return text.slice(0, LIMITS.title).replaceAll('/', '-')
}

/** A list or collection that may be inside another. */
export interface NamedList {
  name: string
  /** The id of the list around it; empty if there is none. */
  parent: string
}

/** Returns the path of the list with this id, such as `Work/Client`. It ends at a list that contains itself. */
export function listPath(lists: Map<string, NamedList>, id: string): string {
  const names: string[] = []
  const visited = new Set<string>()
  for (let current = id; names.length < MAX_DEPTH && !visited.has(current); ) {
    const list = lists.get(current)
    if (!list) break
    visited.add(current)
    const name = folderName(list.name.trim())
    if (name !== '') names.unshift(name)
    current = list.parent
  }
  return names.join('/')
}

/** Limits of dates. ISO 8601 writes these years with four digits. Earmark's own format reads no others. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Milliseconds from 1601 to 1970. Windows and Chrome count from 1601. */
const SINCE_1601 = 11_644_473_600_000

/** Maximum time that is read as milliseconds since 1601. It is in the year 2108. */
const LATEST_SINCE_1601 = 16_000_000_000_000

/** The meaning of the first number in a column's dates, such as `1/2/2023`. */
export type DateOrder = 'day' | 'month' | undefined

/**
 * Returns a date in milliseconds since 1970. Reads a date in words or digits, or a number of seconds, milliseconds or
 * microseconds since 1970 or 1601. The size of the number decides, because files do not always use the unit of their
 * format.
 */
export function readDate(value: unknown): number | undefined {
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return undefined
  const number = typeof value === 'string' && !DECIMAL.test(value) ? Number.NaN : Number(value)
  if (Number.isNaN(number)) return typeof value === 'string' ? writtenDate(value) : undefined
  if (!Number.isFinite(number) || number <= 0) return undefined
  const time = number < 1e11 ? number * 1e3 : number < 1e14 ? number : number / 1e3
  return inRange(time >= SINCE_1601 && time < LATEST_SINCE_1601 ? time - SINCE_1601 : time)
}

/** A decimal number. `Number` also reads hexadecimal ones. */
const DECIMAL = /^\s*[-+]?[\d.]+(e[-+]?\d+)?\s*$/i

/** Returns the value if it cannot be read as a date, so that it can be counted as dropped. */
export function unreadDate(value: unknown): unknown {
  return readDate(value) === undefined ? value : undefined
}

/** Minimum number in a table that is read as seconds since 1970. A smaller one would be a time before March 1973. */
const EARLIEST_SECONDS = 1e8

/** Days from 1899-12-30, from which spreadsheets count, to 1970. */
const SPREADSHEET_EPOCH_DAYS = 25_569

/** Reads a date as `readDate`, and the forms of spreadsheets: a number of days, `20231231`, or a country's order. */
export function readTableDate(cell: string, order: DateOrder): number | undefined {
  const text = cell.trim()
  const number = Number(text)
  if (Number.isNaN(number)) return writtenDate(text, order)
  if (number >= EARLIEST_SECONDS) return readDate(number)
  const compact = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text)
  if (compact) return writtenDate(compact.slice(1).join('-'))
  const isDays = /^[2-7]\d{4}([.]\d+)?$/.test(text) // 1954 to 2119
  return isDays ? inRange((number - SPREADSHEET_EPOCH_DAYS) * 86_400_000) : undefined
}

/**
 * Returns the order of the dates in a column. A number above 12 is the day. Returns `undefined` if no date shows the
 * order, or if dates contradict each other.
 */
export function detectDateOrder(cells: string[]): DateOrder {
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

/** Ways to write a day. Dates with points have the day first; those with slashes or hyphens may have either first. */
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
 * Reads a date that has a single meaning. Other dates are not read, because the parsers of runtimes differ in how they
 * read them. A time without a zone is UTC.
 */
function writtenDate(written: string, order?: DateOrder): number | undefined {
  const text = written
    .trim()
    .replace(WEEKDAY, '')
    .replace(/\u202f/g, ' ')
  const match = DAYS.map((pattern) => pattern.exec(text)).find((result) => result !== null)
  const day = match && isoDay(match.groups ?? {}, order)
  const time = match && isoTimeOfDay(text.slice(match[0].length))
  if (!day || !time) return undefined
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Some runtimes take February 31 for March 3.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  const milliseconds = Date.parse(`${day}T${time}`)
  return Number.isNaN(milliseconds) ? undefined : inRange(milliseconds)
}

function isoDay({ year, month, day, name, first, second }: Record<string, string | undefined>, order: DateOrder) {
  const iso = (monthNumber: number, dayNumber: number) =>
    `${year}-${String(monthNumber).padStart(2, '0')}-${String(dayNumber).padStart(2, '0')}`
  if (name !== undefined) return iso(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1, Number(day))
  if (first === undefined) return iso(Number(month), Number(day))
  const [left, right] = [Number(first), Number(second)]
  if (order === 'day' || (order === undefined && (left > 12 || left === right))) return iso(right, left)
  return order === 'month' || right > 12 ? iso(left, right) : undefined
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

/** Converts an hour of a 12-hour clock. 12 AM is midnight. */
function hourOf(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

function inRange(milliseconds: number): number | undefined {
  const rounded = Math.round(milliseconds)
  return rounded >= EARLIEST && rounded <= LATEST ? rounded : undefined
}
