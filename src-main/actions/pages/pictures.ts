import { LIMITS } from '../../contract/bookmark.ts'
import type { PictureRequest } from '../../contract/bookmark-change.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { KeptPicture, NewPicture, PictureFacts, PictureFault } from '../../contract/picture.ts'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from '../../contract/picture-limit.ts'
import { Problem } from '../../contract/problem.ts'
import { cleanLines, cleanText } from '../../core/clean-text.ts'
import { hexOfLab } from '../../core/color.ts'
import { pictureKey } from '../../core/page-key.ts'
import { choosePlace, cleanTags, placementFor } from '../bookmarks/bookmark-fields.ts'
import type { CreatedBookmark } from '../bookmarks/create-bookmark.ts'
import { findBookmark, isFetchingOn } from '../bookmarks/read-bookmark.ts'
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
  return { url: null, domain: null, pageKey: pictureKey(hash), picture: hash }
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

/** Fetching all of a text's pictures may take so long, in milliseconds; what is missing then counts as failed. */
const LONGEST_MS = 30_000

/** Pictures of one text that are fetched at once. */
const AT_ONCE = 3

/** Texts whose pictures are fetched at once. */
const MOST_TEXTS = 2

/** A picture that could not be fetched is not asked for again for so long, in milliseconds. */
const AGAIN_MS = 10 * 60_000

/** Failures that are remembered. */
const MOST_FAILED = 1000

export type TextPictures = ReturnType<typeof createTextPictures>

/** The pictures of texts: those that are kept are given, and the others of a text fetched in the background. */
export function createTextPictures(ports: Ports) {
  const { library, web, now } = ports
  const underWay = new Map<string, Promise<void>>()
  /** When each address could not be fetched. */
  const failed = new Map<string, number>()
  const stop = new AbortController()

  async function fetchAll(id: string, urls: string[]): Promise<void> {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LONGEST_MS)])
    const waiting = [...urls]
    const work = async () => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        const picture = signal.aborted ? null : await web?.readPicture(url, signal).catch(() => null)
        if (picture) await library.keepTextPicture(id, url, picture)
        else noteFailure(url)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  function noteFailure(url: string): void {
    if (failed.size >= MOST_FAILED) failed.clear()
    failed.set(url, now())
  }

  const urlsOf = async (id: string) => ((await library.readTextLayout(id))?.pictures ?? []).map(({ url }) => url)

  return {
    /**
     * Lists which of a text's pictures are kept, by their places, and begins to fetch the others.
     *
     * @returns `pending` while more may come
     */
    async list(id: string): Promise<{ kept: number[]; pending: boolean }> {
      const urls = await urlsOf(id)
      const isKept = await library.areTextPicturesKept(id, urls)
      const missing = urls.filter((url, place) => !isKept[place] && now() - (failed.get(url) ?? -Infinity) > AGAIN_MS)
      const begins = missing.length > 0 && !underWay.has(id) && !stop.signal.aborted && (await isFetchingOn(ports))
      if (begins && underWay.size < MOST_TEXTS) {
        const work = fetchAll(id, missing)
          .catch(() => {})
          .finally(() => underWay.delete(id))
        underWay.set(id, work)
      }
      return { kept: urls.flatMap((_, place) => (isKept[place] ? [place] : [])), pending: begins || underWay.has(id) }
    },
    /** @throws Problem `not-found` where there is no such picture, or it is not kept */
    async read(id: string, place: number): Promise<Uint8Array> {
      const url = (await urlsOf(id))[place]
      const kept = url === undefined ? undefined : await library.readTextPicture(id, url)
      if (!kept) throw new Problem('not-found', 'There is no such picture.')
      return kept
    },
    async close(): Promise<void> {
      stop.abort()
      await Promise.all(underWay.values())
    }
  }
}

/** Room for all pictures together, in bytes: some 10,000 previews. */
const MOST_BYTES = 256 * 1024 * 1024

/** Makes room among the pictures: those go that no bookmark has, then the oldest. */
export function prunePictures({ library }: Ports): Promise<void> {
  return library.prunePictures(MOST_BYTES)
}
