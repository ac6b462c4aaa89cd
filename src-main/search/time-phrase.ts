import { isEmptySomewhere } from './empty-words.ts'
import { foldQuestion, type Period, sayings } from './time-sayings.ts'

/** When something was saved, as a question says it. */
export interface TimePhrase {
  /** The question with `after:` and `before:` in the place of what was read. */
  words: string
  /** Whether nothing else was asked. */
  alone: boolean
  /** A sentence on how it was read. */
  note: string
}

/**
 * Reads “saved yesterday”, “last month”, “3 weeks ago”, “in 2026” or “June to August” in a question, in English, German,
 * French, Spanish, Chinese and Japanese. A week begins on Monday (ISO 8601); days are those of the local clock.
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
  const filters = [`after:${written(start)}`, ...(end ? [`before:${written(end)}`] : [])]
  const alone = said.rest.every((word) => isEmptySomewhere(fold(word)) || A_PAGE.test(word))
  return {
    words: [...(alone ? [] : said.rest), ...filters].join(' '),
    alone,
    note: `“${said.typed}” was read as time: saved ${span(said.period)}. Put it in quotes to search for the words.`
  }
}

interface Said {
  period: Period
  typed: string
  /** The other words. */
  rest: string[]
}

/** Of languages that put spaces between words. */
function saidAmongWords(text: string, now: Date): Said | undefined {
  const typed = text.split(/\s+/).filter((word) => word !== '')
  const folded = typed.map(fold)
  // A space before each word and after the last: the spaces before a match say which words it is.
  const line = ` ${folded.join(' ')} `
  for (const { pattern, oneWord, ...saying } of sayings().spaced) {
    const match = pattern.exec(line)
    const read = match && saying.period(match, now)
    if (!read) continue
    const first = spacesIn(line.slice(0, match.index))
    const behind = first + spacesIn(match[0])
    if (NOT_THEN.has(folded[first - 1] ?? '')) return undefined
    if (oneWord && !standsApart(folded, first)) continue
    const open = SINCE.has(folded[first - 1] ?? '')
    const before = typed.slice(0, first)
    while (before.length > 0 && isGlue(fold(before.at(-1) ?? ''))) before.pop()
    const after = typed.slice(behind)
    while (after.length > 0 && isGlue(fold(after[0] ?? ''))) after.shift()
    const period: Period = open ? { ...read, end: undefined } : read
    return { period, typed: typed.slice(first, behind).join(' '), rest: [...before, ...after] }
  }
  return undefined
}

/** Of languages that do not. */
function saidInRun(text: string, now: Date): Said | undefined {
  const plain = text.normalize('NFKC')
  for (const { pattern, period } of sayings().unspaced) {
    const match = pattern.exec(plain)
    const read = match && period(match, now)
    if (!read) continue
    const before = plain.slice(0, match.index).replace(/[我私]$/u, '')
    const after = plain.slice(match.index + match[0].length).replace(SAVED_THEN, '')
    return { period: read, typed: match[0], rest: `${before} ${after}`.split(/\s+/).filter((word) => word !== '') }
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
function standsApart(folded: string[], at: number): boolean {
  const atEnd = at === 0 || at === folded.length - 1
  return atEnd || SAVED.has(folded[at - 1] ?? '') || SAVED.has(folded[at + 1] ?? '')
}

function isGlue(word: string): boolean {
  return isEmptySomewhere(word) || SAVED.has(word) || SINCE.has(word) || GLUE.has(word)
}

const SAVED = new Set(
  'saved added bookmarked gespeichert gemerkt hinzugefugt enregistre enregistree enregistres sauvegarde ajoute guarde guardado guardada guardados'.split(
    ' '
  )
)
const SINCE = new Set(['since', 'seit', 'depuis', 'desde'])
const GLUE = new Set(
  "during within between vom aus zwischen ich habe hab pendant entre je ai j'ai durante he".split(' ')
)

/** These turn it around, and `before:` says that. */
const NOT_THEN = new Set(['before', 'until', 'till', 'after', 'vor', 'bis', 'nach', 'avant', 'apres', 'antes', 'hasta'])

/** As `before:` and `after:` take it. */
function written(time: Date): string {
  return time
    .toISOString()
    .replace('T00:00:00.000Z', '')
    .replace(/:00\.000Z$/, 'Z')
}

function span({ start, end }: Period): string {
  if (!end) return `since ${localDay(start)}`
  const last = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1)
  return localDay(last) === localDay(start) ? `on ${localDay(start)}` : `from ${localDay(start)} to ${localDay(last)}`
}

function localDay(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${time.getFullYear()}-${month}-${day}`
}
