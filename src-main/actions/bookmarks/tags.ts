import { LIMITS } from '../../contract/bookmark.ts'
import { Problem } from '../../contract/problem.ts'
import type { TagMerge, TagReport } from '../../contract/tag.ts'
import { cleanTag, foldName } from '../../core/clean-text.ts'
import type { Ports } from '../ports.ts'

/**
 * Renames a tag on all its bookmarks, also in the trash.
 *
 * @throws Problem `not-found`, `taken` if there is another tag of that name, `invalid` if the name is empty
 */
export function renameTag({ library, now }: Ports, name: string, newName: string): Promise<TagReport> {
  return library.renameTag(name, clean(newName), now())
}

/** @throws Problem `not-found`, `invalid` if there is nothing to merge or the name is empty */
export function mergeTags({ library, now }: Ports, { from, into }: TagMerge): Promise<TagReport> {
  return library.mergeTags({ from, into: clean(into) }, now())
}

function clean(name: string): string {
  const tag = cleanTag(name, LIMITS.tag)
  if (tag === '') throw new Problem('invalid', 'A tag needs a name.')
  return tag
}

const MAX_COMPLETIONS = 8

/** Returns the tags that begin with a text, then other tags that contain it, each sorted by use. */
export async function completeTag({ library }: Ports, typed: string): Promise<string[]> {
  const part = foldName(typed.trim().replace(/^#(?!\ufe0f)/, ''))
  const tags = (await library.listTags()).toSorted((a, b) => b.bookmarks - a.bookmarks)
  const names = tags.map(({ name }) => ({ name, index: foldName(name).indexOf(part) }))
  const [first, later] = [names.filter(({ index }) => index === 0), names.filter(({ index }) => index > 0)]
  return [...first, ...later].slice(0, MAX_COMPLETIONS).map(({ name }) => name)
}
