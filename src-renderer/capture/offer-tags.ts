import { writeTag } from './read-entry.ts'

/** A tag that is being typed: where it begins, and what of it there is before the caret. */
export interface BegunTag {
  start: number
  end: number
  text: string
}

/** The tag the caret is at the end of; `undefined` where it is elsewhere. */
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
const MOST = 4

/**
 * Tags of the library for what was begun: those that begin so, then those of which a part does, the most used first.
 *
 * @param tags the most used first
 * @param taken tags that are there already
 */
export function offerTags<Tag extends { name: string }>(tags: Tag[], { text }: BegunTag, taken: string[]): Tag[] {
  const begun = fold(text.trim())
  const had = new Set(taken.map(fold))
  const left = tags.filter(({ name }) => !name.includes('"') && fold(name) !== begun && !had.has(fold(name)))
  const first = left.filter(({ name }) => fold(name).startsWith(begun))
  const others = left.filter(({ name }) => !first.some((one) => one.name === name) && partBegins(fold(name), begun))
  return [...first.slice(0, MOST), ...others].slice(0, MOST)
}

/** `work/client` has parts, and so has `read later`. */
function partBegins(name: string, begun: string): boolean {
  return begun !== '' && name.split(/[\s/_.:-]+/).some((part) => part.startsWith(begun))
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** What was typed with this tag in place of what was begun, and where the caret goes. */
export function takeTag(typed: string, begun: BegunTag, tag: string): { typed: string; caret: number } {
  const before = `${typed.slice(0, begun.start)}${writeTag(tag)} `
  return { typed: before + typed.slice(begun.end).trimStart(), caret: before.length }
}
