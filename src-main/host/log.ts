import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { Problem } from '../contract/problem.ts'

/** The size, in bytes, at which the log is renamed to `earmark.log.old` and replaces the older one. */
const MAX_LOG_BYTES = 1024 * 1024

/**
 * Writes unexpected errors to `earmark.log` in the data folder: name, code, message and stack, never a key, a cookie or
 * a title. A `Problem` is not logged, because a person sees it. Nothing is thrown if the log cannot be written.
 */
export function logBug(folder: string): (error: unknown) => void {
  const file = join(folder, 'earmark.log')
  const sink = {
    write(line: string) {
      try {
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
        if (size > MAX_LOG_BYTES) renameSync(file, `${file}.old`)
        appendFileSync(file, line, { mode: 0o600 })
      } catch {
        // The disk is full or the folder is gone: the service continues.
      }
    }
  }
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, sink)
  return (error) => {
    if (!(error instanceof Problem)) log.error({ err: error }, 'unexpected error')
  }
}
