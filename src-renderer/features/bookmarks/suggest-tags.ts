interface Counted {
  name: string
  bookmarks: number
}

export interface SuggestedTag extends Counted {
  /** No bookmark has it yet. */
  isNew: boolean
}

/** Tags suggested at once. */
const MOST = 20

/**
 * What to offer while a tag is typed: first exactly what was typed, as the tag that there is in whatever case or as a new
 * one, so that Enter never takes another; then tags that begin so, then those that hold it, each the most used first.
 *
 * @param known by how often they are used
 * @param taken those the bookmark has
 */
export function suggestTags(known: Counted[], typed: string, taken: string[]): SuggestedTag[] {
  const name = nameIn(typed)
  const text = name.toLowerCase()
  const has = new Set(taken.map((tag) => tag.toLowerCase()))
  const free = known.filter((tag) => !has.has(tag.name.toLowerCase())).map((tag) => ({ ...tag, isNew: false }))
  if (text === '') return free.slice(0, MOST)
  const matching = free.filter((tag) => tag.name.toLowerCase().includes(text))
  const exact = matching.filter((tag) => tag.name.toLowerCase() === text)
  const beginning = matching.filter((tag) => tag.name.toLowerCase().startsWith(text) && !exact.includes(tag))
  const others = matching.filter((tag) => !exact.includes(tag) && !beginning.includes(tag))
  const first = exact.length > 0 || has.has(text) ? exact : [{ name, bookmarks: 0, isNew: true }]
  return [...first, ...beginning, ...others].slice(0, MOST)
}

/** Whether what was typed is this tag, whole. */
export function isTyped(tag: { name: string }, typed: string): boolean {
  return tag.name.toLowerCase() === nameIn(typed).toLowerCase()
}

function nameIn(typed: string): string {
  return typed.replace(/^[#\s]+/, '').trim()
}
