import { foldText } from '../../../lib/match-names.ts'

/** A part of a text, and whether it matches the search. */
interface Part {
  text: string
  match: boolean
}

/** Returns the words of a search, without operators, filters and excluded words. */
export function searchedWords(words: string): string[] {
  const tokens = words.matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)
  return [...tokens].flatMap(([, minus, phrase, word]) => {
    const text = phrase ?? word ?? ''
    return minus || text === 'OR' || (word && LINK_FILTER.test(word))
      ? []
      : text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part))
  })
}

const LINK_FILTER = /^is:(broken|moved)$/i

/** Splits a text into parts that match one of the words and parts that match none. */
export function markedParts(text: string, words: string[]): Part[] {
  const pattern = patternOf(words)
  if (!pattern) return [{ text, match: false }]
  const folded = foldText(text)
  const parts: Part[] = []
  let end = 0
  for (const match of folded.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), match: false })
    end = match.index + match[0].length
    parts.push({ text: text.slice(match.index, end), match: true })
  }
  if (end < text.length) parts.push({ text: text.slice(end), match: false })
  return parts
}

/** How much of a note every row shows, and how much is shown before a later match, in UTF-16 code units. */
const VISIBLE_LENGTH = 60
const LENGTH_BEFORE_MATCH = 30

/** Returns a text from shortly before its first match on, if a row would not show the match otherwise. */
export function fromMatch(text: string, words: string[]): string {
  const index = patternOf(words)?.exec(foldText(text))?.index ?? 0
  if (index <= VISIBLE_LENGTH) return text
  const space = text.indexOf(' ', index - LENGTH_BEFORE_MATCH)
  return `…${text.slice(space >= 0 && space < index ? space + 1 : index)}`
}

function patternOf(words: string[]): RegExp | undefined {
  const folded = words.map((word) => foldText(word).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')).filter(Boolean)
  if (folded.length === 0) return undefined
  const choices = [...new Set(folded)]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(choices.join('|'), 'gu')
}

/** A tag as a row shows it: its last part first, then its parents if there is room for them. */
export interface FittingTag {
  tag: string
  leaf: string
  /** Empty if the tag has none, or they do not fit. */
  parents: string
}

/** Width of a tag's padding and of the gap before the next tag, in letters. */
const PADDING = 3
/** Longer names end in an ellipsis. */
const MAX_TAG_LENGTH = 16

/**
 * Returns the first tags that fit side by side. Their parents are added as far as there is room for them.
 *
 * @param room in letters
 */
export function tagsThatFit(tags: readonly string[], room: number): FittingTag[] {
  let remaining = room
  const fitting: FittingTag[] = []
  for (const tag of tags) {
    const leaf = tag.slice(tag.lastIndexOf('/') + 1)
    remaining -= Math.min(leaf.length, MAX_TAG_LENGTH) + PADDING
    if (remaining < 0) break
    fitting.push({ tag, leaf, parents: '' })
  }
  for (const shown of fitting) {
    const parents = shown.tag.slice(0, -shown.leaf.length - 1)
    if (parents.length + 1 > remaining) continue
    shown.parents = parents
    remaining -= parents.length + 1
  }
  return fitting
}
