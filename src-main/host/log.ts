import { join } from 'node:path'
import { pino } from 'pino'

/**
 * Writes what should not have happened to `earmark.log` in the data folder. Never a key, a cookie or a title: only the
 * error's name, code, message and stack.
 */
export function logBug(folder: string): (error: unknown) => void {
  let log: ReturnType<typeof pino> | undefined
  return (error) => {
    log ??= pino(
      { base: null, timestamp: pino.stdTimeFunctions.isoTime },
      pino.destination({ dest: join(folder, 'earmark.log'), sync: true, mode: 0o600 })
    )
    log.error({ err: error }, 'unexpected error')
  }
}
