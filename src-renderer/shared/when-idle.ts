/** Loads what will be wanted soon once the page has nothing else to do. Gives what ends the waiting. */
export function whenIdle(...loads: (() => Promise<unknown>)[]): () => void {
  const waiting = requestIdleCallback(() => {
    // What cannot be loaded now is loaded when it is asked for.
    for (const load of loads) load().catch(() => {})
  })
  return () => cancelIdleCallback(waiting)
}
