import { LIMITS } from './bookmark.ts'

/** The states of a bookmark. Each is a tag of this name. Other services have the same states. */
export const STATES = ['favorite', 'unread', 'archived'] as const
export type State = (typeof STATES)[number]

export function isState(tag: string): tag is State {
  return (STATES as readonly string[]).includes(tag.toLowerCase())
}

/** Whether a tag is short enough to be stored, as a whole and each name in it. */
export function fitsTag(tag: string): boolean {
  return tag.length <= LIMITS.tag && tag.split('/').every((name) => name.length <= LIMITS.tagName)
}

/** Returns the parents of a nested tag: of `a/b/c`, `a` and `a/b`. */
export function parentTags(name: string): string[] {
  const parts = name.split('/')
  const parents = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
  return parents.filter((parent) => parent !== '')
}

/** Returns the first and the last name of the range that contains all tags below a tag. */
export function tagsBelow(name: string): [first: string, last: string] {
  return [`${name}/`, `${name}/\u{10ffff}`]
}

/** A tag in a filter, which matches the tag itself, the tags below it, or both. */
export interface TagFilter {
  name: string
  itself: boolean
  below: boolean
}

/** Writes a tag’s name as a filter. A name that looks like syntax gets a `=`, so the filter matches only that tag. */
export function formatTagFilter(name: string): string {
  return /^=|\/$/.test(name) ? `=${name}` : name
}

/**
 * Reads a tag filter: `work` matches the tag and all tags below it, `work/` only the tags below it, `=work` only the tag.
 */
export function parseTagFilter(filter: string): TagFilter {
  if (/^=./.test(filter)) return { name: filter.slice(1), itself: true, below: false }
  if (/.\/$/.test(filter)) return { name: filter.slice(0, -1), itself: false, below: true }
  return { name: filter, itself: true, below: true }
}
