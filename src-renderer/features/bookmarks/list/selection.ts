import type { Spot } from './cursor.ts'

/** Bookmarks chosen for a change of many, by id, and where a range begins. */
export interface Selection {
  ids: ReadonlySet<string>
  /** The bookmark chosen last. */
  anchor: Spot | undefined
}

export const NOTHING: Selection = { ids: new Set(), anchor: undefined }

/** Most that one change takes. */
export const MOST_SELECTED = 1000

/** Chooses a bookmark, or no longer. */
export function toggled({ ids }: Selection, id: string, index: number): Selection {
  const next = new Set(ids)
  if (!next.delete(id) && next.size < MOST_SELECTED) next.add(id)
  return { ids: next, anchor: { id, index } }
}

/** Chooses these no longer; what was chosen meanwhile stays. */
export function without({ ids, anchor }: Selection, gone: string[]): Selection {
  const left = new Set(ids)
  for (const id of gone) left.delete(id)
  return left.size === 0 ? NOTHING : { ids: left, anchor }
}

/** The rows from where a range began, `anchor`, to `index`, both included, as many as one change takes. */
export function rangeTo(anchor: number, index: number): { from: number; to: number } {
  const to = Math.max(anchor - MOST_SELECTED + 1, Math.min(anchor + MOST_SELECTED - 1, index))
  return anchor <= to ? { from: anchor, to } : { from: to, to: anchor }
}

/** Chooses these too, as far as there is room. */
export function added({ ids, anchor }: Selection, more: string[]): Selection {
  return { ids: new Set([...ids, ...more].slice(0, MOST_SELECTED)), anchor }
}
