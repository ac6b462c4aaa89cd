import type { SimilarColor } from '../../contract/picture.ts'
import { Problem } from '../../contract/problem.ts'
import { hexOf } from '../../core/color.ts'
import type { Ports } from '../ports.ts'

interface Range {
  limit: number
  /** The id of a bookmark that is not to be among them. */
  except?: string | undefined
}

/**
 * The owner's colors that look like one, nearest first.
 *
 * @param color in any notation of CSS
 * @throws Problem `invalid` when it is no color
 */
export function similarColors({ library }: Ports, color: string, range: Range): Promise<SimilarColor[]> {
  return similar(library.similarColors, color, range)
}

/**
 * The owner's images of which a large part looks like a color, nearest first.
 *
 * @param color in any notation of CSS
 * @throws Problem `invalid` when it is no color
 */
export function similarImages({ library }: Ports, color: string, range: Range): Promise<SimilarColor[]> {
  return similar(library.similarImages, color, range)
}

async function similar(
  find: (color: string, limit: number) => Promise<SimilarColor[]>,
  color: string,
  { limit, except }: Range
): Promise<SimilarColor[]> {
  if (hexOf(color) === undefined) throw new Problem('invalid', 'to: not a valid CSS color')
  const found = await find(color, except === undefined ? limit : limit + 1)
  return found.filter(({ bookmark }) => bookmark.id !== except).slice(0, limit)
}
