/** The day a time falls on where this machine is, as a number: 20261231. */
export function dayNumber(time: number): number {
  const date = new Date(time)
  return (date.getFullYear() * 100 + date.getMonth() + 1) * 100 + date.getDate()
}
