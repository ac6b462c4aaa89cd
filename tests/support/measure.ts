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
