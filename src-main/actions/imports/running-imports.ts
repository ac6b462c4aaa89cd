import type { ImportProgress, ImportReport } from '../../contract/import-report.ts'
import { Problem } from '../../contract/problem.ts'

interface Running {
  progress: ImportProgress
  stop: AbortController
  report: Promise<ImportReport>
}

/** What an import is watched and stopped by. */
interface ImportControl {
  signal: AbortSignal
  onProgress: (progress: ImportProgress) => void
}

export type RunningImports = ReturnType<typeof createRunningImports>

/** Imports under way, by the names that whoever started them gave them, so that they can be watched and stopped. */
export function createRunningImports() {
  const running = new Map<string, Running>()

  function find(name: string): Running {
    const found = running.get(name)
    if (!found) throw new Problem('not-found', 'There is no such import under way.')
    return found
  }

  return {
    /** @throws Problem `taken` where one of this name is under way */
    async run(name: string, work: (control: ImportControl) => Promise<ImportReport>): Promise<ImportReport> {
      if (running.has(name)) throw new Problem('taken', 'An import of this name is under way already.')
      const stop = new AbortController()
      const progress = { read: 0, imported: 0, duplicate: 0, rejected: 0 }
      const report = work({ signal: stop.signal, onProgress: (now) => Object.assign(progress, now) })
      running.set(name, { progress, stop, report })
      try {
        return await report
      } finally {
        running.delete(name)
      }
    },
    /** @throws Problem `not-found` */
    progressOf: (name: string): ImportProgress => find(name).progress,
    /**
     * Stops one and gives its report.
     *
     * @throws Problem `not-found`
     */
    cancel(name: string): Promise<ImportReport> {
      const { stop, report } = find(name)
      stop.abort()
      return report
    },
    /**
     * For what would pull the ground from under an import.
     *
     * @throws Problem `taken` while one is under way
     */
    refuseWhileAny(): void {
      if (running.size === 0) return
      throw new Problem('taken', 'An import is under way. Wait for its end, or cancel it, and try again.')
    }
  }
}
