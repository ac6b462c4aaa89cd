import { foldName, matchNames } from '../shared/match-names.ts'
import { writeTag } from './read-entry.ts'

/** A tag that is being typed: where it begins, and its text before the caret. */
export interface BegunTag {
  start: number
  end: number
  text: string
}

/** Returns the tag that the caret is at the end of; `undefined` where it is elsewhere. */
export function begunTag(typed: string, caret: number): BegunTag | undefined {
  const [, before = '', quoted, bare] = BEGUN.exec(typed.slice(0, caret)) ?? []
  const text = quoted ?? bare
  if (text === undefined) return undefined
  // In the middle of a word nothing is completed: what stands behind would be left over.
  if (/^[^\s#]/.test(typed.slice(caret))) return undefined
  return { start: before.length, end: caret, text }
}

const BEGUN = /^(.*\s|)#(?:"([^"\n]*)|([^\s#"]*))$/s

/** Tags that are offered at a time. */
const MAX_OFFERS = 4

/**
 * Returns tags of the library that begin so, then those of which a part does, the most used first.
 *
 * @param tags the most used first
 * @param taken tags that are there already
 */
export function offerTags<Tag extends { name: string }>(tags: Tag[], { text }: BegunTag, taken: string[]): Tag[] {
  const had = new Set([text.trim(), ...taken].map(foldName))
  const left = tags.filter(({ name }) => !name.includes('"') && !had.has(foldName(name)))
  return matchNames(left, text.trim(), partBegins).slice(0, MAX_OFFERS)
}

/** `work/client` has parts, and so has `read later`. */
function partBegins(name: string, begun: string): boolean {
  return begun !== '' && name.split(/[\s/_.:-]+/).some((part) => part.startsWith(begun))
}

/** Returns the typed text with a tag in place of the one that was begun, and where the caret goes. */
export function takeTag(typed: string, begun: BegunTag, tag: string): { typed: string; caret: number } {
  const before = `${typed.slice(0, begun.start)}${writeTag(tag)} `
  return { typed: before + typed.slice(begun.end).trimStart(), caret: before.length }
}
