import type { Change, Changes } from '../../contract/change.ts'

/** Work that runs in the background from `start` until `close`. */
export interface Background {
  start(): void
  /** Ends it, once what is under way is over or given up. */
  close(): Promise<void>
}

interface Job {
  /** Does what is due, unless it is closed by then. One look at a time. */
  look(): Promise<void>
  /** How often it is looked without any change, in milliseconds; never where left out. */
  every?: number | undefined
  /** Whether a change may have made something due. */
  wakesOn(change: Change): boolean
}

/** Looks for something to do at its start, every so often, and whenever a change may have made something due. */
export function backgroundWorker({ look, every, wakesOn }: Job, changes: Changes, onError: (error: unknown) => void) {
  const { wake, close: closeLooks } = coalesce(look, onError)
  let timer: NodeJS.Timeout | undefined
  let endWatching: (() => void) | undefined
  let closed = false
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
      await closeLooks()
    }
  } satisfies Background & Record<string, unknown>
}

/**
 * A look that is asked for whenever something may have changed: one at a time, and what happens during one is seen by
 * the next.
 *
 * @returns `wake` asks for one; once closed it no longer does anything
 */
function coalesce(look: () => Promise<void>, onError: (error: unknown) => void) {
  let looking: Promise<void> | undefined
  let lookAgain = false
  let closed = false

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
    wake,
    /** @returns the look that is under way */
    close(): Promise<void> {
      closed = true
      return looking ?? Promise.resolve()
    }
  }
}
