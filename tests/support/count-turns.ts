/** Counts the turns that others got since it was called. @returns ends the counting and gives how many they were */
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
