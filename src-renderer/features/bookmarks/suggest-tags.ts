import { foldName, matchNames } from '../../lib/match-names.ts'

/** A tag, and how many bookmarks have it. */
export interface Counted {
  name: string
  bookmarks: number
}

export interface SuggestedTag extends Counted {
  /** Whether no bookmark has it yet. */
  isNew: boolean
}

/** Tags suggested at once. */
const MAX_TAGS = 20

/**
 * Returns tags to offer while one is typed: first exactly the typed name, as the tag that exists in whatever case or as a
 * new one, so that Enter never takes another; then tags that begin so, then those that hold it, the most used first.
 *
 * @param known by how often they are used
 * @param taken those the bookmark has
 */
export function suggestTags(known: Counted[], typed: string, taken: string[]): SuggestedTag[] {
  const name = nameIn(typed)
  const text = foldName(name)
  const has = new Set(taken.map(foldName))
  const free = known.filter((tag) => !has.has(foldName(tag.name))).map((tag) => ({ ...tag, isNew: false }))
  const exact = free.filter((tag) => foldName(tag.name) === text)
  const others = matchNames(free, name).filter((tag) => !exact.includes(tag))
  const first = exact.length > 0 || text === '' || has.has(text) ? exact : [{ name, bookmarks: 0, isNew: true }]
  return [...first, ...others].slice(0, MAX_TAGS)
}

/** Returns whether the typed text is this tag's whole name. */
export function isTyped(tag: { name: string }, typed: string): boolean {
  return foldName(tag.name) === foldName(nameIn(typed))
}

function nameIn(typed: string): string {
  return typed.replace(/^[#\s]+/, '').trim()
}
