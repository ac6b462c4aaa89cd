/** How long work may take in one turn of the event loop, in milliseconds. */
const MOST_MS = 4

/**
 * Shares the event loop among calls that arrive together: once those before have taken this turn's time, the next waits
 * for another turn. One call alone never waits.
 */
export function timeSlices(mostMs = MOST_MS): <T>(work: () => T) => Promise<T> {
  let spent = 0
  let ends: Promise<void> | undefined

  function endOfTurn(): Promise<void> {
    ends ??= new Promise((resolve) => {
      setImmediate(() => {
        spent = 0
        ends = undefined
        resolve()
      })
    })
    return ends
  }

  return async (work) => {
    while (spent >= mostMs) await endOfTurn()
    const begun = performance.now()
    try {
      return work()
    } finally {
      spent += performance.now() - begun
      void endOfTurn()
    }
  }
}
