import type { Dropped } from '../contract/import-report.ts'

/** Returns the kinds of data that a record holds and a bookmark has no room for. */
export function droppedIn(held: Partial<Record<Dropped, unknown>>): Dropped[] | undefined {
  const all = Object.entries(held).filter(([, value]) => isSaid(value))
  return all.length === 0 ? undefined : (all.map(([what]) => what) as Dropped[])
}

/** Files fill in what they don't know: with `null`, 0, an empty text or an empty list. */
function isSaid(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value.trim() !== '0'
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
