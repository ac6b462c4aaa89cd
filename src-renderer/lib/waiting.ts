/**
 * Waits before something is asked for, so that nothing is asked of what is only passed or still being typed.
 *
 * @param signal ends the wait, and with it the query, once nobody wants the answer
 */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiting = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(waiting)
      reject(signal.reason)
    })
  })
}

/** Loads what will be wanted soon once the page has nothing else to do. Gives what ends the waiting. */
export function whenIdle(...loads: (() => Promise<unknown>)[]): () => void {
  const waiting = requestIdleCallback(() => {
    // What cannot be loaded now is loaded when it is asked for.
    for (const load of loads) load().catch(() => {})
  })
  return () => cancelIdleCallback(waiting)
}
