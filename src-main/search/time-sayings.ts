import { foldAccents } from './fold-letters.ts'

/** A time from `start` to before `end`, or since `start`. */
export interface Period {
  start: Date
  end: Date | undefined
}

/** A way to say when something was. */
interface Saying {
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

const SPACED = ['en', 'de', 'fr', 'es']
const UNSPACED = ['ja', 'zh-Hans', 'zh-Hant']

let all: { spaced: Saying[]; unspaced: Saying[] } | undefined

/**
 * How each language says it, of those with spaces between words and those without. It comes from Unicode's CLDR by `Intl`
 * (decision 026). Words are folded, and stand between spaces.
 */
export function sayings(): { spaced: Saying[]; unspaced: Saying[] } {
  all ??= {
    spaced: [
      ...SPACED.flatMap(months),
      { pattern: / (?:in|en|im jahr|en el ano) (\d{4})(?= )/, period: ([, year], now) => yearPeriod(year, now) },
      { pattern: / (?:last|past) (\d{1,3}) (day|week|month|year)s?(?= )/, period: lastFew },
      ...SPACED.flatMap((language) => relative(language, (source) => ` ${source}(?= )`))
    ],
    unspaced: [
      ...UNSPACED.flatMap((language) => relative(language, (source) => `${APART}${source}${ENDED}`)),
      { pattern: RegExp(`${MONTH}(?:(?:から|到|至|[~–-])${MONTH})?${ENDED}`, 'u'), period: unspacedMonths },
      { pattern: RegExp(`(?<!\\d)(\\d{4})年${ENDED}`, 'u'), period: ([, year], now) => yearPeriod(year, now) }
    ]
  }
  return all
}

/** Not the end, or the beginning, of another word. */
const APART = '(?<=^|[^\\p{Script=Han}\\d]|我|私)'
const ENDED = '(?=$|[\\s\\x00-\\x7f]|の|に|は|的|保存|収藏|收藏|添加|追加|ブックマーク)'

/** “last month”, “yesterday”, “3 weeks ago”. */
function relative(language: string, whole: (source: string) => string): Saying[] {
  const named = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const counted = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  const fixed = NAMED.map(([unit, ago]) => ({ unit, ago, source: foldQuestion(named.format(-ago, unit)) }))
  const ways = UNITS.flatMap((unit) =>
    [1, 5].map((count) => {
      const parts = counted.formatToParts(-count, unit).map(({ type, value }) => (type === 'integer' ? '#' : value))
      return { unit, source: foldQuestion(parts.join('')).replace(/( ?)#( ?)/, numbered) }
    })
  )
  return [
    ...fixed
      .filter(({ source }) => !/\d/.test(source))
      .map(({ unit, ago, source }) => ({
        pattern: RegExp(whole(inOtherForms(source)), 'u'),
        period: (_: unknown, now: Date) => periodOf(unit, ago, now),
        oneWord: !source.includes(' ')
      })),
    ...ways.map(({ unit, source }) => ({
      pattern: RegExp(whole(source), 'u'),
      period: ([, ago]: RegExpExecArray, now: Date) => periodOf(unit, Number(ago), now)
    }))
  ]
}

/** A number may stand close where the language has no spaces; one with spaces has them around it. */
function numbered(_: string, before: string, behind: string): string {
  return `${before && ' ?'}(\\d{1,3})${behind && ' ?'}`
}

/** German bends its words, English also says “past”, and articles may be left out. */
function inOtherForms(source: string): string {
  return source
    .replace(/^(letzt|dies)e\w? /, '$1e[mnrs]? ')
    .replace(/^last /, '(?:last|past) ')
    .replace(/^(?:le|la|el) /, '')
}

/** “June to August”, “in June”, “June 2026”. */
function months(language: string): Saying[] {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  const names = Array.from({ length: 12 }, (_, month) => foldAccents(format.format(Date.UTC(2000, month, 15))))
  const name = `(${names.join('|')})`
  const source = ` (in |during |im |en )?${name}(?: (\\d{4}))?(?: (?:to|until|till|through|and|bis|und|a|au|et|hasta|y|-|–) ${name}(?: (\\d{4}))?)?(?= )`
  return [
    {
      pattern: RegExp(source),
      period([, placed, from = '', fromYear, to, toYear], now) {
        if (placed === undefined && fromYear === undefined && to === undefined) return undefined
        return monthsPeriod(
          { month: names.indexOf(from), year: fromYear ?? toYear },
          to === undefined ? undefined : { month: names.indexOf(to), year: toYear ?? fromYear },
          now
        )
      }
    }
  ]
}

const MONTH = '(?:(\\d{4})年)?(?<!\\d)(\\d{1,2}|[一二三四五六七八九]|十[一二]?)月'

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
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const back = Number(count)
  const start = {
    day: new Date(year, month, day - back + 1),
    week: new Date(year, month, day - 7 * back + 1),
    month: new Date(year, month - back, day),
    year: new Date(year - back, month, day)
  }[unit as Unit]
  return { start, end: new Date(year, month, day + 1) }
}

/** The day, week, month or year so many ago. A week begins on Monday. */
function periodOf(unit: Unit, ago: number, now: Date): Period {
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
