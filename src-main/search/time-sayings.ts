import { foldAccents } from './fold-letters.ts'
import { TIME_LANGUAGES, type TimeLanguage, UNSPACED_LANGUAGES } from './time-languages.ts'

/** A time from `start` to before `end`, or since `start`. */
export interface Period {
  start: Date
  end: Date | undefined
}

/** A way to say when something was. */
interface Saying {
  /** The code of its language. */
  language: string
  pattern: RegExp
  /** @returns `undefined` where it is no time that has been */
  period(match: RegExpExecArray, now: Date): Period | undefined
  /** Whether it is one word, such as “today”. */
  oneWord?: boolean
}

type Unit = 'day' | 'week' | 'month' | 'year'

const UNITS: Unit[] = ['day', 'week', 'month', 'year']

/** Today back to the day before yesterday; this and last week, month and year. */
const NAMED: [Unit, number][] = UNITS.flatMap((unit) =>
  (unit === 'day' ? [0, 1, 2] : [0, 1]).map((ago): [Unit, number] => [unit, ago])
)

let all: { spaced: Saying[]; unspaced: Saying[] } | undefined

/** All ways, of languages with spaces between words and of those without. Words are folded, and stand between spaces. */
export function sayings(): { spaced: Saying[]; unspaced: Saying[] } {
  const spaced = Object.entries(TIME_LANGUAGES)
  all ??= {
    spaced: [
      ...spaced.map(([language, words]) => monthsIn(language, words)),
      ...spaced.map(([language, words]) => yearIn(language, words)),
      { language: 'en', pattern: / (?:last|past) (\d{1,3}) (day|week|month|year)s?(?= )/, period: lastFew },
      ...spaced.flatMap(([language, words]) => relative(language, words.numbers, (source) => ` ${source}(?= )`))
    ],
    unspaced: UNSPACED_LANGUAGES.flatMap((language) => [
      ...relative(language, '', (source) => `${APART}${source}${ENDED}`),
      { language, pattern: UNSPACED_MONTHS, period: unspacedMonths },
      { language, pattern: UNSPACED_YEAR, period: ([, year], now) => yearPeriod(year, now) }
    ])
  }
  return all
}

/** Not the end, or the beginning, of another word. */
const APART = '(?<=^|[^\\p{Script=Han}\\d]|我|私)'
const ENDED = '(?=$|[\\s\\x00-\\x7f]|の|に|は|的|保存|収藏|收藏|添加|追加|ブックマーク)'

/** “last month”, “yesterday”, “3 weeks ago”, “two years ago”. */
function relative(language: string, numbers: string, whole: (source: string) => string): Saying[] {
  const named = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const counted = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  const fixed = NAMED.map(([unit, ago]) => ({ unit, ago, source: foldQuestion(named.format(-ago, unit)) }))
  const count = numbers === '' ? '(\\d{1,3})' : `(\\d{1,3}|${numbers})`
  // A number may stand close where the language has no spaces; one with spaces has them around it.
  const numbered = (_: string, before: string, behind: string) => `${before && ' ?'}${count}${behind && ' ?'}`
  const ways = UNITS.flatMap((unit) =>
    [1, 5].map((some) => {
      const parts = counted.formatToParts(-some, unit).map(({ type, value }) => (type === 'integer' ? '#' : value))
      return { unit, source: foldQuestion(parts.join('')).replace(/( ?)#( ?)/, numbered) }
    })
  )
  const numberOf = (text = '') => (/^\d/.test(text) ? Number(text) : numbers.split('|').indexOf(text) + 1)
  return [
    ...fixed
      .filter(({ source }) => !/\d/.test(source))
      .map(({ unit, ago, source }) => ({
        language,
        pattern: RegExp(whole(inOtherForms(source)), 'u'),
        period: (_: unknown, now: Date) => periodOf(unit, ago, now),
        oneWord: !source.includes(' ')
      })),
    ...ways.map(({ unit, source }) => ({
      language,
      pattern: RegExp(whole(source), 'u'),
      period: ([, ago]: RegExpExecArray, now: Date) => periodOf(unit, numberOf(ago), now)
    }))
  ]
}

/** German bends its words, English also says “past”, and articles may be left out. */
function inOtherForms(source: string): string {
  return source
    .replace(/^(letzt|dies)e\w? /, '$1e[mnrs]? ')
    .replace(/^last /, '(?:last|past) ')
    .replace(/^(?:le|la|el|o|a) /, '')
}

/** “June to August”, “in June”, “June 2026”, “Sep 2017”. */
function monthsIn(language: string, words: TimeLanguage): Saying {
  const months = new Map<string, number>()
  // Elsewhere short names are words: mar, set, out.
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
    period([, placed, from = '', fromYear, last, lastYear], now) {
      if (placed === undefined && fromYear === undefined && last === undefined) return undefined
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
function yearIn(language: string, words: TimeLanguage): Saying {
  const pattern = RegExp(` (?:${words.in}) (\\d{4})(?= )`)
  return { language, pattern, period: ([, year], now) => yearPeriod(year, now) }
}

const MONTH = '(?:(\\d{4})年)?(?<!\\d)(\\d{1,2}|[一二三四五六七八九]|十[一二]?)月'
const UNSPACED_MONTHS = RegExp(`${MONTH}(?:(?:から|到|至|[~–-])${MONTH})?${ENDED}`, 'u')
const UNSPACED_YEAR = RegExp(`(?<!\\d)(\\d{4})年${ENDED}`, 'u')

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

/** Without a year it is the last time that there was such a month. */
function monthsPeriod(from: Month, to: Month | undefined, now: Date): Period | undefined {
  const last = to ?? from
  if (from.month > 11 || last.month > 11) return undefined
  const usual = now.getFullYear() - (last.month > now.getMonth() ? 1 : 0)
  const endYear = last.year === undefined ? usual : Number(last.year)
  const startYear = to && from.month > to.month ? endYear - 1 : endYear
  return past({ start: new Date(startYear, from.month, 1), end: new Date(endYear, last.month + 1, 1) }, now)
}

function yearPeriod(year: string | undefined, now: Date): Period | undefined {
  return past({ start: new Date(Number(year), 0, 1), end: new Date(Number(year) + 1, 0, 1) }, now)
}

/** The days up to today, as “the last 7 days” means them. */
function lastFew([, count, unit = 'day']: RegExpExecArray, now: Date): Period {
  return lastUnits(Number(count), unit as Unit, now)
}

/** Returns the time of the last few days, weeks, months or years up to the end of today. */
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

/** Returns the day, week, month or year so many ago. A week begins on Monday. */
export function periodOf(unit: Unit, ago: number, now: Date): Period {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const monday = day - ((now.getDay() + 6) % 7)
  const at = (later: number) =>
    ({
      day: new Date(year, month, day - ago + later),
      week: new Date(year, month, monday + 7 * (later - ago)),
      month: new Date(year, month - ago + later, 1),
      year: new Date(year - ago + later, 0, 1)
    })[unit]
  return { start: at(0), end: at(1) }
}

/** Returns only a period in which somebody can have saved something. */
function past(period: Period, now: Date): Period | undefined {
  return period.start <= now && period.start.getFullYear() >= 1990 ? period : undefined
}

/** Folds words of a question: in lower case and without accents, as in the index, and without a French article. */
export function foldQuestion(text: string): string {
  return foldAccents(text.replaceAll('’', "'")).replace(/(?<=^| )[ld]'/g, '')
}
