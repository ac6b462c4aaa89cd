/** Returns the names of the tags that a tag belongs to: of `a/b/c`, `a` and `a/b`. */
export function parentTags(name: string): string[] {
  const parts = name.split('/')
  const parents = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
  return parents.filter((parent) => parent !== '')
}

/** Between the first and the last name of these are the names of all tags that belong to one. */
export function tagsBelow(name: string): [first: string, last: string] {
  return [`${name}/`, `${name}/\u{10ffff}`]
}

/** What is asked for by a tag: the tag itself, those that belong to it, or both. */
export interface AskedTag {
  name: string
  itself: boolean
  below: boolean
}

/** Returns what asks for a tag by its name, whatever that is. */
export function askFor(name: string): string {
  return /^=|\/$/.test(name) ? `=${name}` : name
}

/** Reads `work` as the tag with all that belong to it, `work/` as those alone, and `=work` as the tag alone. */
export function readAskedTag(asked: string): AskedTag {
  if (/^=./.test(asked)) return { name: asked.slice(1), itself: true, below: false }
  if (/.\/$/.test(asked)) return { name: asked.slice(0, -1), itself: false, below: true }
  return { name: asked, itself: true, below: true }
}
