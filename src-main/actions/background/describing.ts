import type { Changes } from '../../contract/change.ts'
import type { DuePage } from '../../contract/page-details.ts'
import type { Web } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { describePage } from '../pages/describe-page.ts'
import { prunePictures } from '../pages/prune-pictures.ts'
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
