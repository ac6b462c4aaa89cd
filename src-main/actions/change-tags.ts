import { LIMITS } from '../contract/bookmark.ts'
import type { Ports } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import type { TagMerge, TagReport } from '../contract/tag.ts'
import { cleanTag } from '../core/clean-text.ts'

/**
 * Gives a tag another name on all its bookmarks, those in the trash too.
 *
 * @throws Problem `not-found`, `taken` when there is another tag of that name, `invalid` when the name is empty
 */
export function renameTag(ports: Ports, name: string, newName: string): Promise<TagReport> {
  return ports.library.renameTag(name, clean(newName), ports.now())
}

/**
 * Makes one tag of several.
 *
 * @throws Problem `not-found`, `invalid` when there is nothing to merge or the name is empty
 */
export function mergeTags(ports: Ports, { from, into }: TagMerge): Promise<TagReport> {
  return ports.library.mergeTags({ from, into: clean(into) }, ports.now())
}

function clean(name: string): string {
  const tag = cleanTag(name, LIMITS.tag)
  if (tag === '') throw new Problem('invalid', 'A tag needs a name.')
  return tag
}
