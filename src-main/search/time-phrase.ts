import { localDay, queryTime } from '../core/iso-time.ts'
import { isStopWord } from './stop-words.ts'
import { TIME_LANGUAGES } from './time-languages.ts'
import { foldTimeText, lastUnits, type Period, periodAgo, timePatterns } from './time-patterns.ts'

/** A query in which a time was found: when a bookmark was saved. */
export interface TimePhrase {
  /** The query with `after:` and `before:` instead of the time. */
  words: string
  /** The query without the time; empty if it has no other words than stop words. */
  rest: string
  /** The time for hints: “from 2026-10-01 to 2026-10-31”. */
  span: string
  /** The time as typed. */
  typed: string
}

/**
 * Finds “saved yesterday”, “last month”, “3 weeks ago”, “in 2026” or “June to August” in a query, in the languages of
 * `time-languages.ts`. A week begins on Monday (ISO 8601), and days are those of the local time zone.
 *
 * @param now in ms since 1970
 * @returns `undefined` if the query has no time, or has quotes or `OR`
 */
export function readTimePhrase(text: string, now: number): TimePhrase | undefined {
  if (text.includes('"') || / OR /.test(text)) return undefined
  const time = findSpacedTime(text, new Date(now)) ?? findUnspacedTime(text, new Date(now))
  if (!time) return undefined
  const { start, end } = time.period
  const filters = [`after:${queryTime(start.getTime())}`, ...(end ? [`before:${queryTime(end.getTime())}`] : [])]
  const isFull = time.rest.some((word) => !isStopWord(foldTimeWord(word), time.language) && !PAGE_WORD.test(word))
  const rest = isFull ? time.rest : []
  // The filters come first, because a query has a maximum number of words.
  return { words: [...filters, ...rest].join(' '), rest: rest.join(' '), span: spanOf(time.period), typed: time.typed }
}

interface TimeMatch {
  period: Period
  /** The time as typed. */
  typed: string
  language: string
  /** The other words of the query. */
  rest: string[]
}

/** Finds a time in a language with spaces between words. */
function findSpacedTime(text: string, now: Date): TimeMatch | undefined {
  const typed = text.split(/\s+/).filter((word) => word !== '')
  const folded = typed.map(foldTimeWord)
  // With one space before each word, the number of spaces before a match is the index of its first word.
  const line = ` ${folded.join(' ')} `
  for (const { language, pattern, isOneWord, readPeriod } of timePatterns().spaced) {
    const match = pattern.exec(line)
    const period = match && readPeriod(match, now)
    if (!period) continue
    const start = countSpaces(line.slice(0, match.index))
    const end = start + countSpaces(match[0])
    const { filler, since, not } = wordSets(language)
    if (not.has(folded[start - 1] ?? '')) return undefined
    if (isOneWord && !isSeparate(folded, start, filler)) continue
    const isFiller = (word = '') => {
      const plain = foldTimeWord(word)
      return filler.has(plain) || since.has(plain) || isStopWord(plain, language)
    }
    const before = typed.slice(0, start)
    while (before.length > 0 && isFiller(before.at(-1))) before.pop()
    const after = typed.slice(end)
    while (after.length > 0 && isFiller(after[0])) after.shift()
    const isSince = since.has(folded[start - 1] ?? '')
    return {
      period: isSince ? { ...period, end: undefined } : period,
      language,
      typed: typed.slice(start, end).join(' '),
      rest: [...before, ...after]
    }
  }
  return undefined
}

function wordSets(language: string): Record<'filler' | 'since' | 'not', Set<string>> {
  const words = TIME_LANGUAGES[language]
  const setOf = (alternatives = '') => new Set(alternatives.split('|'))
  return { filler: setOf(words?.filler), since: setOf(words?.since), not: setOf(words?.not) }
}

/** Finds a time in a language without spaces between words. */
function findUnspacedTime(text: string, now: Date): TimeMatch | undefined {
  const plain = text.normalize('NFKC')
  for (const { language, pattern, readPeriod } of timePatterns().unspaced) {
    const match = pattern.exec(plain)
    const period = match && readPeriod(match, now)
    if (!period) continue
    const before = plain.slice(0, match.index).replace(/[我私]$/u, '')
    const after = plain.slice(match.index + match[0].length).replace(SAVED_AFTER_TIME, '')
    const rest = `${before} ${after}`.split(/\s+/).filter((word) => word !== '')
    return { period, language: language.slice(0, 2), typed: match[0], rest }
  }
  return undefined
}

/** Chinese and Japanese words for a page, an article, a site, a link or a bookmark. */
const PAGE_WORD = /^(?:記事|文章|ページ|サイト|リンク|ブックマーク|网页|網頁|网站|網站|链接|連結|书签|書籤)$/u

/** “saved” after a time in Chinese and Japanese: 昨天收藏的. */
const SAVED_AFTER_TIME = /^[のにはに的]?(?:(?:保存|収藏|收藏|添加|追加|ブックマーク)(?:した|的|了)?)?/u

function foldTimeWord(word: string): string {
  return foldTimeText(word).replace(/[?.,!;:]+$/, '')
}

function countSpaces(text: string): number {
  return text.split(' ').length - 1
}

/**
 * Returns whether a time of one word begins or ends the query, or is next to a filler word. Between other words it is
 * probably not a time: “the yesterday project”.
 */
function isSeparate(folded: string[], index: number, filler: Set<string>): boolean {
  const isOutermost = index === 0 || index === folded.length - 1
  return isOutermost || filler.has(folded[index - 1] ?? '') || filler.has(folded[index + 1] ?? '')
}

function spanOf({ start, end }: Period): string {
  const first = localDay(start.getTime())
  if (!end) return `since ${first}`
  const last = localDay(new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1).getTime())
  return last === first ? `on ${first}` : `from ${first} to ${last}`
}

/**
 * Replaces filters that depend on the current time by dates: `last:7d`, `after:yesterday`, `on:last-week`.
 *
 * @param now in ms since 1970
 */
export function readRelativeDates(text: string, now: number): string {
  const clock = new Date(now)
  return text
    .replace(LAST, (whole, minus: string, count: string, unit: string) => {
      const name = UNIT_NAMES[unit.charAt(0).toLowerCase()]
      return name ? `${minus}after:${queryTime(lastUnits(Number(count), name, clock).start.getTime())}` : whole
    })
    .replace(RELATIVE, (_, minus: string, name: string, lastOrThis: string, unit: string, day: string) => {
      const period = day
        ? periodAgo('day', day.toLowerCase() === 'today' ? 0 : 1, clock)
        : periodAgo(
            UNIT_NAMES[unit.charAt(0).toLowerCase()] ?? 'week',
            lastOrThis.toLowerCase() === 'this' ? 0 : 1,
            clock
          )
      const [start, end] = [period.start, period.end ?? clock].map((time) => queryTime(time.getTime()))
      if (/^(?:after|since|from)$/i.test(name)) return `${minus}after:${start}`
      if (/^before$/i.test(name)) return `${minus}before:${start}`
      if (/^(?:until|till|to)$/i.test(name)) return `${minus}before:${end}`
      return `${minus}(after:${start} before:${end})`
    })
}

const LAST =
  /(?<![^\s(])(-?)(?:last|newer|newer_than|within|age):"?(\d{1,3})\s?(d|day|days|w|week|weeks|m|month|months|y|year|years)"?(?![^\s)])/gi

const RELATIVE =
  /(?<![^\s(])(-?)(after|since|from|before|until|till|to|on|date|saved|added|created):"?(?:(last|this)[-_ ]?(week|month|year)|(today|yesterday))"?(?![^\s)])/gi

const UNIT_NAMES: Record<string, 'day' | 'week' | 'month' | 'year'> = { d: 'day', w: 'week', m: 'month', y: 'year' }
