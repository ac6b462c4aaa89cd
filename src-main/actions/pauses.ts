import { setImmediate } from 'node:timers/promises'

/** How long work may go on before others get their turn, in milliseconds. */
const TURN_MS = 5

/**
 * Lets others have their turn while long work goes on. Called between its steps, it waits only where the last turn is
 * over, so that steps may be as short as they like.
 */
export function createPauses(): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < TURN_MS) return
    await setImmediate()
    begun = performance.now()
  }
}
