import { setImmediate } from 'node:timers/promises'
import type { EndedEarly, WorkProgress } from '../contract/change.ts'
import type { ImportProgress, ImportReport } from '../contract/import-report.ts'
import { Problem } from '../contract/problem.ts'

/** Work of many steps: how it leaves time for other work, ends early, and is followed and stopped by the owner. */

/** How long work may run before the event loop continues, in milliseconds. */
const SLICE_MS = 5

/**
 * Returns a function to call between the steps of long work. It waits for the event loop only if the time slice is over,
 * so steps may be as short as they like.
 */
export function createPauses(): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE_MS) return
    await setImmediate()
    begun = performance.now()
  }
}

/**
 * Reports a step that failed after others were done, so that a partial change is never reported as none.
 *
 * @throws the error itself if nothing was done, or if it is a bug
 */
export function endedBy(error: unknown, done: number): EndedEarly {
  if (!(error instanceof Problem) || done === 0) throw error
  const { code } = error
  return { problem: { code, message: code === 'disk-full' ? DISK_FULL : error.message } }
}

const DISK_FULL = 'Then the disk was full. Free some space and do it again for the rest.'

export type RunningWork = ReturnType<typeof createRunningWork>
export type RunningImports = ReturnType<typeof createRunningImports>

export function createRunningWork() {
  return createRegister<WorkProgress, unknown>('A change', () => ({ done: 0, total: 0 }))
}

export function createRunningImports() {
  const begin = () => ({ read: 0, found: 0, imported: 0, duplicate: 0, rejected: 0 })
  return createRegister<ImportProgress, ImportReport>('An import', begin)
}

interface Running<Progress, Report> {
  progress: Progress
  stop: AbortController
  report: Promise<Report>
}

interface Control<Progress> {
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/**
 * Keeps running work by the name that its client gave it.
 *
 * @param kind begins the sentences of its Problems
 */
function createRegister<Progress extends object, Report>(kind: string, begin: () => Progress) {
  const running = new Map<string, Running<Progress, Report>>()

  function find(name: string): Running<Progress, Report> {
    const work = running.get(name)
    if (!work) throw new Problem('not-found', 'This work is not running.')
    return work
  }

  return {
    /** @throws Problem `taken` if work of this name is running */
    async run<Own extends Report>(name: string, work: (control: Control<Progress>) => Promise<Own>): Promise<Own> {
      if (running.has(name)) throw new Problem('taken', `${kind} with this name is already running.`)
      const stop = new AbortController()
      const progress = begin()
      const report = work({ signal: stop.signal, onProgress: (now) => Object.assign(progress, now) })
      running.set(name, { progress, stop, report })
      try {
        return await report
      } finally {
        running.delete(name)
      }
    },
    /** @throws Problem `not-found` */
    progressOf: (name: string): Progress => find(name).progress,
    /**
     * Stops work and returns its report.
     *
     * @throws Problem `not-found`
     */
    cancel(name: string): Promise<Report> {
      const { stop, report } = find(name)
      stop.abort()
      return report
    },
    stopAll(): void {
      for (const { stop } of running.values()) stop.abort()
    },
    /** @throws Problem `taken` if any work is running */
    refuseWhileAny(): void {
      if (running.size === 0) return
      throw new Problem('taken', `${kind} is running. Wait until it is finished, or cancel it, and try again.`)
    }
  }
}
