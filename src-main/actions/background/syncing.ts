import type { Changes } from '../../contract/change.ts'
import { Problem } from '../../contract/problem.ts'
import type { SyncProgress, SyncReport } from '../../contract/sync.ts'
import type { Ports } from '../ports.ts'
import { type SyncControl, syncOnce } from '../sync/sync-once.ts'
import { type Background, backgroundWorker } from './background-worker.ts'

/** How often the folder is looked into, and a segment written at most. */
const EVERY_MS = 5_000

/** A server that refused the password is not asked again for so long: it may lock the account. */
const REFUSED_MS = 5 * 60_000

/** A server that is busy and asks for more time than this is asked again all the same, in ms. */
const MAX_BUSY_MS = 15 * 60_000

/** If files of this machine get lost again and again, all of its bookmarks are sent once in so long, in ms. */
const RESEND_MS = 60 * 60_000

/** How often damaged files of this machine and missing pictures are looked for, in ms. */
const CHECK_MS = 60 * 60_000

export interface Syncing extends Background {
  /** Sends and receives all there is now, as a person asks for it: missing and damaged files are found too. Throws Problems. */
  now(): Promise<SyncReport>
  /** Why something waits since the last look, as sentences. */
  waiting(): string[]
  progress(): SyncProgress | undefined
  /** When all bookmarks were sent again because files of this machine were missing, in ms since 1970. */
  resentAt(): number | undefined
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
  let resentAt: number | undefined
  let checkedAt: number | undefined
  let underWay: Promise<unknown> = Promise.resolve()

  const hasPassed = (time: number | undefined, wait: number) =>
    time === undefined || Math.abs(ports.now() - time) >= wait

  async function look(): Promise<void> {
    const state = await ports.library.readSync()
    if (!state || state.paused || ports.now() < notBefore) return
    await round(hasPassed(checkedAt, CHECK_MS) && 'some').catch((error) => {
      if (error instanceof Problem && error.code === 'invalid') notBefore = ports.now() + REFUSED_MS
      if (error instanceof Problem && error.code === 'too-many') {
        notBefore = ports.now() + Math.min(error.retryAfterMs ?? 0, MAX_BUSY_MS)
      }
      waiting = [error instanceof Problem ? error.message : `Something went wrong: ${error}`]
      if (!(error instanceof Problem)) throw error
    })
  }

  /** One after the other. */
  function round(checksFiles: SyncControl['checksFiles']): Promise<SyncReport> {
    notBefore = 0
    const reporting = underWay
      .catch(() => {})
      .then(() => {
        if (checksFiles) checkedAt = ports.now()
        return syncOnce(ports, {
          isOver: worker.isClosed,
          mayResend: hasPassed(resentAt, RESEND_MS),
          checksFiles,
          onProgress: (now) => (progress = now)
        })
      })
      .finally(() => (progress = undefined))
      .then((report) => {
        waiting = report.waiting
        if (report.resent) resentAt = ports.now()
        return report
      })
    underWay = reporting
    return reporting
  }

  return {
    ...worker,
    now: () => round('all'),
    waiting: () => waiting,
    progress: () => progress,
    resentAt: () => resentAt,
    async close() {
      await worker.close()
      await underWay.catch(() => {})
    }
  }
}
