import type { Changes } from '../../contract/change.ts'
import type { DuePage, PageDetails, PageFailure, PageReading, StoredDetails } from '../../contract/page-details.ts'
import type { Web } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { addressWords } from '../../core/address.ts'
import type { Library } from '../../store/open-library.ts'
import { MAX_PICTURES_BYTES } from '../pictures.ts'
import type { Ports } from '../ports.ts'
import type { Background } from './background-worker.ts'
import { type SiteWorker, siteWorker } from './site-worker.ts'

/** Number of pages after which the size of all pictures is checked. */
const PRUNE_EVERY = 500

/** The result if Earmark’s own code throws, so that the page is not retried forever and does not delay others. */
const A_BUG = { fault: 'unreadable', again: true } as const

/** Reads the pages of saved bookmarks in the background. */
export function createDescribing(
  ports: Ports & { web: Web },
  changes: Changes,
  onError: (error: unknown) => void
): Background {
  const { library, web, now } = ports
  const worker: SiteWorker = siteWorker(ports, changes, onError, {
    due: (except) => library.duePage(now(), except),
    work: describe,
    atOnce: () => (worker.sites.networkIsAway() ? 1 : undefined),
    wakesOn: ({ kind, saved = 0 }) => kind === 'details' || (kind === 'bookmarks' && saved > 0)
  })
  const { sites } = worker
  let pages = 0

  async function describe(page: DuePage, signal: AbortSignal): Promise<void> {
    const reading = await web.readPage(page.url, signal).catch((error) => {
      if (signal.aborted) return undefined
      onError(error)
      return A_BUG
    })
    if (!reading || signal.aborted) return
    sites.note(page.domain, reading)
    if (sites.networkIsAway()) worker.pause()
    await saveReading(ports, page, reading, sites.networkIsAway()).catch((error) => {
      if (error instanceof Problem) throw error
      onError(error)
      return saveReading(ports, page, A_BUG, false)
    })
    if (++pages % PRUNE_EVERY === 0) await library.prunePictures(MAX_PICTURES_BYTES)
  }

  return worker
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Wait after each failed attempt, in ms. */
const RETRIES_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS]

/** Waits after bot protection, which rarely allows a page within an hour after it refused it. */
const WALL_RETRIES_MS = RETRIES_MS.slice(3)

/** Maximum wait that a site may request, in ms. */
const MAX_WAIT_MS = 24 * HOUR_MS

/** @param networkIsAway if true, an attempt that did not reach the site does not count */
async function saveReading(
  { library, now }: Ports,
  page: DuePage,
  reading: PageReading,
  networkIsAway: boolean
): Promise<void> {
  if ('details' in reading) {
    await library.saveDetails(page, await keepPictures(library, reading.details), now())
  } else if (reading.fault === 'unreachable' && networkIsAway) {
    const { attempts } = page
    await library.saveFailure(page, { fault: reading.fault, title: '', due: now() + MINUTE_MS, attempts }, now())
  } else {
    await library.saveFailure(page, failureOf(page, reading, now()), now())
  }
}

function failureOf(
  { attempts, url }: DuePage,
  { fault, again, wait = 0 }: Exclude<PageReading, { details: unknown }>,
  now: number
): PageFailure {
  const retry = again ? (fault === 'wall' ? WALL_RETRIES_MS : RETRIES_MS)[attempts] : undefined
  const due = retry === undefined ? null : now + Math.max(retry, Math.min(wait, MAX_WAIT_MS))
  // Bot protection also answers 429 and 503. Such a page may never be read, so its bookmark gets a title now.
  const needsTitle = due === null || fault === 'wall' || fault === 'busy'
  return { fault, title: needsTitle ? addressWords(url) : '', due, attempts: attempts + 1 }
}

async function keepPictures(library: Library, { icon, preview, ...details }: PageDetails): Promise<StoredDetails> {
  return {
    ...details,
    icon: icon && (await library.keepPicture(icon)),
    preview: preview && (await library.keepPicture(preview))
  }
}
