import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportReport } from '../contract/import-report.ts'
import { Problem } from '../contract/problem.ts'
import { fileLooks } from '../core/file-looks.ts'
import { stampOf } from '../host/bookmark-files.ts'

/** How often the file is looked at, in milliseconds. A browser replaces it whole, or writes the log beside it. */
const LOOK_EVERY = 1000

interface Watch {
  file: string
  /** Imports what is new in the file. */
  pass(): Promise<ImportReport>
  onNew(report: ImportReport): Promise<void>
  /** The file could not be imported this time. */
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
  const looks = fileLooks(await stampOf(file))
  await onNew(await pass())
  while (await rested(signal)) {
    if (!looks.isDue(await stampOf(file), Date.now())) continue
    try {
      const report = await pass()
      if (report.imported > 0) await onNew(report)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      looks.failed(Date.now())
      onProblem(error)
    }
  }
}

async function rested(signal: AbortSignal): Promise<boolean> {
  await sleep(LOOK_EVERY, undefined, { signal }).catch(() => {})
  return !signal.aborted
}
