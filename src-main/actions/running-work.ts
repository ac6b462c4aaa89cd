import type { ImportProgress, ImportReport } from '../contract/import-report.ts'
import type { WorkProgress } from '../contract/long-work.ts'
import { Problem } from '../contract/problem.ts'

interface Running<Progress, Report> {
  progress: Progress
  stop: AbortController
  report: Promise<Report>
}

/** The means to follow and stop work. */
interface Control<Progress> {
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

export type RunningWork = ReturnType<typeof runningWork<WorkProgress, unknown>>
export type RunningImports = ReturnType<typeof createRunningImports>

/** Long changes under way. */
export function createRunningWork(): RunningWork {
  return runningWork<WorkProgress, unknown>('A change', () => ({ done: 0, total: 0 }))
}

/** Imports under way. */
export function createRunningImports() {
  const begin = () => ({ read: 0, found: 0, imported: 0, duplicate: 0, rejected: 0 })
  return runningWork<ImportProgress, ImportReport>('An import', begin)
}

/**
 * Work under way, by the names that whoever began it gave it, so that it can be watched and stopped.
 *
 * @param one what it is, as a sentence begins with it
 */
function runningWork<Progress extends object, Report>(one: string, begin: () => Progress) {
  const running = new Map<string, Running<Progress, Report>>()

  function find(name: string): Running<Progress, Report> {
    const found = running.get(name)
    if (!found) throw new Problem('not-found', 'This work is not running.')
    return found
  }

  return {
    /** @throws Problem `taken` where some of this name is under way */
    async run<Told extends Report>(name: string, work: (control: Control<Progress>) => Promise<Told>): Promise<Told> {
      if (running.has(name)) throw new Problem('taken', `${one} with this name is already running.`)
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
     * Stops it and gives its report.
     *
     * @throws Problem `not-found`
     */
    cancel(name: string): Promise<Report> {
      const { stop, report } = find(name)
      stop.abort()
      return report
    },
    /** Stops all, when the service ends. */
    stopAll(): void {
      for (const { stop } of running.values()) stop.abort()
    },
    /**
     * For what would pull the ground from under it.
     *
     * @throws Problem `taken` while some is under way
     */
    refuseWhileAny(): void {
      if (running.size === 0) return
      throw new Problem('taken', `${one} is running. Wait until it is finished, or cancel it, and try again.`)
    }
  }
}
