import type { Changes } from '../../contract/change.ts'
import type { Ports } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import type { SyncProgress, SyncReport } from '../../contract/sync.ts'
import { syncOnce } from '../sync/sync-once.ts'
import { type Background, backgroundWorker } from './background-worker.ts'

/** How often the folder is looked into, and a segment written at most. */
const EVERY_MS = 5_000

/** A server that refused the password is not asked again for so long: it may lock the account. */
const REFUSED_MS = 5 * 60_000

export interface Syncing extends Background {
  /** Sends and receives all there is now. Throws Problems. */
  now(): Promise<SyncReport>
  /** Why something waits since the last look, as sentences. */
  waiting(): string[]
  progress(): SyncProgress | undefined
}

/** Synchronizes in the background, if it is set up. */
export function createSyncing(ports: Ports, changes: Changes, onError: (error: unknown) => void): Syncing {
  const worker = backgroundWorker(
    { look, every: EVERY_MS, wakesOn: ({ kind }) => kind === 'settings' },
    changes,
    onError
  )
  let waiting: string[] = []
  let notBefore = 0
  let progress: SyncProgress | undefined
  let underWay: Promise<unknown> = Promise.resolve()

  async function look(): Promise<void> {
    const state = await ports.library.readSync()
    if (!state || state.paused || ports.now() < notBefore) return
    await now().catch((error) => {
      if (error instanceof Problem && error.code === 'invalid') notBefore = ports.now() + REFUSED_MS
      waiting = [error instanceof Problem ? error.message : `Something went wrong: ${error}`]
      if (!(error instanceof Problem)) throw error
    })
  }

  /** One after the other. */
  function now(): Promise<SyncReport> {
    notBefore = 0
    const round = underWay
      .catch(() => {})
      .then(() => syncOnce(ports, { isOver: worker.isClosed, onProgress: (now) => (progress = now) }))
      .finally(() => (progress = undefined))
      .then((report) => {
        waiting = report.waiting
        return report
      })
    underWay = round
    return round
  }

  return {
    ...worker,
    now,
    waiting: () => waiting,
    progress: () => progress,
    async close() {
      await worker.close()
      await underWay.catch(() => {})
    }
  }
}
