import type { Change, Changes } from '../../contract/change.ts'
import type { Ports, Web } from '../../contract/ports.ts'
import { type Background, backgroundWorker } from './background-worker.ts'
import { siteWork } from './site-work.ts'
import { watchSites } from './watch-sites.ts'

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
