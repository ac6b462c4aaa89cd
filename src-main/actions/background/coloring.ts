import { setTimeout } from 'node:timers/promises'
import type { Changes } from '../../contract/change.ts'
import type { Ports } from '../ports.ts'
import { type Background, backgroundWorker } from './background-worker.ts'

/** Between two images, in milliseconds: whoever saves something meanwhile comes first. */
const REST_MS = 20

/** Looks for the colors of images in the background, one image at a time. Which are left stands in the library. */
export function createColoring(
  { library, pictures }: Ports,
  changes: Changes,
  onError: (error: unknown) => void
): Background {
  const worker = backgroundWorker(
    { look, wakesOn: ({ kind, saved = 0 }) => kind === 'details' || (kind === 'bookmarks' && saved > 0) },
    changes,
    onError
  )

  async function look(): Promise<void> {
    for (;;) {
      const picture = worker.isClosed() ? undefined : await library.uncoloredPicture()
      if (!picture) return
      const preview = await library.readPicture(picture.preview)
      await library.saveColors(picture, preview ? await pictures.colorsOf(preview) : [])
      await setTimeout(REST_MS)
    }
  }

  return worker
}
