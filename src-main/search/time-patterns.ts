import { foldAccents } from './fold-letters.ts'
import { TIME_LANGUAGES, type TimeLanguage, UNSPACED_LANGUAGES } from './time-languages.ts'

/** A time from `start` to before `end`, or since `start`. */
export interface Period {
  start: Date
  end: Date | undefined
}

/** A pattern for times such as “3 weeks ago” in one language. */
interface TimePattern {
  /** The language code. */
  language: string
  pattern: RegExp
  /** @returns `undefined` for a time in the future, or before 1990 */
  readPeriod(match: RegExpExecArray, now: Date): Period | undefined
  /** Whether the time is one word, such as “today”. */
  isOneWord?: boolean
}

type Unit = 'day' | 'week' | 'month' | 'year'

const UNITS: Unit[] = ['day', 'week', 'month', 'year']

/** Periods with names: today, yesterday and the day before; this and last week, month and year. */
const NAMED_PERIODS: [Unit, number][] = UNITS.flatMap((unit) =>
  (unit === 'day' ? [0, 1, 2] : [0, 1]).map((ago): [Unit, number] => [unit, ago])
)

let cachedPatterns: { spaced: TimePattern[]; unspaced: TimePattern[] } | undefined

/**
 * Returns the patterns of languages with spaces between words, which match folded words with a space before and after each,
 * and those of languages without.
 */
export function timePatterns(): { spaced: TimePattern[]; unspaced: TimePattern[] } {
  const spaced = Object.entries(TIME_LANGUAGES)
  cachedPatterns ??= {
    spaced: [
      ...spaced.map(([language, words]) => monthPattern(language, words)),
      ...spaced.map(([language, words]) => yearPattern(language, words)),
      { language: 'en', pattern: / (?:last|past) (\d{1,3}) (day|week|month|year)s?(?= )/, readPeriod: lastPeriod },
      ...spaced.flatMap(([language, words]) => relativeTimes(language, words.numbers, (source) => ` ${source}(?= )`))
    ],
    unspaced: UNSPACED_LANGUAGES.flatMap((language) => [
      ...relativeTimes(language, '', (source) => `${WORD_START}${source}${WORD_END}`),
      { language, pattern: UNSPACED_MONTHS, readPeriod: unspacedMonths },
      { language, pattern: UNSPACED_YEAR, readPeriod: ([, year], now) => yearPeriod(year, now) }
    ])
  }
  return cachedPatterns
}

/** The start and the end of a time in Chinese and Japanese: not inside another word. */
const WORD_START = '(?<=^|[^\\p{Script=Han}\\d]|我|私)'
const WORD_END = '(?=$|[\\s\\x00-\\x7f]|の|に|は|的|保存|収藏|收藏|添加|追加|ブックマーク)'

/**
 * “last month”, “yesterday”, “3 weeks ago”, “two years ago”.
 *
 * @param numbers the words of `TimeLanguage.numbers`, or an empty string
 * @param delimit adds what must be before and after a time to its pattern
 */
function relativeTimes(language: string, numbers: string, delimit: (source: string) => string): TimePattern[] {
  const namedFormat = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const countedFormat = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  const named = NAMED_PERIODS.map(([unit, ago]) => ({
    unit,
    ago,
    source: foldTimeText(namedFormat.format(-ago, unit))
  }))
  const count = numbers === '' ? '(\\d{1,3})' : `(\\d{1,3}|${numbers})`
  // A space that `Intl` puts before or after the number is optional.
  const withCount = (_: string, before: string, after: string) => `${before && ' ?'}${count}${after && ' ?'}`
  const counted = UNITS.flatMap((unit) =>
    // The singular and the plural.
    [1, 5].map((number) => {
      const parts = countedFormat
        .formatToParts(-number, unit)
        .map(({ type, value }) => (type === 'integer' ? '#' : value))
      return { unit, source: foldTimeText(parts.join('')).replace(/( ?)#( ?)/, withCount) }
    })
  )
  const numberOf = (text = '') => (/^\d/.test(text) ? Number(text) : numbers.split('|').indexOf(text) + 1)
  return [
    ...named
      .filter(({ source }) => !/\d/.test(source))
      .map(({ unit, ago, source }) => ({
        language,
        pattern: RegExp(delimit(withVariants(source)), 'u'),
        readPeriod: (_: unknown, now: Date) => periodAgo(unit, ago, now),
        isOneWord: !source.includes(' ')
      })),
    ...counted.map(({ unit, source }) => ({
      language,
      pattern: RegExp(delimit(source), 'u'),
      readPeriod: ([, ago]: RegExpExecArray, now: Date) => periodAgo(unit, numberOf(ago), now)
    }))
  ]
}

/** Adds the inflected forms of German, “past” for “last” in English, and makes articles optional. */
function withVariants(source: string): string {
  return source
    .replace(/^(letzt|dies)e\w? /, '$1e[mnrs]? ')
    .replace(/^last /, '(?:last|past) ')
    .replace(/^(?:le|la|el|o|a) /, '')
}

/** “June to August”, “in June”, “June 2026”, “Sep 2017”. */
function monthPattern(language: string, words: TimeLanguage): TimePattern {
  const months = new Map<string, number>()
  // In other languages, short names are words: mar, set, out.
  for (const length of SHORT_MONTHS.has(language) ? (['long', 'short'] as const) : (['long'] as const)) {
    // British English abbreviates September as “Sept”.
    for (const locale of language === 'en' ? ['en', 'en-GB'] : [language]) {
      const format = new Intl.DateTimeFormat(locale, { month: length, timeZone: 'UTC' })
      for (let month = 0; month < 12; month++) {
        months.set(foldAccents(format.format(Date.UTC(2000, month, 15))).replace('.', ''), month)
      }
    }
  }
  const name = `(${[...months.keys()].sort((a, b) => b.length - a.length).join('|')})\\.?`
  const year = words.of === '' ? '(?: (\\d{4}))?' : `(?: (?:(?:${words.of}) )?(\\d{4}))?`
  const to = `(?: (?:${words.to}|-|–) ${name}${year})?`
  return {
    language,
    pattern: RegExp(` (?:(${words.in}) )?${name}${year}${to}(?= )`),
    readPeriod([, preposition, from = '', fromYear, last, lastYear], now) {
      if (preposition === undefined && fromYear === undefined && last === undefined) return undefined
      return monthsPeriod(
        { month: months.get(from) ?? 0, year: fromYear ?? lastYear },
        last === undefined ? undefined : { month: months.get(last) ?? 0, year: lastYear ?? fromYear },
        now
      )
    }
  }
}

const SHORT_MONTHS = new Set(['en', 'de'])

/** “in 2024”. */
function yearPattern(language: string, words: TimeLanguage): TimePattern {
  const pattern = RegExp(` (?:${words.in}) (\\d{4})(?= )`)
  return { language, pattern, readPeriod: ([, year], now) => yearPeriod(year, now) }
}

const MONTH = '(?:(\\d{4})年)?(?<!\\d)(\\d{1,2}|[一二三四五六七八九]|十[一二]?)月'
const UNSPACED_MONTHS = RegExp(`${MONTH}(?:(?:から|到|至|[~–-])${MONTH})?${WORD_END}`, 'u')
const UNSPACED_YEAR = RegExp(`(?<!\\d)(\\d{4})年${WORD_END}`, 'u')

function unspacedMonths([, fromYear, from = '', toYear, to]: RegExpExecArray, now: Date): Period | undefined {
  const first = { month: monthNumber(from) - 1, year: fromYear ?? toYear }
  return monthsPeriod(
    first,
    to === undefined ? undefined : { month: monthNumber(to) - 1, year: toYear ?? fromYear },
    now
  )
}

function monthNumber(text: string): number {
  const digits = '一二三四五六七八九十'
  return /\d/.test(text) ? Number(text) : [...text].reduce((sum, digit) => sum + digits.indexOf(digit) + 1, 0)
}

interface Month {
  month: number
  year: string | undefined
}

/** Months without a year are the latest ones that are not in the future. */
function monthsPeriod(from: Month, to: Month | undefined, now: Date): Period | undefined {
  const last = to ?? from
  if (from.month > 11 || last.month > 11) return undefined
  const usual = now.getFullYear() - (last.month > now.getMonth() ? 1 : 0)
  const endYear = last.year === undefined ? usual : Number(last.year)
  const startYear = to && from.month > to.month ? endYear - 1 : endYear
  return onlyPast({ start: new Date(startYear, from.month, 1), end: new Date(endYear, last.month + 1, 1) }, now)
}

function yearPeriod(year: string | undefined, now: Date): Period | undefined {
  return onlyPast({ start: new Date(Number(year), 0, 1), end: new Date(Number(year) + 1, 0, 1) }, now)
}

/** “the last 7 days”, which end today. */
function lastPeriod([, count, unit = 'day']: RegExpExecArray, now: Date): Period {
  return lastUnits(Number(count), unit as Unit, now)
}

/** Returns the last days, weeks, months or years, up to the end of today. */
export function lastUnits(count: number, unit: Unit, now: Date): Period {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const start = {
    day: new Date(year, month, day - count + 1),
    week: new Date(year, month, day - 7 * count + 1),
    month: new Date(year, month - count, day),
    year: new Date(year - count, month, day)
  }[unit]
  return { start, end: new Date(year, month, day + 1) }
}

/** Returns one day, week, month or year: this one if `ago` is 0, the last one if it is 1. A week begins on Monday. */
export function periodAgo(unit: Unit, ago: number, now: Date): Period {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const monday = day - ((now.getDay() + 6) % 7)
  const startOf = (offset: number) =>
    ({
      day: new Date(year, month, day + offset),
      week: new Date(year, month, monday + 7 * offset),
      month: new Date(year, month + offset, 1),
      year: new Date(year + offset, 0, 1)
    })[unit]
  return { start: startOf(-ago), end: startOf(1 - ago) }
}

/** Returns `undefined` for a period in the future or before 1990, in which no bookmark can have been saved. */
function onlyPast(readPeriod: Period, now: Date): Period | undefined {
  return readPeriod.start <= now && readPeriod.start.getFullYear() >= 1990 ? readPeriod : undefined
}

/** Returns the words of a query in lower case, without accents, and without French articles (`l'`, `d'`). */
export function foldTimeText(text: string): string {
  return foldAccents(text.replaceAll('’', "'")).replace(/(?<=^| )[ld]'/g, '')
}
