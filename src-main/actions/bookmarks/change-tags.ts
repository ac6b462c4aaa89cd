import { LIMITS } from '../../contract/bookmark.ts'
import { Problem } from '../../contract/problem.ts'
import type { TagMerge, TagReport } from '../../contract/tag.ts'
import { cleanTag } from '../../core/clean-text.ts'
import { endedBy } from '../ended-early.ts'
import { sameLibrary } from '../library/same-library.ts'
import type { Ports } from '../ports.ts'

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

/**
 * Takes a tag from all its bookmarks, those in the trash too, as one step.
 *
 * @throws Problem `not-found`, or `taken` when a backup is restored meanwhile
 */
export async function deleteTag(ports: Ports, name: string): Promise<TagReport> {
  const inSameLibrary = sameLibrary(ports.library)
  const at = ports.now()
  let part = await ports.library.deleteTagSome(name, at)
  try {
    while (part.after !== null) {
      inSameLibrary()
      part = await ports.library.deleteTagSome(name, at, part)
    }
    return { bookmarks: part.bookmarks, undo: part.undo }
  } catch (error) {
    return { bookmarks: part.bookmarks, undo: part.undo, ...endedBy(error, part.bookmarks) }
  }
}

function clean(name: string): string {
  const tag = cleanTag(name, LIMITS.tag)
  if (tag === '') throw new Problem('invalid', 'A tag needs a name.')
  return tag
}
