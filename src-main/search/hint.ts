import type { Relaxed } from '../contract/bookmark.ts'
import { contentGroups, type Group, groupBit } from './groups.ts'
import type { Replacement } from './wordings.ts'

/** A search whose results also include bookmarks without some of the words. */
export interface RelaxedSearch {
  groups: Group[]
  /** The phrases that no bookmark has, so that their words were searched. */
  phrases?: string[] | undefined
  /** How many bookmarks match every word as typed. They are the first results. */
  exact: number
  /** For each further bookmark on the first page, the groups that it matches as a bit set. */
  shown: number[]
  /** Whether the search has filters; if not, whether it has excluded words. */
  leftOut: 'filters' | 'exclusions' | undefined
}

interface RelaxedHint {
  note?: string | undefined
  relaxed?: Relaxed | undefined
}

/** Describes which words were replaced and which are missing, in sentences for people and for agents. */
export function relaxedHint(search: RelaxedSearch): RelaxedHint {
  const { note, relaxed } = describeSearch(search)
  const { leftOut } = search
  return {
    // Bookmarks that the filters leave out may have the word.
    note: leftOut ? note?.replaceAll('No bookmark has', `With these ${leftOut} no bookmark has`) : note,
    relaxed
  }
}

function describeSearch({ groups, phrases = [], exact, shown, leftOut }: RelaxedSearch): RelaxedHint {
  const words = wordsOf(groups)
  const complete = shown.filter((matchedBits) => words.every((word) => matchesAll(word, matchedBits))).length
  if (exact > 0) return { note: shown.length === 0 ? undefined : restSentence(exact, complete === shown.length) }
  if (shown.length === 0) return { note: noneShown(words) }
  const parts = words
    .filter((word) => shown.some((matchedBits) => matchesSome(word, matchedBits)))
    .flatMap(describeReplacements)
  if (complete === shown.length && phrases.length === 0)
    return { note: parts.length > 0 ? parts.join(' ') : OTHER_FORMS }
  if (phrases.length > 0)
    parts.unshift(
      `No bookmark has ${listInQuotes(phrases, 'and')} as a phrase; showing those with its words, nearest together first.`
    )
  const absentWords = words.filter((word) => shown.every((matchedBits) => !matchesSome(word, matchedBits)))
  const absent = absentWords.map(({ term }) => term)
  const most = Math.max(...shown.map((matchedBits) => words.filter((word) => matchesSome(word, matchedBits)).length))
  const relaxed = { words: words.map(({ term }) => term), absent }
  if (phrases.length === 0) parts.push(...missing(relaxed, complete, most))
  if (!leftOut) parts.push(...suggestAlone(absentWords))
  return { note: parts.join(' '), relaxed: complete > 0 ? undefined : relaxed }
}

const OTHER_FORMS =
  'No bookmark has exactly these words; these have other forms of them, or words that begin with the last.'

/** A word of the query with its groups. A text without spaces has a group for each pair of characters. */
interface Word {
  term: string
  /** The groups as a bit set. */
  bits: number
  groups: Group[]
}

/** Returns the words of the query without stop words, unless it has no others. */
function wordsOf(groups: Group[]): Word[] {
  const words = new Map<string, Word>()
  for (const group of contentGroups(groups)) {
    const word = words.get(group.term) ?? { term: group.term, bits: 0, groups: [] }
    words.set(group.term, { ...word, bits: word.bits | groupBit(groups, group), groups: [...word.groups, group] })
  }
  return [...words.values()]
}

function matchesAll({ bits }: Word, matchedBits: number): boolean {
  return (matchedBits & bits) === bits
}

function matchesSome({ bits }: Word, matchedBits: number): boolean {
  return (matchedBits & bits) !== 0
}

function restSentence(exact: number, complete: boolean): string {
  const first = exact === 1 ? 'The first bookmark has' : `The first ${exact} bookmarks have`
  return `${first} all words as typed; the rest ${complete ? 'other forms of them' : 'only some of them'}.`
}

/** Describes a search without results. Returns `undefined` for a query of one word that some bookmark has. */
function noneShown(words: Word[]): string | undefined {
  const unknown = words
    .filter(({ groups }) => groups.every(({ matchCount }) => matchCount === 0))
    .map(({ term }) => term)
  const known = words.filter(({ term }) => !unknown.includes(term)).map(({ term }) => term)
  const parts = unknown.length === 0 ? [] : [`No bookmark has ${listInQuotes(unknown, 'or')}.`]
  if (known.length > 0)
    parts.push(`None has enough of the rest together; try one of ${listInQuotes(known, 'and')} alone.`)
  return words.length < 2 && unknown.length === 0 ? undefined : parts.join(' ') || undefined
}

/**
 * @param complete the number of shown bookmarks that match every word
 * @param most the highest number of words that one bookmark matches
 */
function missing({ words, absent }: Relaxed, complete: number, most: number): string[] {
  const none = absent.length === 0 ? '' : `; none of these has ${listInQuotes(absent, 'or')}`
  if (complete > 0) {
    const first = complete === 1 ? 'The first bookmark has' : `The first ${complete} bookmarks have`
    return [`${first} other forms of all words; the rest only some of them.`]
  }
  const share = most * 2 > words.length ? 'most' : 'some'
  return [`No bookmark has all of: ${words.join(', ')}. Showing those with ${share} of them${none}.`]
}

/** Words that more bookmarks contain are not suggested alone. */
const MAX_ALONE = 100

/** Reports how many bookmarks have the rarest of the absent words, so that it can be searched alone. */
function suggestAlone(absentWords: Word[]): string[] {
  const counted = absentWords
    .filter(({ groups }) => groups.length === 1)
    .flatMap(({ term, groups }) => groups.map(({ matchCount }) => ({ term, matchCount })))
  const [rarest] = counted
    .filter(({ matchCount }) => matchCount > 0 && matchCount <= MAX_ALONE)
    .sort((a, b) => a.matchCount - b.matchCount)
  if (!rarest) return []
  return [`${rarest.matchCount} ${rarest.matchCount === 1 ? 'bookmark has' : 'bookmarks have'} “${rarest.term}”.`]
}

function describeReplacements({ groups }: Word): string[] {
  return groups.flatMap(({ typed, replacement }) => (replacement ? [describeReplacement(typed, replacement)] : []))
}

function describeReplacement(typed: string, replacement: Replacement): string {
  const words = listInQuotes(replacement.words, 'or')
  switch (replacement.by) {
    case 'form':
    case 'spelling':
      return `No bookmark has “${typed}”; searched for ${words}.`
    case 'beginning':
      return `No bookmark has the word “${typed}”; searched for words that begin with it.`
    case 'part':
      return `No whole word matches “${typed}”; searched for words that contain it: ${words}.`
    default:
      return `No bookmark has “${typed}” as one word; searched for ${words}.`
  }
}

/** Maximum number of words in a list. */
const MAX_LISTED = 5

/** Returns “a”, “b” and “c”. */
export function listInQuotes(words: string[], last: 'or' | 'and'): string {
  const quoted = words.slice(0, MAX_LISTED).map((word) => `“${word}”`)
  if (words.length > MAX_LISTED) return `${quoted.join(', ')} …`
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`
}
