import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportReport } from '../contract/import-report.ts'
import { Problem } from '../contract/problem.ts'
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
 * Imports a file, and again whenever it has changed and was then left alone for a moment, until it is told to stop.
 *
 * @throws Problem when the first time fails: then the file is not what it is taken for
 */
export async function watchImport({ file, pass, onNew, onProblem, signal }: Watch): Promise<void> {
  let done = await stampOf(file)
  let last = done
  await onNew(await pass())
  while (await rested(signal)) {
    const now = await stampOf(file)
    const unchanged = now === last
    last = now
    if (now === done || !unchanged || now === '') continue
    done = now
    try {
      const report = await pass()
      if (report.imported > 0) await onNew(report)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      onProblem(error)
    }
  }
}

async function rested(signal: AbortSignal): Promise<boolean> {
  await sleep(LOOK_EVERY, undefined, { signal }).catch(() => {})
  return !signal.aborted
}
