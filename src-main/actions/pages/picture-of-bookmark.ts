import type { KeptPicture, PictureFacts } from '../../contract/picture.ts'
import { Problem } from '../../contract/problem.ts'
import { hexOfLab } from '../../core/color.ts'
import type { Ports } from '../ports.ts'

/** Facts about a bookmark's picture. */
export interface PictureOfBookmark extends Pick<PictureFacts, 'original'> {
  /** As hexadecimal colors, with how much of the picture each makes up, most first. */
  colors: { color: string; share: number }[]
}

/** @throws Problem `not-found` */
export async function pictureOfBookmark({ library }: Ports, id: string): Promise<PictureOfBookmark> {
  const facts = await library.findPicture(id)
  if (!facts) throw new Problem('not-found', 'There is no such bookmark. It may have been deleted permanently.')
  return { ...facts, colors: facts.colors.map(({ share, ...place }) => ({ color: hexOfLab(place), share })) }
}

/**
 * A picture that is kept itself, as it was saved.
 *
 * @throws Problem `not-found`
 */
export async function originalPicture({ library }: Ports, hash: string): Promise<KeptPicture> {
  const picture = await library.readOriginal(hash)
  if (!picture) throw new Problem('not-found', 'This picture no longer exists.')
  return picture
}
