import { setTimeout } from 'node:timers/promises'
import type { Changes } from '../../contract/change.ts'
import type { Ports } from '../../contract/ports.ts'
import { coalesce } from './coalesce.ts'

/** Between two images, in milliseconds: whoever saves something meanwhile comes first. */
const REST_MS = 20

/**
 * Looks for the colors of images in the background, one image at a time. Which are left stands in the library.
 *
 * @returns ends it, after the image that is under way
 */
export function colorPictures(
  { library, pictures }: Ports,
  changes: Changes,
  onError: (error: unknown) => void
): () => Promise<void> {
  const { wake, close: closeLooks } = coalesce(look, onError)
  let closed = false

  async function look(): Promise<void> {
    for (;;) {
      const picture = closed ? undefined : await library.uncoloredPicture()
      if (!picture) return
      const preview = await library.readPicture(picture.preview)
      await library.saveColors(picture, preview ? await pictures.colorsOf(preview) : [])
      await setTimeout(REST_MS)
    }
  }

  const endWatching = changes.onChange(({ kind, saved = 0 }) => {
    if (kind === 'details' || (kind === 'bookmarks' && saved > 0)) wake()
  })
  wake()
  return async () => {
    closed = true
    endWatching()
    await closeLooks()
  }
}
