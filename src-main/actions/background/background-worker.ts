import type { Change, Changes } from '../../contract/change.ts'

/** Work in the background, from `start` until `close`. */
export interface Background {
  start(): void
  /** Ends the work after the running step was completed or aborted. */
  close(): Promise<void>
}

interface Job {
  /** Does the due work, unless the worker is closed. Never runs twice at the same time. */
  runDueWork(): Promise<void>
  /** Interval at which due work is run, in ms; if absent, it is run only after changes. */
  every?: number | undefined
  /** Whether a change may have made work due. */
  wakesOn(change: Change): boolean
}

/**
 * Creates a worker that runs due work at its start, at an interval, and after changes that may have made work due.
 */
export function backgroundWorker(
  { runDueWork, every, wakesOn }: Job,
  changes: Changes,
  onError: (error: unknown) => void
) {
  let timer: NodeJS.Timeout | undefined
  let endWatching: (() => void) | undefined
  let running: Promise<void> | undefined
  let runAgain = false
  let closed = false

  /** Runs due work now, or once more after the running work, which may have missed the latest changes. */
  function wake(): void {
    if (closed) return
    runAgain = running !== undefined
    running ??= runDueWork()
      .catch(onError)
      .finally(() => {
        running = undefined
        if (runAgain) wake()
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
      await running
    }
  } satisfies Background & Record<string, unknown>
}
