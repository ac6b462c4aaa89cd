import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Returns how many bytes this process still uses after a garbage collection. */
export function heldMemory(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Starts to count the turns of the event loop. @returns ends the counting and returns the count */
export function countTurns(): () => number {
  let turns = 0
  let next = setImmediate(function again() {
    turns += 1
    next = setImmediate(again)
  })
  return () => {
    clearImmediate(next)
    return turns
  }
}
