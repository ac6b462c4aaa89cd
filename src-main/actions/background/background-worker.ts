import type { Change, Changes } from '../../contract/change.ts'

/** Work in the background, from `start` until `close`. */
export interface Background {
  start(): void
  /** Ends the work after the running step was completed or aborted. */
  close(): Promise<void>
}

interface Job {
  /** Does the due work, unless the worker is closed. Never runs twice at the same time. */
  look(): Promise<void>
  /** Interval of looks, in ms; if absent, the worker only looks after changes. */
  every?: number | undefined
  /** Whether a change may have made work due. */
  wakesOn(change: Change): boolean
}

/**
 * Creates a worker that looks for due work at its start, at an interval, and after changes that may have made work due.
 */
export function backgroundWorker({ look, every, wakesOn }: Job, changes: Changes, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let endWatching: (() => void) | undefined
  let looking: Promise<void> | undefined
  let lookAgain = false
  let closed = false

  /** Looks now, or once more after the look that is running, which may have missed the latest changes. */
  function wake(): void {
    if (closed) return
    lookAgain = looking !== undefined
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = undefined
        if (lookAgain) wake()
      })
  }

  return {
    start(): void {
      if (endWatching) return
      endWatching = changes.onChange((change) => {
        if (wakesOn(change)) wake()
      })
      if (every !== undefined) timer = setInterval(wake, every).unref()
      wake()
    },
    wake,
    isClosed: () => closed,
    async close(): Promise<void> {
      closed = true
      clearInterval(timer)
      endWatching?.()
      await looking
    }
  } satisfies Background & Record<string, unknown>
}
