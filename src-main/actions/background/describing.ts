import type { Changes } from '../../contract/change.ts'
import type { DuePage, KeptDetails, PageDetails, PageFailure, PageReading } from '../../contract/page-details.ts'
import type { Web } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { addressWords } from '../../core/address-words.ts'
import type { Library } from '../../store/open-library.ts'
import { prunePictures } from '../pages/pictures.ts'
import type { Ports } from '../ports.ts'
import type { Background } from './background-worker.ts'
import { type SiteWorker, siteWorker } from './site-worker.ts'

/** Between two looks at the pictures' size while many come in, in pages read. */
const PRUNE_EVERY = 500

/** Result used when our own code throws, so that the page is not retried forever and does not hold up the others. */
const A_BUG = { fault: 'unreadable', again: true } as const

/** Reads the pages of saved bookmarks. */
export function createDescribing(
  ports: Ports & { web: Web },
  changes: Changes,
  onError: (error: unknown) => void
): Background {
  const { library, web, now } = ports
  const worker: SiteWorker = siteWorker(ports, changes, onError, {
    due: (except) => library.duePage(now(), except),
    work: readAndKeep,
    atOnce: () => (worker.sites.networkIsAway() ? 1 : undefined),
    wakesOn: ({ kind, saved = 0 }) => kind === 'details' || (kind === 'bookmarks' && saved > 0)
  })
  const { sites } = worker
  let read = 0

  async function readAndKeep(page: DuePage, signal: AbortSignal): Promise<void> {
    const reading = await web.readPage(page.url, signal).catch((error) => {
      if (signal.aborted) return undefined
      onError(error)
      return A_BUG
    })
    if (!reading || signal.aborted) return
    sites.note(page.domain, reading)
    if (sites.networkIsAway()) worker.pause()
    await describePage(ports, page, reading, sites.networkIsAway()).catch((error) => {
      if (error instanceof Problem) throw error
      onError(error)
      return describePage(ports, page, A_BUG, false)
    })
    if (++read % PRUNE_EVERY === 0) await prunePictures(ports)
  }

  return worker
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How long until the next attempt, after each that failed and may do better. */
const RETRIES_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS]

/** A site that took us for a robot takes us for one in an hour, too. */
const WALL_RETRIES_MS = RETRIES_MS.slice(3)

/** A site is not waited for longer. */
const LONGEST_WAIT_MS = 24 * HOUR_MS

/**
 * Keeps what came of reading a bookmark's page.
 *
 * @param networkIsAway then that nobody was reached is no attempt of the page's
 */
async function describePage(
  { library, now }: Ports,
  page: DuePage,
  reading: PageReading,
  networkIsAway: boolean
): Promise<void> {
  if ('details' in reading) {
    await library.saveDetails(page, await kept(library, reading.details), now())
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
  const due = retry === undefined ? null : now + Math.max(retry, Math.min(wait, LONGEST_WAIT_MS))
  // Bot protection also answers 429 and 503. Such a bookmark is named at once, because its page may never be seen.
  const isNamed = due === null || fault === 'wall' || fault === 'busy'
  return { fault, title: isNamed ? addressWords(url) : '', due, attempts: attempts + 1 }
}

async function kept(library: Library, { icon, preview, ...details }: PageDetails): Promise<KeptDetails> {
  return {
    ...details,
    icon: icon && (await library.keepPicture(icon)),
    preview: preview && (await library.keepPicture(preview))
  }
}
