/**
 * Waits before a request, so that none is sent for a bookmark that is only passed, or for each letter that is typed.
 *
 * @param signal aborts the wait, when the result is no longer used
 */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timeout)
      reject(signal.reason)
    })
  })
}

/** Loads something once the page is idle. @returns cancels that */
export function whenIdle(...loads: (() => Promise<unknown>)[]): () => void {
  const callback = requestIdleCallback(() => {
    // A failed load is repeated when its result is needed.
    for (const load of loads) load().catch(() => {})
  })
  return () => cancelIdleCallback(callback)
}
