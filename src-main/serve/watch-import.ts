import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportReport } from '../contract/import-report.ts'
import { Problem } from '../contract/problem.ts'
import { fileWatch } from '../core/file-watch.ts'
import { stampOf } from '../host/bookmark-files.ts'

/** How often the file is looked at, in milliseconds. A browser replaces it whole, or writes the log beside it. */
const LOOK_EVERY = 1000

interface Watch {
  file: string
  /** Imports what is new in the file. */
  pass(): Promise<ImportReport>
  onNew(report: ImportReport): Promise<void>
  /** The file could not be imported this time; called once for a problem that stays the same. */
  onProblem(problem: Problem): void
  signal: AbortSignal
}

/**
 * Imports a file, and again whenever it has changed and was then left alone for a moment, or a minute after that failed,
 * until it is told to stop.
 *
 * @throws Problem when the first time fails: then the file is not what it is taken for
 */
export async function watchImport({ file, pass, onNew, onProblem, signal }: Watch): Promise<void> {
  const fileState = fileWatch(await stampOf(file))
  let problem = ''
  await onNew(await pass())
  while (await rested(signal)) {
    if (!fileState.isDue(await stampOf(file), Date.now())) continue
    try {
      const report = await pass()
      problem = ''
      if (report.imported > 0) await onNew(report)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      fileState.failed(Date.now())
      if (error.message !== problem) onProblem(error)
      problem = error.message
    }
  }
}

async function rested(signal: AbortSignal): Promise<boolean> {
  await sleep(LOOK_EVERY, undefined, { signal }).catch(() => {})
  return !signal.aborted
}
