/**
 * Counts the letters to insert, remove, replace or swap with their neighbour to turn one word into the other (optimal
 * string alignment). A distance above `max` is returned as `max + 1`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let min = row
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      let cost = Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + same)
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      }
      current.push(cost)
      min = Math.min(min, cost)
    }
    if (min > max) return max + 1
    before = above
    above = current
  }
  return Math.min(above[b.length] ?? 0, max + 1)
}
