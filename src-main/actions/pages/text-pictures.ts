import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'
import { isFetchingOn } from './page-of-bookmark.ts'

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
