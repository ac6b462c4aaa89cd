import type { Bookmark } from '../../contract/bookmark.ts'
import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'

/**
 * A bookmark of the owner's by its id, in the trash or not.
 *
 * @throws Problem `not-found`
 */
export async function findBookmark(ports: Ports, id: string): Promise<Bookmark> {
  const bookmark = await ports.library.findBookmark(id)
  if (!bookmark) throw new Problem('not-found', 'There is no such bookmark. It may have been deleted permanently.')
  return bookmark
}
