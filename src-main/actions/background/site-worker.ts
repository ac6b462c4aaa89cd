import type { Change, Changes } from '../../contract/change.ts'
import type { LinkReading } from '../../contract/link-check.ts'
import type { PageReading } from '../../contract/page-details.ts'
import type { Web } from '../../contract/ports.ts'
import type { Ports } from '../ports.ts'
import { type Background, backgroundWorker } from './background-worker.ts'

/** Pages asked for at a time. */
const AT_ONCE = 4

/** How often it is looked for pages whose time has come. */
const LOOK_EVERY_MS = 15_000

interface SiteJob<Page> {
  /** Before each look. */
  prepare?(): Promise<void>
  /** A page whose time has come, and of none of these domains. */
  due(except: string[]): Promise<Page | undefined>
  /** @param signal says that it is given up, and done anew some time */
  work(page: Page, signal: AbortSignal): Promise<void>
  /** Nothing is due. */
  onNothingDue?(): Promise<void>
  /** How many pages at a time; `undefined` for the usual. */
  atOnce?(): number | undefined
  /** Whether a change may have made something due. */
  wakesOn(change: Change): boolean
}

export interface SiteWorker extends Background {
  sites: ReturnType<typeof watchSites>
  /** Begins nothing for a while. */
  pause(): void
  wake(): void
  isClosed(): boolean
}

/**
 * Asks sites for pages in the background, a few at a time and one of a site, as long as the settings say so. What is left
 * to do stands in the library: nothing is lost, and nothing done twice, when the process ends.
 */
export function siteWorker<Page extends { domain: string }>(
  { library, web, now }: Pick<Ports, 'library' | 'now'> & { web: Web },
  changes: Changes,
  onError: (error: unknown) => void,
  job: SiteJob<Page>
): SiteWorker {
  const worker = backgroundWorker({ look, every: LOOK_EVERY_MS, wakesOn }, changes, onError)
  const sites = watchSites(now, worker.wake)
  const underWay = siteWork(job.work, { now, onError, onDone: worker.wake })

  async function isOn(): Promise<boolean> {
    return !worker.isClosed() && (await library.readSettings()).fetchDetails
  }

  function hasRoom(): boolean {
    return underWay.domains().length < (job.atOnce?.() ?? AT_ONCE)
  }

  async function look(): Promise<void> {
    if (!(await isOn())) return underWay.giveUp()
    await job.prepare?.()
    while (hasRoom()) {
      if (underWay.isPaused() || !web.isConnected() || !(await isOn())) return
      const page = await job.due([...underWay.domains(), ...sites.resting()])
      if (worker.isClosed()) return
      if (!page) return job.onNothingDue?.()
      underWay.begin(page)
    }
  }

  function wakesOn(change: Change): boolean {
    return change.kind === 'settings' || job.wakesOn(change)
  }

  return {
    sites,
    pause: underWay.pause,
    wake: worker.wake,
    isClosed: worker.isClosed,
    start: worker.start,
    async close() {
      await Promise.all([worker.close(), underWay.giveUp()])
    }
  }
}

/** A site is left alone for so long after each of its pages, and longer when it has too many visitors. */
const REST_MS = 1000
const BUSY_REST_MS = 60_000

/** Nobody reached at so many different sites in a row means that the network is away, not they. */
const SITES_AWAY = 3

/**
 * Knows which sites are to be left alone, and tells sites that are away from a network that is.
 *
 * @param onRested called when a site may be asked again
 */
function watchSites(now: () => number, onRested: () => void) {
  const resting = new Map<string, number>()
  const away = new Set<string>()

  return {
    /** Takes in what came of asking a site for a page. */
    note(domain: string, reading: PageReading | LinkReading): void {
      const fault = 'fault' in reading ? reading.fault : undefined
      const rest = fault === 'busy' ? BUSY_REST_MS : REST_MS
      resting.set(domain, now() + rest)
      setTimeout(onRested, rest + 1).unref()
      if (fault === 'unreachable') away.add(domain)
      // An address that may not be fetched, or silence, says nothing about the network.
      else if (fault !== 'address' && fault !== 'slow') away.clear()
    },
    resting(): string[] {
      for (const [domain, end] of resting) if (end <= now()) resting.delete(domain)
      return [...resting.keys()]
    },
    networkIsAway: () => away.size >= SITES_AWAY
  }
}

/** After something failed here, and while the network is away. */
const PAUSE_MS = 30_000

interface Surroundings {
  now: () => number
  onError: (error: unknown) => void
  /** Called when there is room for more. */
  onDone: () => void
}

/**
 * Work on sites' pages, one of a site at a time: what is under way, and a pause after something failed.
 *
 * @param work its signal says that it is given up
 */
function siteWork<Page extends { domain: string }>(
  work: (page: Page, signal: AbortSignal) => Promise<void>,
  { now, onError, onDone }: Surroundings
) {
  const underWay = new Map<string, Promise<void>>()
  let leaving = new AbortController()
  let pausedUntil = 0

  function pause(): void {
    pausedUntil = now() + PAUSE_MS
  }

  return {
    /** The sites at work. */
    domains: () => [...underWay.keys()],
    begin(page: Page): void {
      const working = work(page, leaving.signal)
        .catch((error) => {
          pause()
          onError(error)
        })
        .finally(() => {
          underWay.delete(page.domain)
          onDone()
        })
      underWay.set(page.domain, working)
    },
    pause,
    isPaused: () => now() < pausedUntil,
    /** Gives up what is under way, which is done anew some time. */
    async giveUp(): Promise<void> {
      leaving.abort()
      leaving = new AbortController()
      await Promise.all(underWay.values())
    }
  }
}
