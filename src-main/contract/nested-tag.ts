import { LIMITS } from './bookmark.ts'

/** Whether a tag is short enough to be stored: each name in it, and all of it. */
export function fitsTag(tag: string): boolean {
  return tag.length <= LIMITS.tag && tag.split('/').every((name) => name.length <= LIMITS.tagName)
}

/** Returns the names of the tags that a tag belongs to: of `a/b/c`, `a` and `a/b`. */
export function parentTags(name: string): string[] {
  const parts = name.split('/')
  const parents = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
  return parents.filter((parent) => parent !== '')
}

/** Returns a range of names, the first and the last, in which all tags below this one are. */
export function tagsBelow(name: string): [first: string, last: string] {
  return [`${name}/`, `${name}/\u{10ffff}`]
}

/** A tag as a filter names it: the tag itself is meant, the tags below it, or both. */
export interface AskedTag {
  name: string
  itself: boolean
  below: boolean
}

/** Returns the text that a filter names a tag by. A name that would read as syntax gets a `=`, which means it alone. */
export function askFor(name: string): string {
  return /^=|\/$/.test(name) ? `=${name}` : name
}

/** Reads `work` as the tag with all that belong to it, `work/` as those alone, and `=work` as the tag alone. */
export function readAskedTag(asked: string): AskedTag {
  if (/^=./.test(asked)) return { name: asked.slice(1), itself: true, below: false }
  if (/.\/$/.test(asked)) return { name: asked.slice(0, -1), itself: false, below: true }
  return { name: asked, itself: true, below: true }
}
