import type { Change, Changes } from '../../contract/change.ts'
import type { LinkReading } from '../../contract/link-check.ts'
import type { PageReading } from '../../contract/page-details.ts'
import type { Web } from '../../contract/ports.ts'
import type { Ports } from '../ports.ts'
import { type Background, backgroundWorker } from './background-worker.ts'

/** Maximum number of pages that are requested at once. */
const MAX_AT_ONCE = 4

/** Interval of checks for due pages, in ms. */
const LOOK_EVERY_MS = 15_000

interface SiteJob<Page> {
  /** Runs before due pages are requested. */
  prepare?(): Promise<void>
  /** Returns a due page that is not of one of these domains. */
  due(except: string[]): Promise<Page | undefined>
  /** @param signal aborted if the work must end; the page is then due again */
  work(page: Page, signal: AbortSignal): Promise<void>
  onNothingDue?(): Promise<void>
  /** Returns the maximum number of pages at once; `undefined` for the default. */
  atOnce?(): number | undefined
  /** Whether a change may have made a page due. */
  wakesOn(change: Change): boolean
}

export interface SiteWorker extends Background {
  sites: ReturnType<typeof watchSites>
  /** Requests no further page for `PAUSE_MS`. */
  pause(): void
  wake(): void
  isClosed(): boolean
}

/**
 * Requests pages in the background while the settings allow it. It requests several pages at the same time, but only one
 * page of each site. The library stores which pages are due, so no page is lost or requested twice if the process ends.
 */
export function siteWorker<Page extends { domain: string }>(
  { library, web, now }: Pick<Ports, 'library' | 'now'> & { web: Web },
  changes: Changes,
  onError: (error: unknown) => void,
  job: SiteJob<Page>
): SiteWorker {
  const worker = backgroundWorker({ runDueWork, every: LOOK_EVERY_MS, wakesOn }, changes, onError)
  const sites = watchSites(now, worker.wake)
  const running = siteWork(job.work, { now, onError, onDone: worker.wake })

  async function isOn(): Promise<boolean> {
    return !worker.isClosed() && (await library.readSettings()).fetchDetails
  }

  function hasRoom(): boolean {
    return running.domains().length < (job.atOnce?.() ?? MAX_AT_ONCE)
  }

  async function runDueWork(): Promise<void> {
    if (!(await isOn())) return running.abort()
    await job.prepare?.()
    while (hasRoom()) {
      if (running.isPaused() || !web.isConnected() || !(await isOn())) return
      const page = await job.due([...running.domains(), ...sites.resting()])
      if (worker.isClosed()) return
      if (!page) return job.onNothingDue?.()
      running.begin(page)
    }
  }

  function wakesOn(change: Change): boolean {
    return change.kind === 'settings' || job.wakesOn(change)
  }

  return {
    ...worker,
    sites,
    pause: running.pause,
    async close() {
      await Promise.all([worker.close(), running.abort()])
    }
  }
}

/** Wait after each page of a site, in ms, and the wait if the site is overloaded. */
const REST_MS = 1000
const BUSY_REST_MS = 60_000

/** Number of different sites in a row that cannot be reached if the network is missing. */
const MIN_SITES_AWAY = 3

/**
 * Tracks which sites must not be requested yet, and detects a missing network.
 *
 * @param onRested called when a site may be requested again
 */
function watchSites(now: () => number, onRested: () => void) {
  const resting = new Map<string, number>()
  const away = new Set<string>()
  let answeredAt = Number.NEGATIVE_INFINITY

  function noteAnswer(): void {
    away.clear()
    answeredAt = now()
  }

  return {
    note(domain: string, reading: PageReading | LinkReading): void {
      const fault = 'fault' in reading ? reading.fault : undefined
      const rest = fault === 'busy' ? BUSY_REST_MS : REST_MS
      resting.set(domain, now() + rest)
      setTimeout(onRested, rest + 1).unref()
      if (fault === 'unreachable' || fault === 'no-host') away.add(domain)
      // A forbidden address or a timeout does not show whether there is a network.
      else if (fault !== 'address' && fault !== 'slow') noteAnswer()
    },
    noteAnswer,
    answeredSince: (time: number) => answeredAt > time,
    resting(): string[] {
      for (const [domain, end] of resting) if (end <= now()) resting.delete(domain)
      return [...resting.keys()]
    },
    networkIsAway: () => away.size >= MIN_SITES_AWAY
  }
}

/** Pause after a bug in Earmark, and while the network is missing, in ms. */
const PAUSE_MS = 30_000

interface Surroundings {
  now: () => number
  onError: (error: unknown) => void
  /** Called when there is room for another page. */
  onDone: () => void
}

/** Work on sites’ pages, one of each site at a time, with a pause after an error. */
function siteWork<Page extends { domain: string }>(
  work: (page: Page, signal: AbortSignal) => Promise<void>,
  { now, onError, onDone }: Surroundings
) {
  const running = new Map<string, Promise<void>>()
  let aborting = new AbortController()
  let pausedUntil = 0

  function pause(): void {
    pausedUntil = now() + PAUSE_MS
  }

  return {
    /** The sites of running work. */
    domains: () => [...running.keys()],
    begin(page: Page): void {
      const working = work(page, aborting.signal)
        .catch((error) => {
          pause()
          onError(error)
        })
        .finally(() => {
          running.delete(page.domain)
          onDone()
        })
      running.set(page.domain, working)
    },
    pause,
    isPaused: () => now() < pausedUntil,
    async abort(): Promise<void> {
      aborting.abort()
      aborting = new AbortController()
      await Promise.all(running.values())
    }
  }
}
