import { localDay, queryTime } from '../core/iso-time.ts'
import { isFiller } from './empty-words.ts'
import { TIME_LANGUAGES } from './time-languages.ts'
import { foldQuestion, lastUnits, type Period, periodOf, sayings } from './time-sayings.ts'

/** When something was saved, as a question says it. */
export interface TimePhrase {
  /** The question with `after:` and `before:` in the place of what was read. */
  words: string
  /** The question without what was read; empty where nothing else was asked. */
  rest: string
  /** The time in words: “from 2026-10-01 to 2026-10-31”. */
  span: string
  /** As it was typed. */
  typed: string
}

/**
 * Reads “saved yesterday”, “last month”, “3 weeks ago”, “in 2026” or “June to August” in a question, in the languages of
 * `time-languages.ts`. A week begins on Monday (ISO 8601); days are those of the local clock.
 *
 * @param text what was asked; where something stands in quotes, or words are joined by OR, nothing is read
 * @param now in milliseconds since 1970
 * @returns `undefined` where it says nothing of time
 */
export function readTimePhrase(text: string, now: number): TimePhrase | undefined {
  if (text.includes('"') || / OR /.test(text)) return undefined
  const said = saidAmongWords(text, new Date(now)) ?? saidInRun(text, new Date(now))
  if (!said) return undefined
  const { start, end } = said.period
  const filters = [`after:${queryTime(start.getTime())}`, ...(end ? [`before:${queryTime(end.getTime())}`] : [])]
  const isFull = said.rest.some((word) => !isFiller(fold(word), said.language) && !A_PAGE.test(word))
  const rest = isFull ? said.rest : []
  // The filters come first, because a query has a maximum number of words.
  return { words: [...filters, ...rest].join(' '), rest: rest.join(' '), span: spanOf(said.period), typed: said.typed }
}

interface Said {
  period: Period
  typed: string
  language: string
  /** The other words. */
  rest: string[]
}

/** Of languages that put spaces between words. */
function saidAmongWords(text: string, now: Date): Said | undefined {
  const typed = text.split(/\s+/).filter((word) => word !== '')
  const folded = typed.map(fold)
  // A space before each word and after the last: the spaces before a match say which words it is.
  const line = ` ${folded.join(' ')} `
  for (const { language, pattern, oneWord, ...saying } of sayings().spaced) {
    const match = pattern.exec(line)
    const read = match && saying.period(match, now)
    if (!read) continue
    const first = spacesIn(line.slice(0, match.index))
    const behind = first + spacesIn(match[0])
    const { filler, since, not } = wordsIn(language)
    if (not.has(folded[first - 1] ?? '')) return undefined
    if (oneWord && !standsApart(folded, first, filler)) continue
    const isGlue = (word = '') => filler.has(fold(word)) || since.has(fold(word)) || isFiller(fold(word), language)
    const before = typed.slice(0, first)
    while (before.length > 0 && isGlue(before.at(-1))) before.pop()
    const after = typed.slice(behind)
    while (after.length > 0 && isGlue(after[0])) after.shift()
    const period = since.has(folded[first - 1] ?? '') ? { ...read, end: undefined } : read
    return { period, language, typed: typed.slice(first, behind).join(' '), rest: [...before, ...after] }
  }
  return undefined
}

function wordsIn(language: string): Record<'filler' | 'since' | 'not', Set<string>> {
  const words = TIME_LANGUAGES[language]
  const setOf = (alternatives = '') => new Set(alternatives.split('|'))
  return { filler: setOf(words?.filler), since: setOf(words?.since), not: setOf(words?.not) }
}

/** Of languages that do not. */
function saidInRun(text: string, now: Date): Said | undefined {
  const plain = text.normalize('NFKC')
  for (const { language, pattern, period } of sayings().unspaced) {
    const match = pattern.exec(plain)
    const read = match && period(match, now)
    if (!read) continue
    const before = plain.slice(0, match.index).replace(/[我私]$/u, '')
    const after = plain.slice(match.index + match[0].length).replace(SAVED_THEN, '')
    const rest = `${before} ${after}`.split(/\s+/).filter((word) => word !== '')
    return { period: read, language: language.slice(0, 2), typed: match[0], rest }
  }
  return undefined
}

const A_PAGE = /^(?:記事|文章|ページ|サイト|リンク|ブックマーク|网页|網頁|网站|網站|链接|連結|书签|書籤)$/u

const SAVED_THEN = /^[のにはに的]?(?:(?:保存|収藏|收藏|添加|追加|ブックマーク)(?:した|的|了)?)?/u

function fold(word: string): string {
  return foldQuestion(word).replace(/[?.,!;:]+$/, '')
}

function spacesIn(text: string): number {
  return text.split(' ').length - 1
}

/** One word of time in the midst of others is more likely a word: “the yesterday project”. */
function standsApart(folded: string[], at: number, filler: Set<string>): boolean {
  const atEnd = at === 0 || at === folded.length - 1
  return atEnd || filler.has(folded[at - 1] ?? '') || filler.has(folded[at + 1] ?? '')
}

function spanOf({ start, end }: Period): string {
  const first = localDay(start.getTime())
  if (!end) return `since ${first}`
  const last = localDay(new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1).getTime())
  return last === first ? `on ${first}` : `from ${first} to ${last}`
}

/**
 * Writes filters of times that depend on the clock as dates: `last:7d`, `after:yesterday`, `on:last-week`.
 *
 * @param now in milliseconds since 1970
 */
export function readRelativeDates(text: string, now: number): string {
  const clock = new Date(now)
  return text
    .replace(LAST, (whole, minus: string, count: string, unit: string) => {
      const name = UNIT_NAMES[unit.charAt(0).toLowerCase()]
      return name ? `${minus}after:${queryTime(lastUnits(Number(count), name, clock).start.getTime())}` : whole
    })
    .replace(RELATIVE, (_, minus: string, name: string, this_: string, unit: string, day: string) => {
      const period = day
        ? periodOf('day', day.toLowerCase() === 'today' ? 0 : 1, clock)
        : periodOf(UNIT_NAMES[unit.charAt(0).toLowerCase()] ?? 'week', this_.toLowerCase() === 'this' ? 0 : 1, clock)
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
