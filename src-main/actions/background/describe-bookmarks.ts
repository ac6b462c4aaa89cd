import type { Changes } from '../../contract/change.ts'
import type { DuePage } from '../../contract/page-details.ts'
import type { Ports, Web } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { describePage } from '../pages/describe-page.ts'
import { prunePictures } from '../pages/prune-pictures.ts'
import { coalesce } from './coalesce.ts'
import { siteWork } from './site-work.ts'
import { watchSites } from './watch-sites.ts'

/** Pages read at a time. */
const AT_ONCE = 4

/** How often it is looked for pages whose time has come. */
const LOOK_EVERY_MS = 15_000

/** Between two looks at the pictures' size while many come in, in pages read. */
const PRUNE_EVERY = 500

/** What a bug of ours makes of a page: it is not met again and again, and keeps none from its turn. */
const A_BUG = { fault: 'unreadable', again: true } as const

/**
 * Reads the pages of saved bookmarks in the background, a few at a time and one of a site, as long as the settings say
 * so. What is left to do stands in the library: nothing is lost, and nothing done twice, when the process ends.
 *
 * @returns ends it; what is under way is given up and done anew the next time
 */
export function describeBookmarks(
  ports: Ports & { web: Web },
  changes: Changes,
  onError: (error: unknown) => void
): () => Promise<void> {
  const { library, web, now } = ports
  const { wake, close: closeLooks } = coalesce(look, onError)
  const sites = watchSites(now, wake)
  const reads = siteWork(readAndKeep, { now, onError, onDone: wake })
  let closed = false
  let read = 0

  async function isOn(): Promise<boolean> {
    return !closed && (await library.readSettings()).fetchDetails
  }

  /** Begins with what is due, as far as there is room. */
  async function look(): Promise<void> {
    while (reads.domains().length < (sites.networkIsAway() ? 1 : AT_ONCE)) {
      if (reads.isPaused() || !web.isConnected() || !(await isOn())) return
      const page = await library.duePage(now(), [...reads.domains(), ...sites.resting()])
      if (!page || closed) return
      reads.begin(page)
    }
  }

  async function readAndKeep(page: DuePage, signal: AbortSignal): Promise<void> {
    const reading = await web.readPage(page.url, signal).catch((error) => {
      if (signal.aborted) return undefined
      onError(error)
      return A_BUG
    })
    if (!reading || signal.aborted) return
    sites.note(page.domain, reading)
    if (sites.networkIsAway()) reads.pause()
    await describePage(ports, page, reading, sites.networkIsAway()).catch((error) => {
      if (error instanceof Problem) throw error
      onError(error)
      return describePage(ports, page, A_BUG, false)
    })
    if (++read % PRUNE_EVERY === 0) await prunePictures(ports)
  }

  async function onSettings(): Promise<void> {
    if (!(await isOn())) void reads.giveUp()
    wake()
  }

  const endWatching = changes.onChange(({ kind, saved = 0 }) => {
    if (kind === 'settings') void onSettings().catch(onError)
    else if (kind === 'details' || (kind === 'bookmarks' && saved > 0)) wake()
  })
  const timer = setInterval(wake, LOOK_EVERY_MS)
  timer.unref()
  wake()

  return async () => {
    closed = true
    const looked = closeLooks()
    clearInterval(timer)
    endWatching()
    await Promise.all([looked, reads.giveUp()])
  }
}
