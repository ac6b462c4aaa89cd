import type { Relaxed } from '../contract/bookmark.ts'
import { bitOf, fullGroups, type Group } from './groups.ts'
import type { Instead } from './wordings.ts'

/** The result of a search that does not insist on every word. */
export interface Loosened {
  groups: Group[]
  /** The query's phrases that were looked for as words. */
  phrases?: string[] | undefined
  /** Bookmarks that hold every word as typed; they come first. */
  exact: number
  /** The groups that each bookmark of the first page behind them holds, as bits by their place. */
  shown: number[]
  /** Whether the search has filters, or only excluded words, that leave bookmarks out. */
  leftOut: 'filters' | 'exclusions' | undefined
}

interface RelaxedHint {
  note?: string | undefined
  relaxed?: Relaxed | undefined
}

/**
 * Says in words, for a model as for a person, what was searched for instead, and which words are missing.
 *
 * @returns nothing where there is nothing to say
 */
export function relaxedHint(loosened: Loosened): RelaxedHint {
  const { note, relaxed } = hintOf(loosened)
  // A word may still be in bookmarks that are left out.
  const { leftOut } = loosened
  return {
    note: leftOut ? note?.replaceAll('No bookmark has', `With these ${leftOut} no bookmark has`) : note,
    relaxed
  }
}

function hintOf({ groups, phrases = [], exact, shown, leftOut }: Loosened): RelaxedHint {
  const said = wordsOf(groups)
  const whole = shown.filter((holds) => said.every((word) => isWhole(word, holds))).length
  if (exact > 0) return { note: shown.length === 0 ? undefined : behind(exact, whole === shown.length) }
  if (shown.length === 0) return { note: nothingShown(said) }
  const parts = said.filter((word) => shown.some((holds) => isIn(word, holds))).flatMap(replaced)
  if (whole === shown.length && phrases.length === 0) return { note: parts.length > 0 ? parts.join(' ') : OTHER_FORMS }
  if (phrases.length > 0)
    parts.unshift(
      `No bookmark has ${listed(phrases, 'and')} as a phrase; showing those with its words, nearest together first.`
    )
  const left = said.filter((word) => shown.every((holds) => !isIn(word, holds)))
  const absent = left.map(({ term }) => term)
  const most = Math.max(...shown.map((holds) => said.filter((word) => isIn(word, holds)).length))
  const relaxed = { words: said.map(({ term }) => term), absent }
  if (phrases.length === 0) parts.push(...missing(relaxed, whole, most))
  if (!leftOut) parts.push(...foundAlone(left))
  return { note: parts.join(' '), relaxed: whole > 0 ? undefined : relaxed }
}

const OTHER_FORMS =
  'No bookmark has exactly these words; these have other forms of them, or words that begin with the last.'

/** A word that was said, with its groups as bits: a run of characters has one for each pair. */
interface Word {
  term: string
  bits: number
  groups: Group[]
}

/** Returns the words that carry something, where any does. */
function wordsOf(groups: Group[]): Word[] {
  const words = new Map<string, Word>()
  for (const group of fullGroups(groups)) {
    const word = words.get(group.term) ?? { term: group.term, bits: 0, groups: [] }
    words.set(group.term, { ...word, bits: word.bits | bitOf(groups, group), groups: [...word.groups, group] })
  }
  return [...words.values()]
}

function isWhole({ bits }: Word, holds: number): boolean {
  return (holds & bits) === bits
}

function isIn({ bits }: Word, holds: number): boolean {
  return (holds & bits) !== 0
}

function behind(exact: number, whole: boolean): string {
  const first = exact === 1 ? 'The first bookmark has' : `The first ${exact} bookmarks have`
  return `${first} all words as typed; the rest ${whole ? 'other forms of them' : 'only some of them'}.`
}

/** @returns nothing where every word is known by itself and one alone was said */
function nothingShown(said: Word[]): string | undefined {
  const unknown = said.filter(({ groups }) => groups.every(({ held }) => held === 0)).map(({ term }) => term)
  const known = said.filter(({ term }) => !unknown.includes(term)).map(({ term }) => term)
  const parts = unknown.length === 0 ? [] : [`No bookmark has ${listed(unknown, 'or')}.`]
  if (known.length > 0) parts.push(`None has enough of the rest together; try one of ${listed(known, 'and')} alone.`)
  return said.length < 2 && unknown.length === 0 ? undefined : parts.join(' ') || undefined
}

/** @param most of the words that one bookmark holds */
function missing({ words, absent }: Relaxed, whole: number, most: number): string[] {
  const none = absent.length === 0 ? '' : `; none of these has ${listed(absent, 'or')}`
  if (whole > 0) {
    const first = whole === 1 ? 'The first bookmark has' : `The first ${whole} bookmarks have`
    return [`${first} other forms of all words; the rest only some of them.`]
  }
  const share = most * 2 > words.length ? 'most' : 'some'
  return [`No bookmark has all of: ${words.join(', ')}. Showing those with ${share} of them${none}.`]
}

/** Words that more bookmarks contain are not suggested alone. */
const MAX_ALONE = 100

/** Says of the word that the fewest bookmarks have, of those that none of the shown ones has, how many those are. */
function foundAlone(left: Word[]): string[] {
  const counted = left
    .filter(({ groups }) => groups.length === 1)
    .flatMap(({ term, groups }) => groups.map(({ held }) => ({ term, held })))
  const [rarest] = counted.filter(({ held }) => held > 0 && held <= MAX_ALONE).sort((a, b) => a.held - b.held)
  if (!rarest) return []
  return [`${rarest.held} ${rarest.held === 1 ? 'bookmark has' : 'bookmarks have'} “${rarest.term}”.`]
}

function replaced({ groups }: Word): string[] {
  return groups.flatMap(({ typed, instead }) => (instead ? [replacement(typed, instead)] : []))
}

function replacement(typed: string, { by, words: instead }: Instead): string {
  const words = listed(instead, 'or')
  switch (by) {
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

/** Maximum number of names in a list. */
const MAX_LISTED = 5

/** Returns “a”, “b” and “c”. */
export function listed(words: string[], last: 'or' | 'and'): string {
  const quoted = words.slice(0, MAX_LISTED).map((word) => `“${word}”`)
  if (words.length > MAX_LISTED) return `${quoted.join(', ')} …`
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`
}
