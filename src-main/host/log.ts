import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { Problem } from '../contract/problem.ts'

/** At this size, in bytes, the log becomes `earmark.log.old`, in place of the one before. */
const MOST_BYTES = 1024 * 1024

/**
 * Writes what should not have happened to `earmark.log` in the data folder. Never a key, a cookie or a title: only the
 * error's name, code, message and stack. A problem that is told to whoever it concerns is no news, and a log that
 * cannot be written stops nobody.
 */
export function logBug(folder: string): (error: unknown) => void {
  const log = openLog(folder)
  return (error) => {
    if (!(error instanceof Problem)) log.error({ err: error }, 'unexpected error')
  }
}

/**
 * With `EARMARK_SLOW=40`, writes every call of the library that takes over 40 ms to the same log, by its name; what it
 * was called with is nobody's business.
 */
export function logSlow(folder: string, limit = process.env.EARMARK_SLOW) {
  const most = Number(limit)
  if (limit === undefined || limit === '' || !(most >= 0)) return undefined
  const log = openLog(folder)
  return { most, onSlow: (call: string, ms: number) => log.info({ call, ms }, 'slow') }
}

function openLog(folder: string) {
  const file = join(folder, 'earmark.log')
  const sink = {
    write(line: string) {
      try {
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
        if (size > MOST_BYTES) renameSync(file, `${file}.old`)
        appendFileSync(file, line, { mode: 0o600 })
      } catch {
        // The disk is full or the folder is gone: the service goes on.
      }
    }
  }
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, sink)
}
