import type { Changes } from '../../contract/change.ts'
import { Problem } from '../../contract/problem.ts'
import type { SyncProgress, SyncReport } from '../../contract/sync.ts'
import { createQueue } from '../../core/queue.ts'
import type { Ports } from '../ports.ts'
import { type SyncControl, syncOnce } from '../sync/sync-once.ts'
import { backgroundWorker } from './background-worker.ts'

/** Interval of rounds, in ms. Segments are also written at most this often. */
const INTERVAL_MS = 5_000

/** Wait after a server refused the password, in ms, because the server may lock the account. */
const REFUSED_MS = 5 * 60_000

/** Maximum wait that an overloaded server may request, in ms. */
const MAX_BUSY_MS = 15 * 60_000

/** Minimum time between two rounds that send all bookmarks again, in ms, however often files are lost. */
const RESEND_MS = 60 * 60_000

/** Interval of checks for damaged files of this machine and missing pictures, in ms. */
const CHECK_MS = 60 * 60_000

export type Syncing = ReturnType<typeof createSyncing>

/** Synchronizes in the background, if synchronization is set up. */
export function createSyncing(ports: Ports, changes: Changes, onError: (error: unknown) => void) {
  const worker = backgroundWorker(
    { runDueWork, every: INTERVAL_MS, wakesOn: ({ kind }) => kind === 'settings' },
    changes,
    onError
  )
  const rounds = createQueue()
  const closing = new AbortController()
  let waiting: string[] = []
  let notBefore = 0
  let progress: SyncProgress | undefined
  let resentAt: number | undefined
  let checkedAt: number | undefined

  const hasPassed = (time: number | undefined, wait: number) =>
    time === undefined || Math.abs(ports.now() - time) >= wait

  async function runDueWork(): Promise<void> {
    const state = await ports.library.readSync()
    if (!state || state.paused || ports.now() < notBefore) return
    await round(hasPassed(checkedAt, CHECK_MS) && 'some').catch((error) => {
      if (closing.signal.aborted) return
      if (error instanceof Problem && error.code === 'invalid') notBefore = ports.now() + REFUSED_MS
      if (error instanceof Problem && error.code === 'too-many') {
        notBefore = ports.now() + Math.min(error.retryAfterMs ?? 0, MAX_BUSY_MS)
      }
      waiting = [error instanceof Problem ? error.message : `Something went wrong: ${error}`]
      if (!(error instanceof Problem)) throw error
    })
  }

  async function round(checksFiles: SyncControl['checksFiles']): Promise<SyncReport> {
    notBefore = 0
    return rounds.add(async () => {
      if (checksFiles) checkedAt = ports.now()
      const report = await syncOnce(ports, {
        signal: closing.signal,
        mayResend: hasPassed(resentAt, RESEND_MS),
        checksFiles,
        onProgress: (now) => (progress = now)
      }).finally(() => (progress = undefined))
      waiting = report.waiting
      if (report.resent) resentAt = ports.now()
      return report
    })
  }

  return {
    ...worker,
    /** Sends and receives everything now, and finds all missing and damaged files. Throws Problems. */
    now: () => round('all'),
    /** Returns what the last round waits for, as sentences. */
    waiting: () => waiting,
    progress: () => progress,
    /** Returns when all bookmarks were sent again because files of this machine were missing, in ms since 1970. */
    resentAt: () => resentAt,
    async close(): Promise<void> {
      closing.abort()
      await worker.close()
      await rounds.onIdle()
    }
  }
}
