import type { AskedFilter, Relaxed } from '../contract/bookmark.ts'
import type { Group } from './search-groups.ts'

/** What a loosened search did. */
export interface Loosened {
  groups: Group[]
  /** Bookmarks that hold every word as typed; they come first. */
  exact: number
  /** What each bookmark shown behind them holds of the groups, as bits by their place. */
  shown: number[]
}

/**
 * Says in words, for a model as for a person, what was searched for instead, and which words are missing.
 *
 * @returns nothing where there is nothing to say
 */
export function relaxedHint({ groups, exact, shown }: Loosened): {
  note?: string | undefined
  relaxed?: Relaxed | undefined
} {
  const said = telling(groups)
  const absent = said.filter((group) => shown.every((holds) => !holdsGroup(groups, group, holds)))
  const everything = shown.some((holds) => said.every((group) => holdsGroup(groups, group, holds)))
  const parts = exact > 0 ? behind(exact, shown, everything) : instead(groups, said, absent, shown, everything)
  if (exact > 0 || (shown.length === 0 && parts.length === 0)) return { note: joined(parts) }
  const relaxed = { words: said.map(({ typed }) => typed), absent: absent.map(({ typed }) => typed) }
  return { note: joined(parts), relaxed: shown.length > 0 && !everything ? relaxed : undefined }
}

function joined(parts: string[]): string | undefined {
  return parts.length === 0 ? undefined : parts.join(' ')
}

/** Words that carry nothing are not worth a word. */
function telling(groups: Group[]): Group[] {
  const full = groups.filter(({ empty }) => !empty)
  return full.length > 0 ? full : groups
}

function holdsGroup(groups: Group[], group: Group, holds: number): boolean {
  return (holds & (1 << groups.indexOf(group))) !== 0
}

function behind(exact: number, shown: number[], everything: boolean): string[] {
  if (shown.length === 0) return []
  const first = exact === 1 ? 'The first bookmark has' : `The first ${exact} bookmarks have`
  return [`${first} all words as typed; the rest ${everything ? 'other forms of them' : 'only most of them'}.`]
}

function instead(groups: Group[], said: Group[], absent: Group[], shown: number[], everything: boolean): string[] {
  const parts = said
    .filter((group) => group.instead && shown.some((holds) => holdsGroup(groups, group, holds)))
    .map(replaced)
  if (shown.length === 0) {
    const unknown = said.filter(({ held }) => held === 0).map(({ typed }) => typed)
    return unknown.length === 0 ? [] : [`No bookmark has ${listed(unknown, 'or')}.`]
  }
  if (everything)
    return parts.length > 0 ? parts : ['No bookmark has exactly these words; these have other forms of them.']
  const missing =
    absent.length === 0
      ? ''
      : `; none has ${listed(
          absent.map(({ typed }) => typed),
          'or'
        )}`
  const all = said.map(({ typed }) => typed).join(', ')
  return [...parts, `No bookmark has all of: ${all}. Showing those with most of them${missing}.`]
}

function replaced({ typed, instead }: Group): string {
  const words = listed(instead?.words ?? [], 'or')
  switch (instead?.by) {
    case 'form':
    case 'spelling':
      return `No bookmark has “${typed}”; searched for ${words}.`
    case 'beginning':
      return `No bookmark has the word “${typed}”; searched for words that begin with it.`
    case 'part':
      return `No whole word matches “${typed}”; searched for words that hold it: ${words}.`
    default:
      return `No bookmark has “${typed}” as one word; searched for ${words}.`
  }
}

/** Of a long list, the first. */
const MOST_LISTED = 5

function listed(words: string[], last: 'or' | 'and'): string {
  const quoted = words.slice(0, MOST_LISTED).map((word) => `“${word}”`)
  if (words.length > MOST_LISTED) return `${quoted.join(', ')} …`
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`
}

/** What filters ask for, in words, one each. */
export function filterWords(filters: AskedFilter[]): string[] {
  return filters.flatMap(({ tags, domain, type, visibility, is, before, after, untagged, organization }) => [
    ...(tags && tags.length > 0 ? [`${tags.length === 1 ? 'tag' : 'tags'} ${listed(tags, 'and')}`] : []),
    ...(domain ? [`domain “${domain}”`] : []),
    ...(type ? [`type “${type}”`] : []),
    ...(visibility ? [`visibility “${visibility}”`] : []),
    ...(is ? [is.length === 0 ? 'is:broken and is:moved together' : is.map((mark) => `is:${mark}`).join(' OR ')] : []),
    ...(before === undefined ? [] : [`before:${day(before)}`]),
    ...(after === undefined ? [] : [`after:${day(after)}`]),
    ...(untagged ? ['is:untagged'] : []),
    ...(organization === undefined ? [] : ['this organization'])
  ])
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** What a search would find; `whole` where the first of it holds every word. */
interface Count {
  total: number
  atLeast: boolean
  whole: boolean
}

function many({ total, atLeast, whole }: Count): string {
  return `${total}${atLeast ? '+' : ''} ${total === 1 ? 'bookmark matches' : 'bookmarks match'}${whole ? '' : ' in part'}`
}

/** @param without what is found without any tag */
export function unknownTag(tag: string, nearest: string | undefined, without: Count): string {
  const said = `No bookmark has the tag “${tag}”${nearest === undefined ? '' : `; the nearest there is: “${nearest}”`}.`
  return without.total === 0 ? said : `${said} Without it ${many(without)}.`
}

/** @param filters the one that empties a search; none where only all together do */
export function withFilterWords(filters: string[], without: Count): string {
  return filters.length > 0
    ? `Nothing matches with ${filters.join(', ')}; without it ${many(without)}.`
    : `Nothing matches with these filters together; without them ${many(without)}.`
}

/** Says that a page lies behind the last. */
export function pastEnd(page: number, limit: number, total: number, atLeast: boolean): string {
  if (atLeast) return `Page ${page} is further than a search goes: narrow it by more words or a filter.`
  const pages = Math.ceil(total / limit)
  return `Page ${page} is past the end: there ${pages === 1 ? 'is one page' : `are ${pages} pages`}.`
}
