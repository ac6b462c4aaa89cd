import { setTimeout } from 'node:timers/promises'
import { LIMITS, MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from '../contract/bookmark.ts'
import type { PictureRequest } from '../contract/bookmark-change.ts'
import { PROFILE } from '../contract/caller.ts'
import type { Changes } from '../contract/change.ts'
import type { NewPicture, OriginalPicture, PictureFacts, PictureFault, SimilarColor } from '../contract/picture.ts'
import { Problem } from '../contract/problem.ts'
import { cleanLines, cleanText } from '../core/clean-text.ts'
import { cssToHex, oklabToHex } from '../core/color.ts'
import { pictureKey } from '../core/page-key.ts'
import { picturesIn } from '../core/page-text.ts'
import { type Background, backgroundWorker } from './background/background-worker.ts'
import { choosePlace, cleanTags, placementFor } from './bookmarks/bookmark-fields.ts'
import { findBookmark, isFetchingOn } from './bookmarks/read-bookmark.ts'
import type { CreatedBookmark } from './bookmarks/save-bookmarks.ts'
import type { Ports } from './ports.ts'

/**
 * Saves a picture that has no address as an image of the owner’s, byte for byte. Saving the same picture again gives
 * the same bookmark.
 *
 * @throws Problem `too-large`; `invalid` if it cannot be stored; `not-found` if there is no such organization
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

/** Returns the fields of a bookmark whose picture is stored as an original. */
export function pictureFields(hash: string) {
  return { url: null, domain: null, pageKey: pictureKey(hash), picture: hash }
}

/** Returns a picture as it is stored, or a fault and its explanation. */
export async function inspectPicture(
  { pictures }: Pick<Ports, 'pictures'>,
  bytes: Uint8Array<ArrayBuffer>
): Promise<NewPicture | { fault: PictureFault | 'size'; reason: string }> {
  if (bytes.length > MAX_PICTURE_BYTES) return { fault: 'size', reason: PICTURE_TOO_LARGE }
  const look = await pictures.inspect(bytes)
  if ('fault' in look) return { ...look, reason: REASONS[look.fault] }
  // `createHash` would block the event loop, because the bytes may be ten megabytes.
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  return { ...look, bytes, hash }
}

const REASONS: Record<PictureFault, string> = {
  format: 'This picture format is not supported. Use PNG, JPEG, WebP, GIF or AVIF.',
  pixels: 'A picture has at most 40 million pixels. Make it smaller, or save its address.',
  damaged: 'This picture is damaged or cut off.'
}

export interface PictureOfBookmark extends Pick<PictureFacts, 'original'> {
  /** Hexadecimal colors, the largest share first. */
  colors: { color: string; share: number }[]
}

/** @throws Problem `not-found` */
export async function pictureOfBookmark({ library }: Ports, id: string): Promise<PictureOfBookmark> {
  const facts = await library.findPicture(id)
  if (!facts) throw new Problem('not-found', 'There is no such bookmark. It may have been deleted permanently.')
  return { ...facts, colors: facts.colors.map(({ share, ...place }) => ({ color: oklabToHex(place), share })) }
}

/** @throws Problem `not-found` */
export async function originalPicture({ library }: Ports, hash: string): Promise<OriginalPicture> {
  const picture = await library.readOriginal(hash)
  if (!picture) throw new Problem('not-found', 'This picture no longer exists.')
  return picture
}

/** Maximum time to fetch all pictures of a text, in ms. Pictures that are missing then count as failed. */
const TEXT_TIMEOUT_MS = 30_000

/** Maximum number of pictures of one text that are fetched at once, and of texts whose pictures are fetched at once. */
const MAX_PICTURES_AT_ONCE = 3
const MAX_TEXTS_AT_ONCE = 2

/** Minimum time before a picture that could not be fetched is requested again, in ms. */
const RETRY_MS = 10 * 60_000

const MAX_REMEMBERED_FAILURES = 1000

export type TextPictures = ReturnType<typeof createTextPictures>

/** Serves the pictures of texts. Pictures that are not stored yet are fetched in the background. */
export function createTextPictures(ports: Ports) {
  const { library, web, now } = ports
  const running = new Map<string, Promise<void>>()
  /** When each address failed. */
  const failed = new Map<string, number>()
  const stop = new AbortController()

  async function fetchAll(id: string, urls: string[]): Promise<void> {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(TEXT_TIMEOUT_MS)])
    const waiting = [...urls]
    const work = async () => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        const picture = signal.aborted ? null : await web?.readPicture(url, signal).catch(() => null)
        if (picture) await library.keepTextPicture(id, url, picture)
        else noteFailure(url)
      }
    }
    await Promise.all(Array.from({ length: MAX_PICTURES_AT_ONCE }, work))
  }

  function noteFailure(url: string): void {
    if (failed.size >= MAX_REMEMBERED_FAILURES) failed.clear()
    failed.set(url, now())
  }

  const urlsOf = async (id: string) => picturesIn(await library.readPageText(id))

  return {
    /**
     * Lists a text’s stored pictures with their positions among all its pictures, and begins to fetch the others.
     *
     * @returns `pending` while more may follow
     */
    async list(id: string): Promise<{ kept: { url: string; place: number }[]; pending: boolean }> {
      const urls = await urlsOf(id)
      const isKept = await library.areTextPicturesKept(id, urls)
      const missing = urls.filter((url, index) => !isKept[index] && now() - (failed.get(url) ?? -Infinity) > RETRY_MS)
      const begins = missing.length > 0 && !running.has(id) && !stop.signal.aborted && (await isFetchingOn(ports))
      if (begins && running.size < MAX_TEXTS_AT_ONCE) {
        const work = fetchAll(id, missing)
          .catch(() => {})
          .finally(() => running.delete(id))
        running.set(id, work)
      }
      const kept = urls.flatMap((url, place) => (isKept[place] ? [{ url, place }] : []))
      return { kept, pending: begins || running.has(id) }
    },
    /** @throws Problem `not-found` if there is no such picture, or it is not stored */
    async read(id: string, position: number): Promise<Uint8Array> {
      const url = (await urlsOf(id))[position]
      const picture = url === undefined ? undefined : await library.readTextPicture(id, url)
      if (!picture) throw new Problem('not-found', 'There is no such picture.')
      return picture
    },
    async close(): Promise<void> {
      stop.abort()
      await Promise.all(running.values())
    }
  }
}

/** Maximum size of all pictures except originals, in bytes: some 10,000 previews. */
export const MAX_PICTURES_BYTES = 256 * 1024 * 1024

/**
 * Returns the bookmarks of colors that are similar to a color, and of images with a large part in a similar color. The
 * most similar are first.
 *
 * @param color in any notation of CSS
 * @param except the id of a bookmark that is left out
 * @throws Problem `invalid` if it is no color
 */
export async function findSimilar(
  { library }: Ports,
  color: string,
  { limit, except }: { limit: number; except?: string | undefined }
): Promise<Record<'colors' | 'images', SimilarColor[]>> {
  if (cssToHex(color) === undefined) throw new Problem('invalid', 'to: not a valid CSS color')
  const withoutOne = (similar: SimilarColor[]) =>
    similar.filter(({ bookmark }) => bookmark.id !== except).slice(0, limit)
  return {
    colors: withoutOne(await library.similarColors(color, limit + 1)),
    images: withoutOne(await library.similarImages(color, limit + 1))
  }
}

/** Pause after each image, in ms, so that other writes are not delayed. */
const REST_MS = 20

/** Computes the colors of images in the background, one image at a time. The library stores which images are due. */
export function createColoring(
  { library, pictures }: Ports,
  changes: Changes,
  onError: (error: unknown) => void
): Background {
  const worker = backgroundWorker(
    { runDueWork, wakesOn: ({ kind, saved = 0 }) => kind === 'details' || (kind === 'bookmarks' && saved > 0) },
    changes,
    onError
  )

  async function runDueWork(): Promise<void> {
    for (;;) {
      const picture = worker.isClosed() ? undefined : await library.uncoloredPicture()
      if (!picture) return
      const preview = await library.readPicture(picture.preview)
      await library.saveColors(picture, preview ? await pictures.colorsOf(preview) : { colors: [], ratio: null })
      await setTimeout(REST_MS)
    }
  }

  return worker
}
