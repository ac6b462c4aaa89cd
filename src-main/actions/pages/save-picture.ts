import { LIMITS } from '../../contract/bookmark.ts'
import type { PictureRequest } from '../../contract/bookmark-change.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { NewPicture, PictureFault } from '../../contract/picture.ts'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from '../../contract/picture-limit.ts'
import { Problem } from '../../contract/problem.ts'
import { cleanLines, cleanText } from '../../core/clean-text.ts'
import { choosePlace } from '../bookmarks/choose-place.ts'
import { cleanTags } from '../bookmarks/clean-tags.ts'
import type { CreatedBookmark } from '../bookmarks/create-bookmark.ts'
import { findBookmark } from '../bookmarks/find-bookmark.ts'
import { placementFor } from '../bookmarks/placement.ts'
import type { Ports } from '../ports.ts'

/**
 * Saves a picture that has no address, byte for byte, as an image of the owner's. The same picture again is the same
 * bookmark.
 *
 * @throws Problem `too-large`; `invalid` when it is no picture that can be kept; `not-found` when there is no such
 *   organization
 */
export async function savePicture(
  ports: Ports,
  bytes: Uint8Array<ArrayBuffer>,
  request: PictureRequest
): Promise<CreatedBookmark> {
  const placement = { ...(await placementFor(ports, PROFILE)), ...(await choosePlace(ports, request)) }
  const picture = await inspectPicture(ports, bytes)
  if ('fault' in picture) throw new Problem(picture.fault === 'size' ? 'too-large' : 'invalid', picture.reason)
  const { title = '', description = '', tags = [] } = request
  const draft = {
    type: 'image' as const,
    ...pictureFields(picture.hash),
    title: cleanText(title, LIMITS.title),
    description: cleanLines(description, LIMITS.description),
    content: '',
    tags: cleanTags(tags),
    createdAt: placement.savedAt
  }
  const { id, status } = await ports.library.savePicture(placement, draft, picture)
  return { status, bookmark: await findBookmark(ports, id) }
}

/** Where a picture that is kept itself is: nowhere else. */
export function pictureFields(hash: string) {
  return { url: null, domain: null, pageKey: `picture:${hash}`, picture: hash }
}

/** A picture as it is kept, or why it cannot be, also in words. */
export async function inspectPicture(
  { pictures }: Pick<Ports, 'pictures'>,
  bytes: Uint8Array<ArrayBuffer>
): Promise<NewPicture | { fault: PictureFault | 'size'; reason: string }> {
  if (bytes.length > MOST_PICTURE_BYTES) return { fault: 'size', reason: PICTURE_TOO_LARGE }
  const look = await pictures.inspect(bytes)
  if ('fault' in look) return { ...look, reason: REASONS[look.fault] }
  return { ...look, bytes, hash: await hashOf(bytes) }
}

/** Beside this thread: ten megabytes take long. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

const REASONS: Record<PictureFault, string> = {
  format: 'This picture format is not supported. Use PNG, JPEG, WebP, GIF or AVIF.',
  pixels: 'A picture has at most 40 million pixels. Make it smaller, or save its address.',
  damaged: 'This picture is damaged or cut off.'
}
