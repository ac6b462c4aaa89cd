import { setImmediate } from 'node:timers/promises'
import type { EndedEarly, WorkProgress } from '../contract/change.ts'
import type { ImportProgress, ImportReport } from '../contract/import-report.ts'
import { Problem } from '../contract/problem.ts'

/** Work of many steps: other work runs in between, and the owner can follow and stop it. */

/**
 * Processes items in batches, one batch after another. Other work continues in between.
 *
 * @param batch gets the next items, and the number of items that are done after them
 * @returns false if it was aborted before the last batch
 */
export async function inBatches<Item>(
  items: Item[],
  size: number,
  batch: (items: Item[], done: number) => unknown,
  signal?: AbortSignal
): Promise<boolean> {
  for (let start = 0; start < items.length; start += size) {
    if (signal?.aborted) return false
    const next = items.slice(start, start + size)
    await batch(next, start + next.length)
    await setImmediate()
  }
  return true
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
 * Creates a register of running work, by the name that its client gave it.
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
