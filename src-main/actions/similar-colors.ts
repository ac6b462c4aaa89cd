import type { SimilarColor } from '../contract/color.ts'
import type { Ports } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { hexOf } from '../core/color.ts'

/**
 * The owner's colors that look like one, nearest first.
 *
 * @param color in any notation of CSS
 * @param except the id of a bookmark that is not to be among them
 * @throws Problem `invalid` when it is no color
 */
export async function similarColors(
  ports: Ports,
  color: string,
  { limit, except }: { limit: number; except?: string | undefined }
): Promise<SimilarColor[]> {
  if (hexOf(color) === undefined) throw new Problem('invalid', 'to: not a color that CSS knows')
  const found = await ports.library.similarColors(color, except === undefined ? limit : limit + 1)
  return found.filter(({ bookmark }) => bookmark.id !== except).slice(0, limit)
}
