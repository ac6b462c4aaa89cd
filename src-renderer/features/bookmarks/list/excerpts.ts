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

/** Letters that a tag's own edges, and what says how many more there are, take the room of. */
const EDGES = 3
const MAX_TAG_LENGTH = 16

/**
 * The first tags that fit side by side, without the rest. A long one counts as what is shown of it.
 *
 * @param room in letters
 */
export function tagsThatFit(tags: readonly string[], room: number): readonly string[] {
  let left = room
  const fitting = tags.findIndex((tag) => {
    left -= Math.min(tag.length, MAX_TAG_LENGTH) + EDGES
    return left < 0
  })
  return fitting === -1 ? tags : tags.slice(0, fitting)
}
