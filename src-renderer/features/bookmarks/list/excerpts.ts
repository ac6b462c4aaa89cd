import { foldText } from '../../../lib/match-names.ts'

/** A piece of a text, and whether it was searched for. */
interface Part {
  text: string
  match: boolean
}

/** Returns the words a search looks for: without operators and filters, and without those it excludes. */
export function searchedWords(words: string): string[] {
  const found = words.matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)
  return [...found].flatMap(([, minus, phrase, word]) => {
    const text = phrase ?? word ?? ''
    return minus || text === 'OR' || (word && IS.test(word))
      ? []
      : text.split(/\s+/).filter((one) => /[\p{L}\p{N}]/u.test(one))
  })
}

const IS = /^is:(broken|moved)$/i

/** Takes a text apart where words begin with one of these, or hold one in a script without spaces. */
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

/** How far into a note its row surely shows it, and how much of it stands before a match, in UTF-16 code units. */
const SEEN = 60
const BEFORE = 30

/** Returns a text from a little before the first match on, where that would be cut off in a row. */
export function fromMatch(text: string, words: string[]): string {
  const at = patternOf(words)?.exec(foldText(text))?.index ?? 0
  if (at <= SEEN) return text
  const space = text.indexOf(' ', at - BEFORE)
  return `…${text.slice(space >= 0 && space < at ? space + 1 : at)}`
}

function patternOf(words: string[]): RegExp | undefined {
  const found = words.map((word) => foldText(word).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')).filter(Boolean)
  if (found.length === 0) return undefined
  const choices = [...new Set(found)]
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
 * The first tags that fit side by side. The space that is left goes to their parents.
 *
 * @param room in letters
 */
export function tagsThatFit(tags: readonly string[], room: number): FittingTag[] {
  let left = room
  const fitting: FittingTag[] = []
  for (const tag of tags) {
    const leaf = tag.slice(tag.lastIndexOf('/') + 1)
    left -= Math.min(leaf.length, MAX_TAG_LENGTH) + PADDING
    if (left < 0) break
    fitting.push({ tag, leaf, parents: '' })
  }
  for (const shown of fitting) {
    const parents = shown.tag.slice(0, -shown.leaf.length - 1)
    if (parents.length + 1 > left) continue
    shown.parents = parents
    left -= parents.length + 1
  }
  return fitting
}
